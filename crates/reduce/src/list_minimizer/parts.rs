use super::Configuration;
use std::ops::Range;

/// Large parts of a list of about the same weight, each of which is tried once: halves as long as
/// one of them can be removed, then quarters, and smaller parts as long as one of a size goes.
///
/// This is the beginning of a search. Delta debugging goes on like this to single elements (Zeller,
/// Hildebrandt: Simplifying and Isolating Failure-Inducing Input, 2002), but a part that stays then
/// costs two tests for each size, where a binary search costs one.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// The elements of the parts to try, the next one last.
    to_try: Vec<Range<u32>>,
    /// The parts of this size that could not be removed, the one tried last at the end.
    stayed: Vec<Range<u32>>,
    /// Whether a part of this size was removed.
    has_gone: bool,
    are_halves: bool,
}

/// What is left of a list.
pub(super) struct Left<'a> {
    pub(super) elements: &'a Configuration,
    /// The weight of each element of the whole list.
    pub(super) weights: &'a [u32],
    /// Whether the first part to try is at the front of the list.
    pub(super) forward: bool,
}

impl Parts {
    /// Begins with the halves of a list, if it has more than two elements.
    pub(super) fn of(left: &Left<'_>) -> Option<Parts> {
        let len = left.elements.len();
        (len > 2).then(|| Parts {
            to_try: left.divided(&(0..len)).into(),
            stayed: vec![],
            has_gone: false,
            are_halves: true,
        })
    }

    /// Returns the positions of the part to try.
    pub(super) fn next(&self, left: &Left<'_>) -> Range<u32> {
        let part = self.to_try.last().cloned();
        part.map_or(0..0, |part| left.positions(&part))
    }

    /// Records that the part to try was removed, with what is left without it, or that it stayed.
    /// Returns the parts to try now.
    pub(super) fn record(mut self, fails: bool, left: &Left<'_>) -> Option<Parts> {
        let part = self.to_try.pop()?;
        if fails {
            self.has_gone = true;
        } else {
            self.stayed.push(part);
        }
        if self.are_halves && self.has_gone {
            return Parts::of(left);
        }
        if self.to_try.is_empty() && (self.are_halves || self.has_gone) {
            let positions = self.stayed.iter().rev().map(|part| left.positions(part));
            let several = positions.filter(|part| part.len() > 1);
            self = Parts {
                to_try: several.flat_map(|part| left.divided(&part)).collect(),
                stayed: vec![],
                has_gone: false,
                are_halves: false,
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
    fn divided(&self, positions: &Range<u32>) -> [Range<u32>; 2] {
        let inwards = |distance: u32| match self.forward {
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
        let at = match self.forward {
            true => positions.start + size,
            false => positions.end - size,
        };
        let lower = self.before(positions.start)..self.before(at);
        let upper = lower.end..self.before(positions.end);
        if self.forward {
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

    /// The elements of each part that was tried in a list of equal weights.
    fn tried(len: u32, forward: bool, needed: &[u32]) -> Vec<Vec<u32>> {
        let weights = vec![1; len as usize];
        let mut elements = Configuration::new(len);
        let mut tried = vec![];
        let mut parts = Parts::of(&left(&elements, &weights, forward));
        while let Some(now) = parts {
            let positions = now.next(&left(&elements, &weights, forward));
            let part: Vec<u32> = positions.clone().map(|at| elements.element(at)).collect();
            let fails = !part.iter().any(|element| needed.contains(element));
            if fails {
                elements.remove(positions);
            }
            tried.push(part);
            parts = now.record(fails, &left(&elements, &weights, forward));
        }
        tried
    }

    #[test]
    fn halves_are_tried_as_long_as_one_can_be_removed() {
        let expected: [&[u32]; 4] = [&[4, 5, 6, 7], &[0, 1, 2, 3], &[6, 7], &[4, 5]];
        assert_eq!(tried(8, false, &[5]), expected[..3]);
        assert_eq!(tried(8, false, &[7]), expected);
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
        // The quarters in the middle go, and then the halves of the others are tried.
        let more: [&[u32]; 4] = [&[7], &[6], &[1], &[0]];
        assert_eq!(tried(8, false, &[0, 7]), [&expected[..], &more].concat());
    }

    #[test]
    fn the_first_part_is_where_the_sweep_begins() {
        let expected: [&[u32]; 3] = [&[0, 1, 2, 3], &[4, 5, 6, 7], &[0, 1]];
        assert_eq!(tried(8, true, &[0, 7])[..3], expected);
    }

    #[test]
    fn what_is_left_is_never_tried_as_a_whole() {
        for len in 0..20 {
            let sizes = tried(len, false, &[]);
            assert!(sizes.iter().map(Vec::len).sum::<usize>() < len.max(1) as usize);
        }
    }
}
