//! The sites of choices in a generator, and the alignment of choices with their sites.

use super::tree::slice;
use nubbin_choices::{Choice, Kind, Label, Replay, Run, Value};
use std::sync::Arc;

/// The kind of thing in which a choice was made, and the number of the choice in that thing.
///
/// All elements of a list have the same sites, so a site does not change when an element is
/// removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Site {
    label: Option<Label>,
    number: u32,
}

/// Returns the sites of all choices of a run.
fn sites(run: &Run) -> Vec<Site> {
    // The stack of spans that are open at a choice, with the number of choices of each span itself.
    let mut open: Vec<(usize, u32)> = vec![];
    let (mut next, mut outside) = (0, 0);
    let site = |at: u32| {
        let is_over = |&(span, _): &(usize, u32)| run.spans.get(span).is_none_or(|s| s.end <= at);
        while open.last().is_some_and(is_over) {
            open.pop();
        }
        while let Some(span) = run.spans.get(next).filter(|span| span.start <= at) {
            if span.end > at {
                open.push((next, 0));
            }
            next += 1;
        }
        let (label, number) = match open.last_mut() {
            Some((span, number)) => (run.spans.get(*span).map(|span| span.label), number),
            None => (None, &mut outside),
        };
        *number += 1;
        Site {
            label,
            number: *number,
        }
    };
    (0..run.choices.len() as u32).map(site).collect()
}

/// The limit on the choices that are dropped or filled in to align one sequence.
const MENDED: usize = 16;

/// A value with the question that it answered, and its site.
struct Answer {
    value: Value,
    kind: Kind,
    site: Site,
}

impl Answer {
    fn suits(&self, choice: Option<&Choice>, site: Option<&Site>) -> bool {
        let is_alike = |choice: &Choice| {
            std::mem::discriminant(&choice.kind) == std::mem::discriminant(&self.kind)
        };
        choice.is_some_and(is_alike) && site == Some(&self.site)
    }
}

/// Returns the run without the choices from `start` to `end`, with later choices moved back to
/// their sites.
///
/// A question at another site gets the simplest answer, and an answer whose site does not occur is
/// dropped. The next choice decides between the two cases. The alignment takes at most 16 such
/// steps, each of which costs a replay.
pub(super) fn without(
    run: &Run,
    start: usize,
    end: usize,
    replay: &dyn Replay,
) -> Option<Arc<Run>> {
    let sites_before = sites(run);
    let answer = |(choice, &site): (&Choice, &Site)| Answer {
        value: choice.value.clone(),
        kind: choice.kind.clone(),
        site,
    };
    let both = run.choices.iter().zip(&sites_before).enumerate();
    let kept = both.filter(|(at, _)| !(start..end).contains(at));
    let mut answers: Vec<Answer> = kept.map(|(_, both)| answer(both)).collect();
    let values = slice(run, 0, start).chain(slice(run, end, run.choices.len()));
    let mut made = replay.replay(&values.collect::<Vec<_>>())?;
    for _ in 0..MENDED {
        let asked = sites(&made);
        let suits = |answer: usize, at: usize| {
            let answer = answers.get(answer);
            answer.is_some_and(|answer| answer.suits(made.choices.get(at), asked.get(at)))
        };
        let Some(at) = (0..answers.len()).find(|&at| !suits(at, at)) else {
            break;
        };
        let is_new = !suits(at + 1, at) && suits(at, at + 1);
        match (made.choices.get(at), asked.get(at)) {
            (Some(choice), Some(&site)) if is_new => {
                let (value, kind) = (Value::Simplest, choice.kind.clone());
                answers.insert(at, Answer { value, kind, site });
            }
            _ => {
                answers.remove(at);
            }
        }
        let values = answers.iter().map(|answer| answer.value.clone());
        made = replay.replay(&values.collect::<Vec<_>>())?;
    }
    Some(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_generate::{Choices, Function};

    /// Records of one kind, some of which have a color, and a last word.
    fn records() -> Function<impl Fn(&mut Choices) -> Vec<u8>> {
        Function::new(|choices: &mut Choices| {
            let records = choices.list(0..=9, |choices| match choices.choose(2, 0) {
                0 => "plain".to_owned(),
                _ => choices.span("color", |choices| {
                    format!("{}-{}", choices.integer(0..=9), choices.integer(0..=9))
                }),
            });
            format!("{records:?} {}", choices.integer(0..=9)).into_bytes()
        })
    }

    fn run(values: &[i64]) -> Arc<Run> {
        // The first choice of each element is its flag in the list.
        let values = values.iter().map(|&value| match value {
            -1 => Value::Boolean(true),
            -2 => Value::Boolean(false),
            value => Value::Integer(value),
        });
        records().replay(&values.collect::<Vec<_>>()).unwrap()
    }

    fn text(run: &Run) -> String {
        String::from_utf8(run.text.clone()).unwrap()
    }

    #[test]
    fn elements_have_the_same_sites() {
        let run = run(&[-1, 1, 3, 4, -1, 1, 5, 6, -2, 7]);
        assert_eq!(text(&run), r#"["3-4", "5-6"] 7"#);
        let sites = sites(&run);
        assert_eq!(sites[..4], sites[4..8]);
        assert!((0..4).all(|at| (0..at).all(|other| sites[at] != sites[other])));
        assert_ne!(sites[8], sites[9]);
    }

    #[test]
    fn answers_return_to_their_sites() {
        let before = run(&[-1, 1, 3, 4, -1, 0, -1, 1, 5, 6, -2, 7]);
        assert_eq!(text(&before), r#"["3-4", "plain", "5-6"] 7"#);
        for (start, end, expected) in [
            // An element is removed: the rest is aligned.
            (0, 4, r#"["plain", "5-6"] 7"#),
            // A number is removed: the generator still asks for it, and the next choice answers
            // this question.
            (2, 3, r#"["0-4", "plain", "5-6"] 7"#),
            // Both numbers are removed: the alignment does not recognize two consecutive questions
            // without answers as new, and drops answers until one fits.
            (2, 4, r#"["5-6"] 7"#),
        ] {
            let made = without(&before, start, end, &records()).unwrap();
            assert_eq!(text(&made), expected, "without {start} to {end}");
        }
    }

    #[test]
    fn every_deletion_makes_a_run_and_ends() {
        let before = run(&[-1, 1, 3, 4, -1, 0, -1, 1, 5, 6, -2, 7]);
        let count = before.choices.len();
        for start in 0..count {
            for end in start..=count + 1 {
                assert!(without(&before, start, end, &records()).is_some());
            }
        }
    }
}
