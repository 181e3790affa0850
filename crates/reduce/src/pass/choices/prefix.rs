use super::descend::Descend;
use super::machine::{Attempt, ChoiceMachine, Search};
use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use nubbin_choices::{Replay, Run, Value};
use std::sync::Arc;

/// The first choices only, and after them the simplest of everything.
///
/// What the test needs is often complete long before the generator is. Past the end of a sequence
/// the simplest is taken, which is what ends soonest, so the shortest beginning that still fails
/// drops everything behind it and everything still to come in what was begun: nothing at all, one
/// choice, half of them, and so on.
///
/// * *Cost:* about log₂ of the number of choices; three tests where all are needed.
/// * *Source:* ours. Hypothesis treats a sequence that is too short as no example.
#[derive(Clone)]
pub struct Prefix {
    replay: Arc<dyn Replay>,
}

impl Prefix {
    /// For a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Prefix { replay }
    }
}

impl Pass for Prefix {
    fn id(&self) -> &'static str {
        "choice-prefix"
    }

    fn about(&self) -> &'static str {
        "keeps the first choices, then the simplest of everything"
    }

    fn source(&self) -> &'static str {
        "nubbin"
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Cut {
            values: run.values().into(),
            kept: Descend::from(run.choices.len() as u64),
        })
    }
}

#[derive(Clone)]
struct Cut {
    /// As they were at the beginning: what is cut off does not come back, but what is before it
    /// stays the same.
    values: Arc<[Value]>,
    kept: Descend,
}

impl Search for Cut {
    fn next(&mut self, _: &Run, _: &dyn Replay) -> Option<Attempt> {
        let kept = self.kept.next()?;
        Some(Attempt::any(self.values.get(..kept as usize)?.to_vec()))
    }

    fn record(&mut self, _: &Run, adopted: bool) {
        self.kept.record(adopted);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn what_comes_after_the_last_that_is_needed_goes() {
        let fails = |text: &str| text.contains("7");
        assert_eq!(
            reduced(&Prefix::new(list()), "[1, 7, 3, 4, 5]", fails),
            "[1, 7]"
        );
        assert_eq!(
            reduced(&Prefix::new(list()), "[1, 7, 3, 4, 5]", |_| true),
            "[]"
        );
    }
}
