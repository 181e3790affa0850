use super::machine::{Attempt, ChoiceMachine, Search};
use super::tree::without;
use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use nubbin_choices::{Replay, Run};
use std::sync::Arc;

/// All that the generator threw away, at once; then each by itself.
///
/// A generator that filters draws again where it did not like what it got, and says so. Nothing of
/// the text came of what it threw away, so a sequence without it makes the same text, and the
/// engine knows that without a test.
///
/// * *Cost:* hardly ever a test.
/// * *Source:* Hypothesis (`remove_discarded`).
#[derive(Clone)]
pub struct Discards {
    replay: Arc<dyn Replay>,
}

impl Discards {
    /// For a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Discards { replay }
    }
}

impl Pass for Discards {
    fn id(&self) -> &'static str {
        "choice-discards"
    }

    fn about(&self) -> &'static str {
        "drops choices of which the generator threw away what came of them"
    }

    fn source(&self) -> &'static str {
        "Hypothesis (MacIver)"
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Discarded {
            spans: outermost(run).into(),
            next: None,
        })
    }
}

/// Discarded spans that are in no other one.
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
    /// `None`: all.
    next: Option<usize>,
}

impl Search for Discarded {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        let chosen = match self.next {
            None => &self.spans[..],
            // All was tried: that was this one.
            Some(_) if self.spans.len() < 2 => return None,
            // From the last to the first, so that the numbers of those before stay right.
            Some(number) => {
                let at = self.spans.len().checked_sub(1 + number)?;
                self.spans.get(at..at + 1)?
            }
        };
        (!chosen.is_empty()).then(|| Attempt::any(without(now, chosen)))
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        self.next = match self.next {
            // What is drawn instead may be thrown away as well.
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
    fn what_was_thrown_away_goes_without_a_test() {
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
        // That of the original, and of the same text again: it is not known by its text yet.
        assert_eq!((run.choices.len(), tests), (5, 2));
    }
}
