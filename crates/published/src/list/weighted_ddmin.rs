use super::singles::Singles;
use nubbin_minimize::{
    Configuration, ListMinimizer, ListShape, MinimizerInfo, NamedMinimizer, NoOptions, Removal,
};
use std::ops::Range;
use std::sync::Arc;

/// ddmin with parts of equal weight rather than of equal length.
///
/// A part is cut at the position that most nearly halves its weight. Each part is tried alone, then
/// each is left out; if no part can be removed, all parts are cut. An element half as heavy as the
/// whole list is soon a part of its own. When every part is a single element, they are tried one by
/// one, from the end, until none can be removed.
///
/// Prefer it to [`Ddmin`](nubbin_minimize::Ddmin) if sizes differ: top-level declarations, children
/// of a document, files. With equal weights, both are similar.
/// [`WeightedProbdd`](crate::list::WeightedProbdd) also uses weights, but no parts;
/// [`Sweep`](nubbin_minimize::Sweep) uses weights and needs fewer tests.
///
/// * *Cost:* O(n²) at worst, as ddmin.
/// * *Result:* 1-minimal.
/// * *Source:* X. Zhou, Z. Xu, M. Zhang, Y. Tian, C. Sun, "WDD: Weighted Delta Debugging", ICSE
///   2025 (arXiv 2411.19410).
/// * *Changed:* after a complement is adopted, the parts stay as they are, and the part after the
///   removed one is next; a round ends when no part could be left out since the last removal. With
///   two parts, no complement is tested. The last phase works backwards.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::WeightedDdmin;
///
/// let shape = ListShape::weighted([100, 1, 1, 1, 1, 1, 1, 1]);
/// let mut tests = vec![];
/// let left = nubbin_minimize::drive(&mut WeightedDdmin::new(&shape), 8, |kept| {
///     tests.push(kept.to_vec());
///     kept.contains(&0)
/// });
/// assert_eq!(left, [0]);
/// assert_eq!(tests, [[0]]);
/// ```
#[derive(Clone, Debug)]
pub struct WeightedDdmin {
    left: Configuration,
    /// For each element, the weight of all elements before it.
    before: Arc<[u64]>,
    phase: Phase,
}

#[derive(Clone, Debug)]
enum Phase {
    Parts(Parts),
    Singles(Singles),
}

#[derive(Clone, Debug)]
struct Parts {
    /// The parts in order, as ranges of remaining elements. Together they cover the whole list.
    parts: Arc<Vec<Range<u32>>>,
    /// Whether parts are left out rather than tested alone.
    complements: bool,
    at: usize,
    /// The number of parts that could not be left out since the last removal.
    since: usize,
}

impl WeightedDdmin {
    /// Starts the list minimizer on a list of the given shape.
    pub fn new(shape: &ListShape) -> Self {
        let mut sum = 0;
        let before = (0..shape.len).map(|element| {
            sum += u64::from(shape.weight(element));
            sum
        });
        let before: Arc<[u64]> = std::iter::once(0).chain(before).collect();
        let left = Configuration::new(shape.len);
        let mut machine = WeightedDdmin {
            left,
            before,
            phase: Phase::Singles(Singles::new(Configuration::new(0))),
        };
        #[expect(
            clippy::single_range_in_vec_init,
            reason = "one part, not a list of numbers"
        )]
        let whole = [0..shape.len];
        machine.cut(&whole);
        machine
    }

    /// Cuts every part in two. If all parts are single elements, the last phase begins.
    fn cut(&mut self, parts: &[Range<u32>]) {
        let mut halves = Vec::with_capacity(2 * parts.len());
        for part in parts {
            if part.len() > 1 {
                let middle = halfway(&self.before, part.clone());
                halves.push(part.start..middle);
                halves.push(middle..part.end);
            } else {
                halves.push(part.clone());
            }
        }
        self.phase = if halves.len() == parts.len() {
            Phase::Singles(Singles::new(self.left.clone()))
        } else {
            Phase::Parts(Parts {
                parts: Arc::new(halves),
                complements: false,
                at: 0,
                since: 0,
            })
        };
    }
}

