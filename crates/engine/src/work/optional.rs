use crate::work::{List, Units, Work};
use nubbin_edit::Edit;
use std::ops::Range;

/// Units that may all be removed.
///
/// A list minimizer never tests the empty list: for the lines of a file an empty list is rarely
/// useful, and the published algorithms do not test it. A list of *proposals* is different: often
/// all of them can be adopted, and the last one must not be left over because it is the last. So
/// there is an additional, empty unit at the front. Removing it changes nothing and costs no test,
/// and as long as it is there, the list is not empty.
///
/// ```
/// use nubbin_reduce::pass::Optional;
/// use nubbin_reduce::span::Span;
/// use nubbin_reduce::work::{List, Lists, Spans, Work};
///
/// let one = || Spans::new([Span::new(1, 2)]);
/// let first = |list| Work::List(list).start(&Lists::default()).next();
/// assert!(first(List::new(one())).is_none());
/// assert!(first(List::new(Optional(one()))).is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Optional<U>(pub U);

impl<U: Units> Units for Optional<U> {
    fn len(&self) -> u32 {
        match self.0.len() {
            0 => 0,
            len => len + 1,
        }
    }

    fn weight(&self, unit: u32) -> u32 {
        self.0.weight(unit.saturating_sub(1))
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let shifted = units
            .iter()
            .map(|range| range.start.saturating_sub(1)..range.end - 1);
        let real: Vec<Range<u32>> = shifted.filter(|range| !range.is_empty()).collect();
        if real.is_empty() {
            Edit::none()
        } else {
            self.0.edit(&real)
        }
    }
}

/// Returns the work on units that may all be removed.
pub fn optional(units: impl Units + 'static) -> Work {
    Work::List(List::new(Optional(units)))
}

/// Returns the work on units that may all be removed, with all units in the first test.
pub fn all_or_some(units: impl Units + 'static) -> Work {
    Work::List(List::new(Optional(units)).try_all())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{Lists, Spans};
    use nubbin_edit::Span;

    #[test]
    fn all_units_are_removed_where_possible() {
        for len in 1..9 {
            let units = Spans::new((0..len).map(|at| Span::new(at, at + 1)).collect::<Vec<_>>());
            let mut machine = optional(units).start(&Lists::default());
            let mut gone = Edit::none();
            while let Some(edit) = machine.next() {
                machine.record(!edit.is_none());
                gone = gone.combine(&edit).unwrap();
            }
            assert_eq!(gone, Edit::delete(Span::new(0, len)));
        }
    }

    #[test]
    fn the_additional_unit_changes_nothing() {
        assert!(Optional(Spans::new([])).is_empty());
        let one = Optional(Spans::new([Span::new(3, 7)]));
        assert_eq!((one.len(), one.weight(0), one.weight(1)), (2, 4, 4));
        assert!(one.edit(std::slice::from_ref(&(0..1))).is_none());
        assert_eq!(
            one.edit(std::slice::from_ref(&(0..2))),
            Edit::delete(Span::new(3, 7))
        );
    }
}
