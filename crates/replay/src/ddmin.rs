use super::ddmin_nop::{Seed, Variant};
use nubbin_choices::Replay;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Plain delta debugging on choices: leaves out parts of one length, then of half that length, and
/// repeats until no part can be removed.
///
/// Every sequence that is long enough has a meaning, although the choices after a deletion answer
/// other questions than before. A sequence that is too short for the generator is not a
/// candidate.
///
/// * *Cost:* about 2n tests for n choices, for each round.
/// * *Source:* R. Gopinath, "Reducing Generated Inputs by Their Choices" (`ddmin` on a
///   `ChoiceSeq`).
/// * *Changed:* nothing. As in the source, choices that the generator does not use are kept in
///   the sequence.
#[derive(Clone)]
pub struct Ddmin {
    replay: Arc<dyn Replay>,
}

impl Ddmin {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Ddmin { replay }
    }
}

impl Pass for Ddmin {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-ddmin",
            "plain delta debugging on the sequence of choices",
            "R. Gopinath, generator reduction",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        Seed::open(file, &self.replay, Variant::Delete)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn choices_are_removed_until_none_can_be() {
        let fails = |text: &str| text.contains('7');
        assert_eq!(
            reduced(&Ddmin::new(list()), "[1, 7, 5, 3, 4, 5]", fails),
            "[7]"
        );
    }
}
