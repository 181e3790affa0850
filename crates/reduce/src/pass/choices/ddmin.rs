use super::ddmin_nop::{Seed, Variant};
use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use nubbin_choices::Replay;
use std::sync::Arc;

/// Plain delta debugging on choices: parts of one length are left out, then of half that length,
/// and all over again until nothing more goes.
///
/// Every sequence that is long enough means something, though what comes after a deletion is read
/// from another place than before; a sequence that is too short for what it says is no candidate.
///
/// * *Cost:* about 2n tests for n choices, for each round.
/// * *Source:* R. Gopinath, "Reducing Generated Inputs by Their Choices" (`ddmin` on a
///   `ChoiceSeq`).
/// * *Changed:* nothing. What the generator does not use of a sequence stays in it, as there.
#[derive(Clone)]
pub struct Ddmin {
    replay: Arc<dyn Replay>,
}

impl Ddmin {
    /// For a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Ddmin { replay }
    }
}

impl Pass for Ddmin {
    fn id(&self) -> &'static str {
        "choice-ddmin"
    }

    fn about(&self) -> &'static str {
        "plain delta debugging on the sequence of choices"
    }

    fn source(&self) -> &'static str {
        "R. Gopinath, generator reduction"
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
    fn choices_go_until_none_can() {
        let fails = |text: &str| text.contains('7');
        assert_eq!(
            reduced(&Ddmin::new(list()), "[1, 7, 5, 3, 4, 5]", fails),
            "[7]"
        );
    }
}
