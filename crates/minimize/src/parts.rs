use super::{Configuration, Removal};
use std::ops::Range;

/// The number of halves after which few elements seem to be needed.
const SEVERAL: u32 = 2;

/// The large parts of a list, of about the same weight, each of which is tried once. Halves are
/// tried as long as one of them can be removed, then quarters, and then smaller parts as long as
/// one part of a size can be removed.
///
/// Once two halves are removed, few elements seem to be needed. If the next half is needed, the
/// other one is not tried by itself, but together with one half of the needed one, then with the
/// other half of it. The side that was needed last is tried last, since needed elements are often
/// at one end of the list.
///
/// This is the beginning of a search. Delta debugging continues like this to single elements
/// (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, 2002), but a needed part
/// then costs two tests for each size, where a binary search costs one.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// The elements of the parts to try, in reverse order.
    to_try: Vec<Range<u32>>,
    /// The elements of the parts that may be enough alone, in reverse order.
    alone: Vec<Range<u32>>,
    /// The parts of this size that could not be removed, in the order in which they were tried.
    stayed: Vec<Range<u32>>,
    /// Whether a part of this size was removed.
    has_gone: bool,
    halves: Option<Halves>,
}

#[derive(Clone, Copy, Debug)]
struct Halves {
    /// Whether the half at the front is tried first.
    forward: bool,
    /// The number of removed halves.
    removed_halves: u32,
}

/// The remaining elements of a list.
pub(super) struct Left<'a> {
    pub(super) elements: &'a Configuration,
    /// The weight of each element of the whole list.
    pub(super) weights: &'a [u32],
    /// Whether the first part to try is at the front of the list.
    pub(super) forward: bool,
}

impl Parts {
    /// Starts with the halves of a list. Returns `None` if the list has at most two elements.
    pub(super) fn of(left: &Left<'_>) -> Option<Parts> {
        let halves = Halves {
            forward: left.forward,
            removed_halves: 0,
        };
        Parts::halves(left, halves)
    }

    fn halves(left: &Left<'_>, halves: Halves) -> Option<Parts> {
        let len = left.elements.len();
        (len > 2).then(|| Parts {
            to_try: left.divided(&(0..len), halves.forward).into(),
            alone: vec![],
            stayed: vec![],
            has_gone: false,
            halves: Some(halves),
        })
    }

    /// Returns the next removal to test.
    pub(super) fn next(&self, left: &Left<'_>) -> Removal {
        match (self.alone.last(), self.to_try.last()) {
            (Some(part), _) => left.elements.only(left.positions(part)),
            (None, Some(part)) => left.elements.without(left.positions(part)),
            (None, None) => Removal::default(),
        }
    }

    /// Records the verdict of the last removal: it was adopted, with the remaining elements in
    /// `left`, or rejected. Returns the parts to try next.
    pub(super) fn record(mut self, fails: bool, left: &Left<'_>) -> Option<Parts> {
        let was_alone = self.alone.pop().is_some();
        if let Some(halves) = &mut self.halves {
            if was_alone {
                // After both halves were tried alone, the side to try first changes.
                halves.forward ^= self.alone.is_empty();
            }
            if fails {
                halves.removed_halves += 1;
                return Parts::halves(left, *halves);
            }
        }
        if was_alone {
            return Some(self);
        }
        let part = self.to_try.pop()?;
        if let (Some(halves), [_]) = (&mut self.halves, &self.to_try[..]) {
            let positions = left.positions(&part);
            halves.forward = !halves.forward;
            if halves.removed_halves >= SEVERAL && positions.len() > 1 {
                let [last, first] = left.divided(&positions, halves.forward);
                self.alone = vec![first, last];
            }
        }
        if fails {
            self.has_gone = true;
        } else {
            self.stayed.push(part);
        }
        if self.to_try.is_empty() && (self.halves.is_some() || self.has_gone) {
            self.stayed.sort_by_key(|part| part.start);
            if left.forward {
                self.stayed.reverse();
            }
            let positions = self.stayed.iter().map(|part| left.positions(part));
            let several = positions.filter(|part| part.len() > 1);
            self = Parts {
                to_try: several
                    .flat_map(|part| left.divided(&part, left.forward))
                    .collect(),
                alone: vec![],
                stayed: vec![],
                has_gone: false,
                halves: None,
            };
        }
        // The empty list is never tested.
        let all = 0..left.elements.len();
        self.to_try.retain(|part| left.positions(part) != all);
        (!self.to_try.is_empty()).then_some(self)
    }
}

