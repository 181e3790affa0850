use super::Removal;
use smallvec::smallvec;
use std::ops::Range;
use std::sync::Arc;

/// The remaining elements of a list: a *configuration*, in the terms of delta debugging.
///
/// Positions count the remaining elements (`0..len()`); elements keep their original number. The
/// remaining elements are stored as runs of consecutive elements, so a copy costs one reference
/// count, and one remaining block of a hundred million bytes takes a few words. Looking up a
/// position is logarithmic in the number of runs, and removal is linear in it.
///
/// ```
/// use nubbin_minimize::Configuration;
///
/// let mut left = Configuration::new(10);
/// left.remove(2..5);                       // positions 2, 3, 4
/// assert_eq!(left.len(), 7);
/// assert_eq!(left.element(2), 5);          // the third element now was the sixth
/// assert_eq!(left.cover(1..4), 1..7);      // one range of original numbers around them
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    runs: Arc<Vec<Run>>,
    len: u32,
}

/// A run of consecutive remaining elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// The original number of the first element of the run.
    first: u32,
    /// The position of the first element of the run.
    position: u32,
    /// The number of elements of the run.
    len: u32,
}

impl Configuration {
    /// Creates the configuration of all elements `0..n`.
    pub fn new(n: u32) -> Self {
        let runs = if n == 0 {
            vec![]
        } else {
            vec![Run {
                first: 0,
                position: 0,
                len: n,
            }]
        };
        Configuration {
            runs: Arc::new(runs),
            len: n,
        }
    }

    /// Returns the number of remaining elements.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Returns whether no element remains.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the original number of the element at a position.
    ///
    /// # Panics
    /// If `position >= len()`.
    pub fn element(&self, position: u32) -> u32 {
        assert!(position < self.len, "position {position} of {}", self.len);
        let run = self.runs[self.run_at(position)];
        run.first + (position - run.position)
    }

    /// Returns the number of remaining elements before an element. This is the position of the
    /// element if it remains.
    pub fn position(&self, element: u32) -> u32 {
        let after = self.runs.partition_point(|run| run.first <= element);
        match after.checked_sub(1).map(|i| self.runs[i]) {
            Some(run) => run.position + (element - run.first).min(run.len),
            None => 0,
        }
    }

    /// Returns whether an element remains.
    pub fn contains(&self, element: u32) -> bool {
        let after = self.runs.partition_point(|run| run.first <= element);
        after > 0 && {
            let run = self.runs[after - 1];
            element - run.first < run.len
        }
    }

    /// Returns the shortest range of original numbers that covers a range of positions. The range
    /// may also cover removed elements, but no other remaining elements. The range is empty for an
    /// empty range of positions.
    pub fn cover(&self, positions: Range<u32>) -> Range<u32> {
        if positions.is_empty() {
            return 0..0;
        }
        self.element(positions.start)..self.element(positions.end - 1) + 1
    }

    /// Returns the removal of the elements at the given positions.
    pub fn without(&self, positions: Range<u32>) -> Removal {
        let cover = self.cover(positions);
        Removal {
            remove: if cover.is_empty() {
                smallvec![]
            } else {
                smallvec![cover]
            },
        }
    }

    /// Returns the removal of all elements except the elements at the given positions.
    pub fn only(&self, positions: Range<u32>) -> Removal {
        let mut remove = smallvec![];
        let before = self.cover(0..positions.start);
        let after = self.cover(positions.end..self.len);
        if !before.is_empty() {
            remove.push(before);
        }
        if !after.is_empty() {
            remove.push(after);
        }
        Removal { remove }
    }

    /// Returns the remaining elements in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs
            .iter()
            .flat_map(|run| run.first..run.first + run.len)
    }

    /// Removes the elements at the given positions.
    pub fn remove(&mut self, positions: Range<u32>) {
        let cover = self.cover(positions);
        self.apply(&[cover]);
    }

    /// Removes the elements of an adopted removal.
    pub fn adopt(&mut self, probe: &Removal) {
        self.apply(&probe.remove);
    }

    fn run_at(&self, position: u32) -> usize {
        self.runs.partition_point(|run| run.position <= position) - 1
    }

    /// Removes sorted, disjoint ranges of original numbers in one pass over the runs.
    fn apply(&mut self, gone: &[Range<u32>]) {
        let mut runs: Vec<Run> = Vec::with_capacity(self.runs.len() + gone.len());
        let mut position = 0;
        let mut next_gone = 0;
        for run in self.runs.iter() {
            let (mut at, end) = (run.first, run.first + run.len);
            while at < end {
                while next_gone < gone.len() && gone[next_gone].end <= at {
                    next_gone += 1;
                }
                let cut = gone.get(next_gone).filter(|cut| cut.start < end);
                let keep_to = cut.map_or(end, |cut| cut.start.max(at));
                if keep_to > at {
                    runs.push(Run {
                        first: at,
                        position,
                        len: keep_to - at,
                    });
                    position += keep_to - at;
                }
                at = cut.map_or(end, |cut| cut.end);
            }
        }
        self.runs = Arc::new(runs);
        self.len = position;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keeping_a_middle_part_removes_both_sides() {
        let left = Configuration::new(9);
        assert_eq!(left.only(3..6).remove.as_slice(), &[0..3, 6..9]);
        assert_eq!(left.only(0..6), Removal::of(6..9));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn a_configuration_agrees_with_a_plain_list(n in 0u32..60, cuts in prop::collection::vec((0u32..60, 0u32..20), 0..12)) {
            let mut left = Configuration::new(n);
            let mut plain: Vec<u32> = (0..n).collect();
            for (start, len) in cuts {
                let start = start.min(left.len());
                let end = (start + len).min(left.len());
                left.remove(start..end);
                plain.drain(start as usize..end as usize);
                prop_assert_eq!(left.iter().collect::<Vec<_>>(), plain.clone());
                prop_assert_eq!(left.len() as usize, plain.len());
                for (position, &element) in plain.iter().enumerate() {
                    prop_assert_eq!(left.element(position as u32), element);
                    prop_assert_eq!(left.position(element), position as u32);
                }
                for element in 0..n {
                    prop_assert_eq!(left.contains(element), plain.contains(&element));
                    let before = plain.iter().filter(|&&e| e < element).count() as u32;
                    prop_assert_eq!(left.position(element), before);
                }
            }
        }
    }
}
