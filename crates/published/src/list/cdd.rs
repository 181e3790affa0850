use super::probdd::{OPTIONS, PriorOptions, usable};
use nubbin_minimize::{ListMinimizer, ListShape, MinimizerInfo, NamedMinimizer, Removal};
use std::sync::Arc;

/// ProbDD without probabilities: a table of group sizes, one per round.
///
/// In ProbDD nearly all elements have the same estimate at a time, so the size of the next set
/// depends mainly on the number of times that its members could not be removed. In CDD it depends
/// only on that: round r cuts the elements that stayed in every round so far into groups of sᵣ, the
/// best size for a probability of p₀ / (1 − 1/e)ʳ, and tries to leave out each group. With p₀ = 0.1
/// the sizes are 10, 6, 3, 2, 1. An element that cannot be removed alone is not tried again.
///
/// CDD gives the results of [`Probdd`](crate::list::Probdd) with as many tests, and all its group
/// sizes are known beforehand. So it is the best of these algorithms for prefetching. Raise p₀ for
/// lists of which most elements must stay. Use `backward` if elements use earlier ones.
///
/// * *Cost:* with p₀ = 0.1, n/10 tests if no element is needed, and 2.1·n if all are.
/// * *Result:* not 1-minimal. The algorithm may test the empty list, once.
/// * *Source:* M. Zhang, Z. Xu, Y. Tian, X. Cheng, C. Sun, "Toward a Better Understanding of
///   Probabilistic Delta Debugging", ASE 2024 (arXiv 2408.04735).
/// * *Changed:* the empty list is not tested a second time.
///
/// ```
/// use nubbin_minimize::ListShape;
/// use nubbin_published::list::Cdd;
///
/// assert_eq!(Cdd::sizes(0.1), [10, 6, 3, 2, 1]);
///
/// let mut sizes = vec![];
/// let left = nubbin_minimize::drive(&mut Cdd::new(&ListShape::uniform(20)), 20, |kept| {
///     sizes.push(kept.len());
///     kept.contains(&3)
/// });
/// assert_eq!(left, [3]);
/// // Tens: the second is removed. Six and four: the four are removed. Threes: the first is removed,
/// // and without the second the list would be empty. Two and one: the one is removed. Singles:
/// // element 4 is removed.
/// assert_eq!(sizes, [10, 10, 4, 6, 3, 0, 1, 2, 1, 1]);
/// ```
#[derive(Clone, Debug)]
pub struct Cdd {
    len: u32,
    left: u32,
    p0: f64,
    backward: bool,
    round: u32,
    size: u32,
    /// The elements of this round.
    live: Arc<Vec<u32>>,
    at: usize,
    /// The elements of the next round.
    stayed: Arc<Vec<u32>>,
    empty_tested: bool,
}

impl Cdd {
    /// Starts the list minimizer on a list of the given shape, with default options.
    pub fn new(shape: &ListShape) -> Self {
        Self::with_options(shape, PriorOptions::default())
    }

    /// Starts the list minimizer on a list of the given shape, with the given options.
    pub fn with_options(shape: &ListShape, options: PriorOptions) -> Self {
        let mut machine = Cdd {
            len: shape.len,
            left: shape.len,
            p0: usable(options.p0),
            backward: options.backward,
            round: 0,
            size: size(usable(options.p0), 0),
            live: Arc::new((0..shape.len).collect()),
            at: 0,
            stayed: Arc::default(),
            empty_tested: false,
        };
        machine.settle();
        machine
    }

    /// Returns the group sizes of all rounds, without repetitions, down to 1.
    pub fn sizes(p0: f64) -> Vec<u32> {
        let mut sizes = vec![];
        for round in 0.. {
            let next = size(usable(p0), round);
            if sizes.last() != Some(&next) {
                sizes.push(next);
            }
            if next == 1 {
                break;
            }
        }
        sizes
    }

    fn group(&self) -> &[u32] {
        &self.live[self.at..(self.at + self.size as usize).min(self.live.len())]
    }

    /// Passes the group on to the next round, unless it is a single element.
    fn keep(&mut self) {
        let group = self.at..self.at + self.group().len();
        if group.len() > 1 {
            Arc::make_mut(&mut self.stayed).extend_from_slice(&self.live[group.clone()]);
        }
        self.at = group.end;
    }

    /// Goes on to the next group that may be tested, or to the end.
    fn settle(&mut self) {
        loop {
            if self.at == self.live.len() {
                if self.stayed.is_empty() {
                    return;
                }
                self.live = std::mem::take(&mut self.stayed);
                self.at = 0;
                self.round += 1;
                self.size = size(self.p0, self.round);
            }
            if !(self.empty_tested && self.group().len() == self.left as usize) {
                return;
            }
            self.keep();
        }
    }
}

/// Returns the group size s for which s·(1 − p)ˢ is greatest: the last s for which s·p does not
/// exceed one.
fn size(p0: f64, round: u32) -> u32 {
    let p = p0 / (1.0 - (-1.0_f64).exp()).powi(round as i32);
    (1.0 / p + 1e-9).clamp(1.0, f64::from(u32::MAX)) as u32
}

impl NamedMinimizer for Cdd {
    const INFO: MinimizerInfo = MinimizerInfo::new(
        "cdd",
        "ProbDD without probabilities: a table of group sizes, one per round",
        "Zhang, Xu, Tian, Cheng, Sun: Toward a Better Understanding of ProbDD, ASE 2024",
    )
    .with_options(OPTIONS);

    type Options = PriorOptions;

    fn begin(shape: &ListShape, options: &PriorOptions) -> Self {
        Cdd::with_options(shape, *options)
    }
}

impl ListMinimizer for Cdd {
    fn next(&mut self) -> Option<Removal> {
        let turn = |&element: &u32| {
            if self.backward {
                self.len - 1 - element
            } else {
                element
            }
        };
        (self.at < self.live.len()).then(|| Removal::of(self.group().iter().map(turn)))
    }

    fn record(&mut self, fails: bool) {
        if self.at == self.live.len() {
            return;
        }
        let group = self.group().len();
        self.empty_tested |= group == self.left as usize;
        if fails {
            self.left -= group as u32;
            self.at += group;
        } else {
            self.keep();
        }
        self.settle();
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_the_best_for_its_probability() {
        for round in 0..6 {
            for p0 in [0.001, 0.02, 0.1, 0.25, 0.3, 0.5] {
                let p: f64 = p0 / (1.0 - (-1.0_f64).exp()).powi(round);
                let gain = |s: u32| f64::from(s) * (1.0 - p.min(1.0)).powi(s as i32);
                let best = size(p0, round as u32);
                assert!(
                    (1..3000).all(|s| gain(s) <= gain(best) * (1.0 + 1e-9)),
                    "{p0} {round}"
                );
            }
        }
    }
}