/// Returns the position that cuts a range of two or more elements into two sides of most similar
/// weight.
pub(super) fn halfway(before: &[u64], range: Range<u32>) -> u32 {
    let (start, end) = (range.start as usize, range.end as usize);
    let twice = before[start] + before[end];
    let over = start + 1 + before[start + 1..end].partition_point(|&sum| 2 * sum < twice);
    let miss = |cut: usize| (2 * before[cut]).abs_diff(twice);
    let cut = if over > start + 1 && (over >= end || miss(over - 1) <= miss(over)) {
        over - 1
    } else {
        over
    };
    cut as u32
}

impl Parts {
    fn probe(&self, left: &Configuration) -> Removal {
        let part = self.parts[self.at].clone();
        let positions = left.position(part.start)..left.position(part.end);
        if self.complements {
            left.without(positions)
        } else {
            left.only(positions)
        }
    }
}

impl NamedMinimizer for WeightedDdmin {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "weighted-ddmin",
        "ddmin with parts of equal weight instead of equal length",
        "Zhou, Xu, Zhang, Tian, Sun: WDD: Weighted Delta Debugging, ICSE 2025",
    )
    .one_minimal();

    type Options = NoOptions;

    fn begin(shape: &ListShape, _: &NoOptions) -> Self {
        WeightedDdmin::new(shape)
    }
}

impl ListMinimizer for WeightedDdmin {
    fn next(&mut self) -> Option<Removal> {
        match &self.phase {
            Phase::Parts(parts) => Some(parts.probe(&self.left)),
            Phase::Singles(singles) => singles.next(),
        }
    }

    fn record(&mut self, fails: bool) {
        let state = match &mut self.phase {
            Phase::Parts(state) => state,
            Phase::Singles(singles) => {
                if singles.next().is_some() {
                    singles.record(fails);
                }
                return;
            }
        };
        if fails {
            self.left.adopt(&state.probe(&self.left));
        }
        if !state.complements {
            let part = state.parts[state.at].clone();
            state.at += 1;
            if fails {
                self.cut(&[part]);
            } else if state.at == state.parts.len() {
                if state.parts.len() == 2 {
                    let parts = Arc::clone(&state.parts);
                    self.cut(&parts);
                } else {
                    state.complements = true;
                    state.at = 0;
                }
            }
            return;
        }
        if fails {
            Arc::make_mut(&mut state.parts).remove(state.at);
            state.since = 0;
        } else {
            state.at += 1;
            state.since += 1;
        }
        if state.at >= state.parts.len() {
            state.at = 0;
        }
        if state.since >= state.parts.len() || state.parts.len() == 1 {
            let parts = Arc::clone(&state.parts);
            self.cut(&parts);
        }
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_of_both_sides_of_the_cut_differ_least() {
        let cut = |weights: &[u64]| {
            let mut before = vec![0];
            weights
                .iter()
                .for_each(|w| before.push(before[before.len() - 1] + w));
            let end = weights.len() as u32;
            let cut = halfway(&before, 0..end);
            let miss = |cut: u32| (2 * before[cut as usize]).abs_diff(before[end as usize]);
            assert!(
                (1..end).all(|other| miss(cut) <= miss(other)),
                "{weights:?} {cut}"
            );
            cut
        };
        assert_eq!(cut(&[1, 1, 1, 1]), 2);
        assert_eq!(cut(&[9, 1, 1, 1]), 1);
        assert_eq!(cut(&[1, 1, 1, 9]), 3);
        assert_eq!(cut(&[0, 0, 0]), 1);
        assert_eq!(cut(&[5, 1, 7, 2, 2]), 2);
        cut(&[1, 2, 3, 4, 5, 6]);
        cut(&[3, 3]);
    }
}
