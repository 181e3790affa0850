use super::Units;
use nubbin_edit::{Edit, Splice};
use std::ops::Range;
use std::sync::Arc;

/// The units of several lists as the units of one list.
#[derive(Clone)]
pub(super) struct Joined {
    /// The lists, each with the number of its first unit.
    parts: Arc<[(u32, Arc<dyn Units>)]>,
}

impl Joined {
    /// Joins lists whose units are in different parts of the input.
    pub(super) fn new(lists: impl IntoIterator<Item = Arc<dyn Units>>) -> Self {
        let mut first = 0;
        let with_first = |units: Arc<dyn Units>| {
            let part = (first, units);
            first += part.1.len();
            part
        };
        Joined {
            parts: lists.into_iter().map(with_first).collect(),
        }
    }

    /// Returns the list that a unit is in.
    fn part(&self, unit: u32) -> usize {
        self.parts.partition_point(|(first, _)| *first <= unit) - 1
    }
}

impl Units for Joined {
    fn len(&self) -> u32 {
        self.parts
            .last()
            .map_or(0, |(first, units)| first + units.len())
    }

    fn weight(&self, unit: u32) -> u32 {
        let (first, units) = &self.parts[self.part(unit)];
        units.weight(unit - first)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let mut splices: Vec<Splice> = vec![];
        let mut inner: Vec<Range<u32>> = vec![];
        let mut rest = units.iter().filter(|range| !range.is_empty()).cloned();
        let mut next = rest.next();
        while let Some(range) = next.take() {
            let (first, list) = &self.parts[self.part(range.start)];
            let end = first + list.len();
            inner.push(range.start - first..range.end.min(end) - first);
            next = match range.end > end {
                true => Some(end..range.end),
                false => rest.next(),
            };
            if next.as_ref().is_none_or(|next| next.start >= end) {
                splices.extend(list.edit(&inner).splices().iter().cloned());
                inner.clear();
            }
        }
        Edit::new(splices).unwrap_or_else(|_| Edit::none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::Spans;
    use nubbin_edit::Span;
    use std::slice::from_ref;

    #[test]
    fn ranges_over_several_lists_are_divided() {
        let list = |of: Range<u32>| {
            let spans: Vec<Span> = of.map(|at| Span::new(at, at + 1)).collect();
            Arc::new(Spans::new(spans)) as Arc<dyn Units>
        };
        let joined = Joined::new([list(0..3), list(3..3), list(3..4), list(4..8)]);
        assert_eq!(joined.len(), 8);
        let left = |units: &[Range<u32>]| {
            let left = joined.edit(units).render(b"abcdefgh");
            String::from_utf8(left).unwrap()
        };
        assert_eq!(left(&[]), "abcdefgh");
        assert_eq!(left(from_ref(&(0..8))), "");
        assert_eq!(left(&[1..2, 3..6, 7..8]), "acg");
        assert_eq!(left(from_ref(&(2..4))), "abefgh");
        for unit in 0..8 {
            assert_eq!(joined.edit(from_ref(&(unit..unit + 1))).splices().len(), 1);
            assert_eq!(joined.weight(unit), 1);
        }
    }
}
