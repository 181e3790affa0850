use std::ops::Range;
use std::sync::Arc;

/// A set of changes, by their numbers: a *configuration* in the terms of delta debugging.
///
/// The set is stored as runs of consecutive numbers. A copy costs one reference count, and half of
/// a million changes take a few words. Every operation is linear in the number of runs.
///
/// ```
/// use nubbin_reduce::isolate::ChangeSet;
///
/// let all = ChangeSet::all(10);
/// let part = all.part(2..4);
/// let rest = all.minus(&part);
/// assert_eq!(rest.iter().collect::<Vec<_>>(), [0, 1, 4, 5, 6, 7, 8, 9]);
/// assert_eq!(rest.part(1..3).runs(), [1..2, 4..5]);          // the second and third of the rest
/// assert_eq!(rest.union(&part), all);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChangeSet {
    /// The runs of consecutive numbers: sorted, not adjacent, and not empty.
    runs: Arc<[Range<u32>]>,
    len: u32,
}

impl ChangeSet {
    /// Returns the empty set.
    pub fn none() -> Self {
        ChangeSet::of([])
    }

    /// Returns the set of all changes `0..n`.
    pub fn all(n: u32) -> Self {
        ChangeSet::of(std::iter::once(0..n))
    }

    /// Creates a set from sorted, disjoint runs, which may be empty or adjacent.
    fn of(runs: impl IntoIterator<Item = Range<u32>>) -> Self {
        let mut joined: Vec<Range<u32>> = Vec::new();
        let mut len = 0;
        for run in runs.into_iter().filter(|run| !run.is_empty()) {
            len += run.end - run.start;
            match joined.last_mut() {
                Some(last) if last.end == run.start => last.end = run.end,
                _ => joined.push(run),
            }
        }
        ChangeSet {
            runs: joined.into(),
            len,
        }
    }

    /// Returns the number of changes.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Returns whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the changes as sorted runs of consecutive numbers.
    pub fn runs(&self) -> &[Range<u32>] {
        &self.runs
    }

    /// Returns the changes in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs.iter().cloned().flatten()
    }

    /// Returns whether a change is in the set.
    pub fn contains(&self, change: u32) -> bool {
        let after = self.runs.partition_point(|run| run.start <= change);
        after > 0 && self.runs.get(after - 1).is_some_and(|r| change < r.end)
    }

    /// Returns the changes at the given positions. The first position is 0.
    pub fn part(&self, positions: Range<u32>) -> ChangeSet {
        let mut before = 0;
        ChangeSet::of(self.runs.iter().map(|run| {
            let at = |position: u32| (run.start + position.saturating_sub(before)).min(run.end);
            let part = at(positions.start)..at(positions.end);
            before += run.end - run.start;
            part
        }))
    }

    /// Returns the changes that are in either set.
    pub fn union(&self, other: &ChangeSet) -> ChangeSet {
        let mut ours = self.runs.iter().cloned().peekable();
        let mut theirs = other.runs.iter().cloned().peekable();
        let mut reached = 0;
        let merged = std::iter::from_fn(move || {
            let next = match (ours.peek(), theirs.peek()) {
                (Some(a), Some(b)) if b.start < a.start => theirs.next(),
                (Some(_), _) => ours.next(),
                (None, _) => theirs.next(),
            }?;
            let fresh = next.start.max(reached)..next.end.max(reached);
            reached = fresh.end;
            Some(fresh)
        });
        ChangeSet::of(merged)
    }

    /// Returns the changes that are not in the other set.
    pub fn minus(&self, other: &ChangeSet) -> ChangeSet {
        let mut left = Vec::with_capacity(self.runs.len() + other.runs.len());
        let mut holes = other.runs.iter().peekable();
        for run in self.runs.iter() {
            let mut at = run.start;
            while let Some(hole) = holes.peek() {
                if hole.start >= run.end {
                    break;
                }
                left.push(at..hole.start.max(at));
                at = at.max(hole.end);
                if hole.end > run.end {
                    // The hole may extend into the next run.
                    break;
                }
                holes.next();
            }
            left.push(at..run.end.max(at));
        }
        ChangeSet::of(left)
    }

    /// Returns whether all changes are in the other set.
    pub fn is_subset(&self, other: &ChangeSet) -> bool {
        self.minus(other).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(numbers: &BTreeSet<u32>) -> ChangeSet {
        ChangeSet::of(numbers.iter().map(|&n| n..n + 1))
    }

    fn numbers() -> impl Strategy<Value = BTreeSet<u32>> {
        proptest::collection::btree_set(0u32..24, 0..20)
    }

    proptest! {
        #[test]
        fn it_behaves_as_a_set(a in numbers(), b in numbers(), from in 0u32..25, len in 0u32..25) {
            let (left, right) = (set(&a), set(&b));
            prop_assert_eq!(left.len() as usize, a.len());
            prop_assert_eq!(left.union(&right), set(&a.union(&b).copied().collect()));
            prop_assert_eq!(left.minus(&right), set(&a.difference(&b).copied().collect()));
            prop_assert_eq!(left.is_subset(&right), a.is_subset(&b));
            let part = a.iter().copied().skip(from as usize).take(len as usize).collect();
            prop_assert_eq!(left.part(from..from + len), set(&part));
            for change in 0..25 {
                prop_assert_eq!(left.contains(change), a.contains(&change));
            }
            prop_assert!(left.iter().eq(a));
        }
    }
}
