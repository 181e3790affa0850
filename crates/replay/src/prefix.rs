use super::descend::Descend;
use super::machine::{Attempt, ChoiceMachine, Search};
use nubbin_choices::{Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Keeps only the first choices, and replaces all later ones with the simplest.
///
/// A failure often needs only the first part of a run. After the end of a sequence, the generator
/// takes the simplest choices, with which it ends soonest. So a prefix drops all later choices, and
/// the rest of every unfinished part. The pass tries no choice, one choice, half of the choices,
/// and so on.
///
/// * *Cost:* a number of tests logarithmic in the number of choices; at most five if all choices
///   are needed.
/// * *Source:* our own. Hypothesis treats a sequence that is too short as invalid.
#[derive(Clone)]
pub struct Prefix {
    replay: Arc<dyn Replay>,
}

impl Prefix {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Prefix { replay }
    }
}

impl Pass for Prefix {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-prefix",
            "keeps the first choices, and replaces all later ones with the simplest",
            "nubbin",
        )
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
    /// The choices at the start of the run. Dropped choices do not return, and earlier choices do
    /// not change.
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
    fn choices_after_the_last_needed_one_are_removed() {
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
