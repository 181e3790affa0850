use crate::work::Machine;
use nubbin_edit::Edit;
use std::sync::Arc;

/// The locations in a text, each with a few alternative edits.
///
/// The alternatives are computed when they are needed, so the cost of a table of locations does not
/// include all their proposals.
pub trait Places: Send + Sync {
    /// Returns the number of places.
    fn count(&self) -> usize;

    /// Returns an alternative for a place, counted from 0. The best alternative comes first, and
    /// `None` follows the last.
    fn alternative(&self, place: usize, number: usize) -> Option<Edit>;
}

/// A machine that visits locations in order. At each location, it tries the alternatives until one
/// is adopted.
///
/// Every search for a *value* has this form. A value that has been replaced once cannot be replaced
/// again with the same work, since the two edits would contradict each other. So the search at one
/// location starts at the best value and ends at the first success, instead of bisecting downwards
/// from the old value. Its cost is the number of alternatives up to that success.
///
/// With [`Alternatives::together`], the best alternatives of many locations are tried in one test.
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
///
/// let mut machine = Alternatives::new(EachDigit).together();
/// assert_eq!(machine.next().unwrap().render(b"79"), b"00");
/// ```
pub struct Alternatives<P> {
    places: Arc<P>,
    place: usize,
    number: usize,
    /// The number of places whose best alternatives are proposed together.
    step: usize,
    /// Whether the best alternatives of several places are proposed together.
    is_together: bool,
    /// The number of places in a row whose best alternatives were adopted.
    streak: u32,
    /// The first place after the current step.
    end: usize,
}

/// The number of adoptions in a row after which several places are tried together.
const STREAK: u32 = 2;

impl<P: Places + 'static> Alternatives<P> {
    /// Creates a machine that visits the locations in order.
    pub fn new(places: P) -> Self {
        Alternatives {
            places: Arc::new(places),
            place: 0,
            number: 0,
            step: 1,
            is_together: false,
            streak: 0,
            end: 0,
        }
    }

    /// Returns the machine with joint proposals. The first proposal contains the best alternatives
    /// of all locations.
    ///
    /// After two locations in a row took their best alternatives, the next two locations are tried
    /// together, then four, and so on. After a failure, half of the locations are tried. The edits
    /// of different locations must not overlap.
    ///
    /// This costs one test if the locations need their texts, and about log₂ *n* tests instead of
    /// *n* if *n* locations in a row do not.
    #[must_use]
    pub fn together(mut self) -> Self {
        self.is_together = true;
        self.step = self.places.count().max(1);
        self
    }

    /// Returns the best alternatives of the next places as one edit, if there are several.
    fn several(&mut self) -> Option<Edit> {
        let mut splices = vec![];
        let mut found = 0;
        self.end = self.place;
        while self.end < self.places.count() && found < self.step {
            if let Some(edit) = self.places.alternative(self.end, 0) {
                splices.extend(edit.splices().iter().cloned());
                found += 1;
            }
            self.end += 1;
        }
        (found > 1).then(|| Edit::new(splices).ok()).flatten()
    }
}

impl<P: Places + 'static> Machine for Alternatives<P> {
    fn next(&mut self) -> Option<Edit> {
        if self.step > 1 {
            if let Some(edit) = self.several() {
                return Some(edit);
            }
            self.step = 1;
        }
        while self.place < self.places.count() {
            match self.places.alternative(self.place, self.number) {
                Some(edit) => return Some(edit),
                None => (self.place, self.number) = (self.place + 1, 0),
            }
        }
        None
    }

    fn record(&mut self, adopted: bool) {
        if self.step > 1 {
            let is_all = self.place == 0 && self.end == self.places.count();
            if adopted {
                (self.place, self.step) = (self.end, self.step * 2);
            } else {
                self.streak = 0;
                self.step = if is_all { 1 } else { self.step / 2 };
            }
            return;
        }
        if !adopted {
            self.streak = 0;
            self.number += 1;
            return;
        }
        self.streak = if self.number == 0 { self.streak + 1 } else { 0 };
        (self.place, self.number) = (self.place + 1, 0);
        if self.is_together && self.streak >= STREAK {
            self.step = 2;
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Alternatives {
            places: Arc::clone(&self.places),
            ..*self
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
    use nubbin_edit::Span;

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

    /// Returns the texts that are tried in place of `x`s by `a` or `b`, where the places in
    /// `needed` need a `b`, and those in `fixed` their `x`.
    fn tried(count: u32, needed: &[usize], fixed: &[usize]) -> Vec<String> {
        let alternatives =
            |at: u32| ["a", "b"].map(|by| Edit::replace(Span::new(at, at + 1), by.as_bytes()));
        let places: Vec<Vec<Edit>> = (0..count).map(|at| alternatives(at).into()).collect();
        let base = vec![b'x'; count as usize];
        let mut machine = Alternatives::new(places).together();
        let (mut applied, mut seen) = (Edit::none(), vec![]);
        while let Some(edit) = machine.next() {
            assert_eq!(machine.fork().next(), Some(edit.clone()));
            let all = applied.combine(&edit).unwrap();
            let text = all.render(&base);
            let is_wrong = |(at, byte): (usize, &u8)| {
                *byte == b'a' && needed.contains(&at) || *byte != b'x' && fixed.contains(&at)
            };
            let fails = !text.iter().enumerate().any(is_wrong);
            if fails {
                applied = all;
            }
            machine.record(fails);
            seen.push(String::from_utf8(text).unwrap());
        }
        let left = applied.render(&base);
        for (at, &byte) in left.iter().enumerate() {
            let wanted = match (fixed.contains(&at), needed.contains(&at)) {
                (true, _) => b'x',
                (_, true) => b'b',
                _ => b'a',
            };
            assert_eq!(byte, wanted, "{at}: {}", left.escape_ascii());
        }
        seen
    }

    #[test]
    fn the_best_alternatives_of_all_places_are_tried_at_once() {
        assert_eq!(tried(30, &[], &[]), ["a".repeat(30)]);
        assert_eq!(tried(1, &[], &[]), ["a"]);
        assert_eq!(tried(0, &[], &[]), [""; 0]);
    }

    #[test]
    fn places_in_a_row_are_taken_in_steps_that_double() {
        let of_one = tried(64, &[40], &[]).len();
        assert!(of_one < 24, "{of_one}");
        assert!(tried(64, &[40], &[3, 60]).len() < 40);
        let all: Vec<usize> = (0..64).collect();
        // Steps that double cost one test more than trying each location.
        assert_eq!(tried(64, &[], &all).len(), 2 * 64 + 1);
        assert_eq!(tried(64, &all, &[]).len(), 2 * 64 + 1);
        let odd: Vec<usize> = (0..64).filter(|at| at % 2 == 1).collect();
        assert_eq!(tried(64, &odd, &[]).len(), 32 + 2 * 32 + 1);
    }
}
