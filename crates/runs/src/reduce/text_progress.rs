//! Converts events about choices to events about the texts that a generator generates from them.

use super::subject::Observe;
use nubbin_generate::nubbin_choices::Run;
use nubbin_reduce::edit::Edit;
use nubbin_reduce::engine::{Event, Statistics};
use nubbin_reduce::input::Input;
use nubbin_reduce::span::Span;
use std::collections::BTreeMap;

/// The texts of the events that were passed on so far.
#[derive(Default)]
pub(super) struct TextProgress {
    /// The text of the best choices.
    text: Vec<u8>,
    /// The number of these choices.
    choices: usize,
    /// Bytes of text that each pass removed: in all, and up to the last `PassEnded`.
    passes: BTreeMap<&'static str, (i64, i64)>,
}

impl TextProgress {
    fn removed(&mut self, pass: &'static str) -> &mut i64 {
        &mut self.passes.entry(pass).or_default().0
    }

    fn reported(&mut self, pass: &'static str) -> &mut i64 {
        &mut self.passes.entry(pass).or_default().1
    }

    fn removed_by(&self, pass: &str) -> i64 {
        self.passes.get(pass).map_or(0, |removed| removed.0)
    }

    /// Returns the same counts, with the sizes of texts.
    pub(super) fn statistics(&self, statistics: &Statistics, original: &Run) -> Statistics {
        let mut statistics = statistics.clone();
        statistics.bytes_before = original.text.len();
        statistics.bytes_now = self.text.len();
        for (pass, counts) in &mut statistics.passes {
            counts.bytes_removed = self.removed_by(pass);
        }
        statistics
    }

    /// Passes an event about choices on as one about their text. `text` has the text of the event's
    /// candidate, and the number of its choices.
    pub(super) fn pass_on(
        &mut self,
        (event, statistics): (&Event<'_>, &Statistics),
        text: Option<(&Input, usize)>,
        original: &Run,
        observe: Observe<'_>,
    ) {
        let tested = match (event, text) {
            (Event::Tested { pass, verdict, .. }, Some((input, choices))) => Some((
                Event::Tested {
                    pass,
                    verdict: *verdict,
                    input,
                    bytes: input.size(),
                },
                choices,
            )),
            (Event::Verified { verdict, .. }, Some((input, choices))) => Some((
                Event::Verified {
                    input,
                    verdict: *verdict,
                },
                choices,
            )),
            _ => None,
        };
        if let Some((event, choices)) = tested {
            return observe(
                &event,
                &self.statistics(statistics, original),
                Some(choices),
            );
        }
        let before = match text {
            Some((text, choices)) => {
                self.choices = choices;
                std::mem::replace(&mut self.text, text.bytes().to_vec())
            }
            None => vec![],
        };
        if let Event::Adopted { pass, .. } = event {
            *self.removed(pass) += before.len() as i64 - self.text.len() as i64;
        }
        let statistics = self.statistics(statistics, original);
        let change;
        let of_text = match (event, text.map(|(text, _)| text)) {
            (&Event::Started { first_test, .. }, Some(input)) => {
                Event::Started { input, first_test }
            }
            (Event::Adopted { pass, .. }, Some(input)) => {
                change = self::change(&before, input.bytes());
                Event::Adopted {
                    pass,
                    input,
                    edit: &change,
                    bytes_before: before.len(),
                }
            }
            (Event::RolledBack { .. }, Some(input)) => Event::RolledBack {
                input,
                bytes_before: before.len(),
            },
            (Event::Ended { ended, .. }, Some(input)) => Event::Ended { ended, input },
            (&Event::PassEnded { pass, run }, _) => {
                let removed = self.removed_by(pass);
                let bytes_removed = removed - std::mem::replace(self.reported(pass), removed);
                let mut run = run;
                run.bytes_removed = bytes_removed;
                Event::PassEnded { pass, run }
            }
            // The text of a candidate is unknown when its test starts.
            (&Event::WorkerStarted { worker, .. }, _) => Event::WorkerStarted { worker, bytes: 0 },
            _ => return observe(event, &statistics, Some(self.choices)),
        };
        observe(&of_text, &statistics, Some(self.choices));
    }
}

/// Returns the edit from one text to another: it replaces all but their common start and end.
fn change(old: &[u8], new: &[u8]) -> Edit {
    let same =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(a, b)| a == b).count();
    let start = same(&mut old.iter().zip(new));
    let (old, new) = (&old[start..], &new[start..]);
    let end = same(&mut old.iter().rev().zip(new.iter().rev()));
    let span = Span::at(start as u32, 0..old.len() - end);
    Edit::replace(span, &new[..new.len() - end])
}
