use super::machine::{Attempt, ChoiceMachine, Search};
use super::tree::without;
use nubbin_choices::{Replay, Run};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Deletes all choices that the generator discarded: first all at once, then each span by itself.
///
/// A generator that filters draws again after an unsuitable value, and reports this. No part of the
/// text comes from discarded choices, so the sequence without them results in the same text. The
/// engine knows the verdict on that text without a test.
///
/// * *Cost:* rarely a test.
/// * *Source:* Hypothesis (`remove_discarded`).
#[derive(Clone)]
pub struct Discards {
    replay: Arc<dyn Replay>,
}

impl Discards {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Discards { replay }
    }
}

impl Pass for Discards {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-discards",
            "deletes choices whose results the generator discarded",
            "Hypothesis (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Discarded {
            spans: outermost(run).into(),
            next: None,
        })
    }
}

/// Returns the discarded spans that are in no other discarded span.
fn outermost(run: &Run) -> Vec<u32> {
    let mut end = 0;
    let mut found = vec![];
    for (number, span) in run.spans.iter().enumerate() {
        if span.discarded && !span.is_empty() && span.start >= end {
            end = span.end;
            found.push(number as u32);
        }
    }
    found
}

#[derive(Clone)]
struct Discarded {
    spans: Arc<[u32]>,
    /// The next span to delete; `None` deletes all spans.
    next: Option<usize>,
}

impl Search for Discarded {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        let chosen = match self.next {
            None => &self.spans[..],
            // The attempt with all spans already covered this single span.
            Some(_) if self.spans.len() < 2 => return None,
            // Spans are tried from the last to the first, so that the numbers of earlier spans
            // remain valid.
            Some(number) => {
                let at = self.spans.len().checked_sub(1 + number)?;
                self.spans.get(at..at + 1)?
            }
        };
        (!chosen.is_empty()).then(|| Attempt::any(without(now, chosen)))
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        self.next = match self.next {
            // The generator may also discard the values that it draws instead.
            None if adopted => {
                self.spans = outermost(now).into();
                None
            }
            None => Some(0),
            Some(number) => Some(number + 1),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::tests_of;
    use super::*;
    use nubbin_choices::Value;
    use nubbin_generate::{Choices, Function};

    #[test]
    fn discarded_choices_are_removed_without_a_test() {
        let even: Arc<dyn Replay> = Arc::new(Function::new(|choices: &mut Choices| {
            let even = |choices: &mut Choices| choices.integer(0..=99);
            let drawn = choices.list(0..=9, |c| c.filter(even, |number| number % 2 == 0));
            format!("{drawn:?}").into_bytes()
        }));
        let values = [1, 3, 4, 5, 6].map(Value::Integer);
        let mut all = vec![];
        for part in values.chunks(3) {
            all.push(Value::Boolean(true));
            all.extend_from_slice(part);
        }
        let (run, tests) = tests_of(&Discards::new(Arc::clone(&even)), &even, all, |_| true);
        assert_eq!(String::from_utf8_lossy(&run.text), "[Some(4), Some(6)]");
        // The two tests are the original, and the same text again, whose verdict is not yet cached
        // by text.
        assert_eq!((run.choices.len(), tests), (5, 2));
    }
}
