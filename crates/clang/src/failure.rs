//! The error or warning that counts as the failure of a text, and the positions that lead to it.

use crate::message;
use crate::sort::sort_of;
use crate::unit::Complaint;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Parts of the notes by which clang says where it came from to an error.
const STEPS: [&str; 4] = [
    " requested here",
    " required here",
    "in instantiation of ",
    "while substituting ",
];

/// The minimum number of words that a message must share with the words for which a test searches.
const COMMON: usize = 2;

/// The number of lines after a clang error in which others may have it.
const LINES: usize = 3;

/// The beginnings of notes about the code of a function that is called.
const CALLS: [&str; 2] = [
    "in instantiation of function",
    "in instantiation of member function",
];

/// The clang error or warning that is closest to the positions of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Whether the failure is an error, and not a warning.
    pub(crate) is_error: bool,
    /// The kind of message, by [`sort_of`].
    pub(crate) sort: String,
    /// The offsets of the error, of the steps to it, and, if the error is not at an error of the
    /// other compiler, of the errors of the other compiler.
    pub(crate) trail: Vec<u32>,
    /// The offsets of all errors that pass through a position of the failure.
    pub(crate) others: FxHashSet<u32>,
}

impl Failure {
    /// Finds the failure among the errors of a text. `errors` are the positions of errors that
    /// another compiler printed, and `places` are these positions and the steps to them. Columns
    /// differ between compilers, so lines are compared. `words` are searched for by the test.
    ///
    /// The first error at a line of an error is preferred, then one closely before it, and then one
    /// that comes through more of the lines than others. Other messages at the lines of errors are
    /// part of the failure if they have more of the words.
    pub(crate) fn find(
        complaints: &[Complaint],
        (errors, places): (&[Range<u32>], &[Range<u32>]),
        words: &[String],
        text: &[u8],
    ) -> Option<Self> {
        let ends: Vec<u32> = (0..)
            .zip(text)
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(at, _)| at)
            .collect();
        let line = |at: u32| ends.partition_point(|end| *end < at);
        let lines = |places: &[Range<u32>]| -> FxHashSet<usize> {
            places.iter().map(|place| line(place.start)).collect()
        };
        let (own, lines) = (lines(errors), lines(places));
        // Clang reports the start of an expression. Other compilers report an operator in it.
        let behind = |at: u32| (0..=LINES).find(|behind| own.contains(&(line(at) + behind)));
        let mut others = FxHashSet::default();
        let mut best: Option<(usize, &Complaint, Vec<u32>)> = None;
        for error in complaints {
            let Some(at) = error.at else {
                continue;
            };
            let mut trail = trail(error, at);
            let through: FxHashSet<usize> = trail.iter().map(|at| line(*at)).collect();
            let met = through.intersection(&lines).count();
            let behind = behind(at);
            let worth = match (behind, error.is_error) {
                (Some(behind), true) => usize::MAX - behind,
                (Some(behind), false) => usize::MAX - LINES - 1 - behind,
                (None, true) => met,
                (None, false) => continue,
            };
            if met > 0 && error.is_error {
                others.insert(at);
            }
            if behind.is_none() {
                // Clang does not report the error, or reports it at another position.
                trail.extend(errors.iter().map(|place| place.start));
            }
            let is_near = behind.is_some() || met > 0;
            if is_near && best.as_ref().is_none_or(|(most, ..)| worth > *most) {
                best = Some((worth, error, trail));
            }
        }
        let (_, first, trail) = best?;
        let mut failure = Failure::of(first, trail, others);
        let near = complaints
            .iter()
            .filter(|it| it.at.and_then(behind).is_some());
        failure.cover(first, near, words);
        Some(failure)
    }

    /// Finds the error or warning with the largest number of searched words. An error is preferred
    /// to a warning, then a message whose notes have more of the words, and then the first of
    /// several. Other messages are part of the failure if they have more of the words. Returns
    /// `None` if no message has two of the words, since a single word, such as *error*, may be in
    /// any message.
    pub(crate) fn asked_for(complaints: &[Complaint], words: &[String]) -> Option<Self> {
        let mut best: Option<((usize, bool, usize), &Complaint, u32)> = None;
        for complaint in complaints {
            let Some(at) = complaint.at else {
                continue;
            };
            let common = |of: &FxHashSet<&str>| {
                let common = words.iter().filter(|word| of.contains(word.as_str()));
                common.count()
            };
            let (own, all) = (words_of(complaint), words_with_notes(complaint));
            let worth = (common(&own), complaint.is_error, common(&all));
            if worth.0 >= COMMON && best.is_none_or(|(most, ..)| worth > most) {
                best = Some((worth, complaint, at));
            }
        }
        let (_, first, at) = best?;
        let mut failure = Failure::of(first, trail(first, at), FxHashSet::default());
        failure.cover(first, complaints.iter(), words);
        Some(failure)
    }

    fn of(complaint: &Complaint, trail: Vec<u32>, others: FxHashSet<u32>) -> Self {
        Failure {
            is_error: complaint.is_error,
            sort: sort_of(&complaint.message),
            trail,
            others,
        }
    }

    /// Adds the places of the messages that have at least two of the words that those before them
    /// lack. A test that searches for the words of several messages needs them all.
    fn cover<'c>(
        &mut self,
        first: &'c Complaint,
        all: impl Iterator<Item = &'c Complaint> + Clone,
        words: &[String],
    ) {
        let mut left: FxHashSet<&str> = words.iter().map(String::as_str).collect();
        let mut next = Some(first);
        while let Some(complaint) = next {
            for word in words_of(complaint) {
                left.remove(word);
            }
            // A test that searches for a reason, such as a constraint, needs the candidates.
            if complaint.notes.iter().any(|note| gives_reason(note, &left)) {
                let reasons = complaint.notes.iter().filter_map(|note| note.at);
                self.trail.extend(reasons);
            }
            for word in words_with_notes(complaint) {
                left.remove(word);
            }
            self.is_error |= complaint.is_error;
            let worth = |it: &Complaint| words_of(it).intersection(&left).count();
            next = all
                .clone()
                .map(|it| (worth(it), it))
                .filter(|(worth, _)| *worth >= COMMON)
                .reduce(|best, it| if it.0 > best.0 { it } else { best })
                .map(|(_, it)| it);
            let found = next.and_then(|it| Some(trail(it, it.at?)));
            self.trail.extend(found.into_iter().flatten());
        }
    }

    /// Returns whether an error of a slice describes an error of the whole text in other words. If
    /// functions are missing, a call that fits no function may fit one whose code has errors.
    pub(crate) fn explains(&self, error: &Complaint, origin: impl Fn(u32) -> u32) -> bool {
        let is_known = |it: &Complaint| it.at.is_some_and(|at| self.others.contains(&origin(at)));
        let is_call = |it: &Complaint| CALLS.iter().any(|call| it.message.starts_with(call));
        is_known(error) || error.notes.iter().any(|it| is_call(it) && is_known(it))
    }

    /// Returns the positions of the trail as parts of the text.
    pub(crate) fn places(&self) -> Vec<Range<u32>> {
        self.trail.iter().map(|&at| at..at + 1).collect()
    }
}