impl Left<'_> {
    /// Returns the positions of a part.
    fn positions(&self, part: &Range<u32>) -> Range<u32> {
        self.elements.position(part.start)..self.elements.position(part.end)
    }

    /// Returns the weight of the element at a position. One without weight counts as one.
    fn weight(&self, position: u32) -> u64 {
        let weight = self.weights.get(self.elements.element(position) as usize);
        weight.map_or(1, |&weight| u64::from(weight).max(1))
    }

    /// Divides positions into two parts of about the same weight, the next one to try last.
    fn divided(&self, positions: &Range<u32>, forward: bool) -> [Range<u32>; 2] {
        let inwards = |distance: u32| match forward {
            true => positions.start + distance,
            false => positions.end - 1 - distance,
        };
        let len = positions.len() as u32;
        let total: u64 = (0..len).map(|at| self.weight(inwards(at))).sum();
        let mut weight = 0;
        let is_half = |&distance: &u32| {
            weight += self.weight(inwards(distance));
            2 * weight >= total
        };
        let heavy = (0..len).find(is_half).unwrap_or(0);
        let size = (heavy + 1).min(len.saturating_sub(1));
        let at = match forward {
            true => positions.start + size,
            false => positions.end - size,
        };
        let lower = self.before(positions.start)..self.before(at);
        let upper = lower.end..self.before(positions.end);
        if forward {
            [upper, lower]
        } else {
            [lower, upper]
        }
    }

    /// Returns a number that is above those of all elements before a position.
    fn before(&self, position: u32) -> u32 {
        match position.checked_sub(1) {
            Some(last) => self.elements.element(last) + 1,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left<'a>(elements: &'a Configuration, weights: &'a [u32], forward: bool) -> Left<'a> {
        Left {
            elements,
            weights,
            forward,
        }
    }

    /// Returns the elements that each test leaves out of a list of equal weights.
    fn tried(len: u32, forward: bool, needed: &[u32]) -> Vec<Vec<u32>> {
        let weights = vec![1; len as usize];
        let mut elements = Configuration::new(len);
        let mut tried = vec![];
        let mut parts = Parts::of(&left(&elements, &weights, forward));
        while let Some(now) = parts {
            let removal = now.next(&left(&elements, &weights, forward));
            let out: Vec<u32> = (removal.remove.iter().cloned().flatten())
                .filter(|&element| elements.contains(element))
                .collect();
            let fails = !out.iter().any(|element| needed.contains(element));
            if fails {
                elements.adopt(&removal);
            }
            tried.push(out);
            parts = now.record(fails, &left(&elements, &weights, forward));
        }
        tried
    }

    #[test]
    fn halves_are_tried_as_long_as_one_can_be_removed() {
        let expected: [&[u32]; 2] = [&[4, 5, 6, 7], &[2, 3]];
        assert_eq!(tried(8, false, &[0]), expected);
        // The side that was kept last is tried last.
        let expected: [&[u32]; 3] = [&[4, 5, 6, 7], &[0, 1, 2, 3], &[4, 5]];
        assert_eq!(tried(8, false, &[7]), expected);
    }

    #[test]
    fn after_two_halves_the_next_goes_with_a_quarter() {
        let expected: [&[u32]; 4] = [
            &[8, 9, 10, 11, 12, 13, 14, 15],
            &[4, 5, 6, 7],
            &[2, 3],
            &[0, 1, 2],
        ];
        assert_eq!(tried(16, false, &[3]), expected);
        let expected: [&[u32]; 2] = [&[0, 1, 2], &[0, 1, 3]];
        assert_eq!(tried(16, false, &[2])[3..], expected);
        // Elements in both halves are needed, so no quarter is enough.
        let expected: [&[u32]; 4] = [&[2, 3], &[0, 1, 2], &[0, 1, 3], &[0, 1]];
        assert_eq!(tried(16, false, &[1, 2])[2..6], expected);
    }

    #[test]
    fn one_element_takes_little_more_than_a_test_for_each_half() {
        let all: usize = (0..1024).map(|at| tried(1024, false, &[at]).len()).sum();
        // Nine halvings lead to two elements. Trying one half after the other would take 13.5
        // tests.
        assert_eq!(all, 11_836);
    }

    #[test]
    fn quarters_follow_and_smaller_parts_only_after_a_success() {
        let expected: [&[u32]; 6] = [
            &[4, 5, 6, 7],
            &[0, 1, 2, 3],
            &[6, 7],
            &[4, 5],
            &[2, 3],
            &[0, 1],
        ];
        assert_eq!(tried(8, false, &[0, 2, 4, 6]), expected);
        // The middle quarters are removed, and then the halves of the other quarters are tried.
        let more: [&[u32]; 4] = [&[7], &[6], &[1], &[0]];
        assert_eq!(tried(8, false, &[0, 7]), [&expected[..], &more].concat());
    }

    #[test]
    fn the_first_part_is_where_the_sweep_begins() {
        let expected: [&[u32]; 3] = [&[0, 1, 2, 3], &[4, 5, 6, 7], &[0, 1]];
        assert_eq!(tried(8, true, &[0, 7])[..3], expected);
    }

    #[test]
    fn the_remaining_elements_are_never_tried_as_a_whole() {
        for len in 0..20 {
            let sizes = tried(len, false, &[]);
            assert!(sizes.iter().map(Vec::len).sum::<usize>() < len.max(1) as usize);
        }
    }
}
