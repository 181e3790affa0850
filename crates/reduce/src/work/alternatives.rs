use crate::edit::Edit;
use crate::work::Machine;
use std::sync::Arc;

/// Places of a text, each with a few alternative edits.
///
/// The alternatives are computed when they are needed, so the cost of a table of places does not
/// include all their proposals.
pub trait Places: Send + Sync {
    /// The number of places.
    fn count(&self) -> usize;

    /// Returns an alternative for a place, counted from 0, the best first; `None` after the last.
    fn alternative(&self, place: usize, number: usize) -> Option<Edit>;
}

/// A machine that visits the places in order and tries the alternatives of each, until the first
/// one that is adopted.
///
/// Every search for a *value* has this form. A value that has been replaced once cannot be replaced
/// again by the same work, since the two edits would contradict each other. So the search in one
/// place starts at the best value and ends at the first success, instead of bisecting downwards
/// from the old value. Its cost is the number of alternatives up to that success.
///
/// ```
/// use nubbin_reduce::edit::Edit;
/// use nubbin_reduce::pass::{Alternatives, Places};
/// use nubbin_reduce::span::Span;
/// use nubbin_reduce::work::Machine;
///
/// struct EachDigit;
/// impl Places for EachDigit {
///     fn count(&self) -> usize {
///         2
///     }
///     fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
///         let text = ["0", "1"].get(number)?;
///         Some(Edit::replace(Span::new(place as u32, place as u32 + 1), text.as_bytes()))
///     }
/// }
///
/// let mut machine = Alternatives::new(EachDigit);
/// assert_eq!(machine.next().unwrap().render(b"79"), b"09");
/// machine.record(false);
/// assert_eq!(machine.next().unwrap().render(b"79"), b"19");
/// machine.record(true);
/// assert_eq!(machine.next().unwrap().render(b"79"), b"70");
/// ```
pub struct Alternatives<P> {
    places: Arc<P>,
    place: usize,
    number: usize,
}

impl<P: Places + 'static> Alternatives<P> {
    /// Makes a machine that visits the places in order.
    pub fn new(places: P) -> Self {
        Alternatives {
            places: Arc::new(places),
            place: 0,
            number: 0,
        }
    }
}

impl<P: Places + 'static> Machine for Alternatives<P> {
    fn next(&mut self) -> Option<Edit> {
        while self.place < self.places.count() {
            match self.places.alternative(self.place, self.number) {
                Some(edit) => return Some(edit),
                None => (self.place, self.number) = (self.place + 1, 0),
            }
        }
        None
    }

    fn record(&mut self, adopted: bool) {
        if adopted {
            (self.place, self.number) = (self.place + 1, 0);
        } else {
            self.number += 1;
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Alternatives {
            places: Arc::clone(&self.places),
            place: self.place,
            number: self.number,
        })
    }
}

/// Places with few enough alternatives to be stored.
impl Places for Vec<Vec<Edit>> {
    fn count(&self) -> usize {
        self.len()
    }

    fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
        self.get(place)?.get(number).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;

    #[test]
    fn a_place_ends_at_its_first_success_and_empty_places_are_skipped() {
        let delete = |at: u32| Edit::delete(Span::new(at, at + 1));
        let places = vec![vec![], vec![delete(0), delete(1)], vec![], vec![delete(2)]];
        let mut machine = Alternatives::new(places);
        assert_eq!(machine.next(), Some(delete(0)));
        assert_eq!(machine.next(), Some(delete(0)));
        let mut fork = machine.fork();
        machine.record(true);
        fork.record(false);
        assert_eq!(machine.next(), Some(delete(2)));
        assert_eq!(fork.next(), Some(delete(1)));
        machine.record(false);
        assert_eq!(machine.next(), None);
        assert_eq!(machine.next(), None);
    }
}