/// Returns the words of a message and of the option that enables it.
fn words_of(complaint: &Complaint) -> FxHashSet<&str> {
    message::words(&complaint.message)
        .chain(message::words(&complaint.option))
        .collect()
}

/// Returns the words of a message, of its option, and of its notes. GCC writes the types of a
/// template in the message, and clang in a note.
fn words_with_notes(complaint: &Complaint) -> FxHashSet<&str> {
    let notes = complaint.notes.iter();
    let notes = notes.flat_map(|note| message::words(&note.message));
    words_of(complaint).into_iter().chain(notes).collect()
}

/// Returns whether a note other than a step has one of the names.
fn gives_reason(note: &Complaint, words: &FxHashSet<&str>) -> bool {
    // A word of the language may be in any note.
    let is_name = |word: &&str| word.contains('_') && words.contains(word);
    !is_step(note) && words_of(note).iter().any(is_name)
}

fn is_step(note: &Complaint) -> bool {
    STEPS.iter().any(|step| note.message.contains(step))
}

/// Returns the offset of a message and the offsets of the steps to it.
fn trail(complaint: &Complaint, at: u32) -> Vec<u32> {
    let steps = complaint.notes.iter().filter(|note| is_step(note));
    let steps = steps.filter_map(|note| note.at);
    std::iter::once(at).chain(steps).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(message: &str, at: u32, notes: Vec<Complaint>) -> Complaint {
        Complaint {
            message: message.to_owned(),
            is_error: !message.starts_with("in "),
            option: String::new(),
            at: Some(at),
            notes,
        }
    }

    #[test]
    fn the_error_at_a_line_of_the_failure_is_preferred_to_one_that_passes_it() {
        let text = b"one\ntwo\n\n\n\n\nthree\n";
        let step = |at| complaint("in instantiation of 'f' requested here", at, vec![]);
        let complaints = [
            complaint("no member", 0, vec![step(13)]),
            complaint("assertion 'a<b>' failed", 5, vec![step(13)]),
        ];
        let places = [4..5, 12..13];
        let failure = Failure::find(&complaints, (&places, &places), &[], text).unwrap();
        assert_eq!(failure.sort, "assertion a failed");
        assert_eq!(failure.places(), [5..6, 13..14]);
        let last = Failure::find(&complaints, (&places[1..], &places), &[], text).unwrap();
        assert_eq!(last.sort, "assertion a failed");
        let last = Failure::find(&complaints, (&places[1..], &places[1..]), &[], text).unwrap();
        assert_eq!(last.sort, "no member");
        assert_eq!(last.trail, [0, 13, 12]);
        assert_eq!(Failure::find(&complaints, (&[], &[]), &[], text), None);
    }

    #[test]
    fn the_message_with_the_words_of_the_test_is_the_failure() {
        let complaints = [
            complaint("unknown type name 'x'", 3, vec![]),
            complaint("call to deleted function 'f'", 7, vec![]),
            Complaint {
                is_error: false,
                option: "-Wunused-value".to_owned(),
                ..complaint("expression result unused", 9, vec![])
            },
        ];
        let find = |words: &[&str], complaints: &[Complaint]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            let found = Failure::asked_for(complaints, &words);
            found.map(|failure| failure.trail[0])
        };
        assert_eq!(find(&["deleted", "function"], &complaints), Some(7));
        assert_eq!(find(&["Wunused", "value"], &complaints), Some(9));
        assert_eq!(find(&["other"], &complaints), None);
    }

    #[test]
    fn all_messages_with_words_of_the_test_are_the_failure() {
        let warning = |option: &str, at| Complaint {
            is_error: false,
            option: option.to_owned(),
            ..complaint("warning", at, vec![])
        };
        let text = b"f(int a);\nb < c;\nd;\n\n\n\n\n\ne;\n";
        let complaints = [
            warning("-Wunused-parameter", 2),
            warning("-Wsign-compare", 10),
            warning("-Wunused-value", 17),
            warning("-Wsign-compare", 24),
        ];
        let errors = [2..3, 10..11, 17..18];
        let words = ["Wunused", "parameter", "Wsign", "compare"].map(str::to_owned);
        let at_errors = |words: &[String]| {
            let failure = Failure::find(&complaints, (&errors, &errors), words, text);
            failure.map(|failure| failure.trail)
        };
        assert_eq!(at_errors(&[]), Some(vec![2]));
        assert_eq!(at_errors(&words), Some(vec![2, 10]));
        let asked_for = |words: &[String]| {
            let failure = Failure::asked_for(&complaints, words);
            failure.map(|failure| failure.trail)
        };
        assert_eq!(asked_for(&words), Some(vec![2, 10]));
        assert_eq!(asked_for(&words[..2]), Some(vec![2]));
    }

    #[test]
    fn the_message_whose_notes_have_more_of_the_words_is_the_failure() {
        let note = |of: &str| complaint(&format!("in instantiation of '{of}' here"), 1, vec![]);
        let at = |at, of: &str| Complaint {
            is_error: false,
            ..complaint("comparison of different signs", at, vec![note(of)])
        };
        let complaints = [
            at(3, "f<long>"),
            at(7, "Cache<basic_string>"),
            at(9, "f<int>"),
        ];
        let words = ["comparison", "different", "signedness", "basic_string"].map(str::to_owned);
        let found = Failure::asked_for(&complaints, &words).unwrap();
        assert_eq!(found.trail[0], 7);
        // The notes have the words of the other messages, so these are no part of the failure.
        let complaints = [
            at(7, "f<Cache, basic_string>"),
            Complaint {
                is_error: false,
                ..complaint("unused 'Cache<basic_string>'", 20, vec![])
            },
        ];
        let words = ["comparison", "different", "Cache", "basic_string"].map(str::to_owned);
        let found = Failure::asked_for(&complaints, &words).unwrap();
        assert!(!found.trail.contains(&20), "{:?}", found.trail);
    }

    #[test]
    fn notes_are_part_of_the_failure_if_a_test_searches_for_their_names() {
        let notes = vec![
            complaint(
                "candidate template ignored: constraints not satisfied",
                20,
                vec![],
            ),
            complaint(
                "because 'list' does not satisfy 'random_access_iterator'",
                30,
                vec![],
            ),
        ];
        let complaints = [complaint(
            "no matching function for call to 'sort_fn'",
            3,
            notes,
        )];
        let trail = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            Failure::asked_for(&complaints, &words).map(|failure| failure.trail)
        };
        assert_eq!(trail(&["matching", "sort_fn"]), Some(vec![3]));
        assert_eq!(trail(&["matching", "sort_fn", "satisfied"]), Some(vec![3]));
        let reason = ["matching", "sort_fn", "random_access_iterator"];
        assert_eq!(trail(&reason), Some(vec![3, 20, 30]));
    }

    #[test]
    fn a_failure_with_an_error_is_not_a_warning() {
        let at = |message: &str, at| complaint(message, at, vec![]);
        let complaints = [
            at("in the declared unused parameter", 2),
            at("no member", 10),
            at("in the unused value", 17),
        ];
        let is_error = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            Failure::asked_for(&complaints, &words).map(|failure| failure.is_error)
        };
        assert_eq!(is_error(&["declared", "unused", "parameter"]), Some(false));
        let words = ["declared", "unused", "parameter", "no", "member"];
        assert_eq!(is_error(&words), Some(true));
    }

    #[test]
    fn an_error_closely_before_the_place_of_another_compiler_is_the_failure() {
        // GCC reports the end of a call over several lines, and Clang its start.
        let text = b"X x(1,\n  2,\n  helper(3));\n";
        let complaints = [complaint("no matching constructor", 2, vec![])];
        let place = 19..20;
        let places = std::slice::from_ref(&place);
        let failure = Failure::find(&complaints, (places, places), &[], text).unwrap();
        assert_eq!(failure.trail, [2]);
    }
}
