use super::ddmin_nop::{Seed, Variant};
use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use nubbin_choices::Replay;
use std::sync::Arc;

/// As `choice-ddmin`, but what comes after a deletion is read where it was read before.
///
/// After each deletion the generator is replayed and asked where it is: in which kind of thing, at
/// which choice of it (that is all a generator need tell, by its spans). What it asks at a place
/// where no answer was given is answered by the simplest; an answer to what it does not ask any
/// more is dropped. So an answer stays an answer to the same question, which is what the
/// no-operation of `choice-ddmin-nop` hopes for.
///
/// * *Wins:* over `choice-ddmin`, wherever there are spans: fewer tests, and nearly always the same
///   few answers (`notes/choices.md`). Without spans it is `choice-ddmin` but for what runs over
///   the end.
/// * *Cost:* about 2n tests for n choices, for each round, and up to 17 replays for each.
/// * *Source:* R. Gopinath, "Reducing Generated Inputs by Their Choices" (`ddmin` on a
///   `ChoiceSeq`), with the idea of GReduce to bring what is left of a run back to the same points
///   of the generator.
/// * *Changed:* GReduce deletes loops and calls of the generator's execution; here any part of the
///   sequence goes.
#[derive(Clone)]
pub struct DdminAligned {
    replay: Arc<dyn Replay>,
}

impl DdminAligned {
    /// For a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        DdminAligned { replay }
    }
}

impl Pass for DdminAligned {
    fn id(&self) -> &'static str {
        "choice-ddmin-aligned"
    }

    fn about(&self) -> &'static str {
        "delta debugging that keeps each choice an answer to the same question"
    }

    fn source(&self) -> &'static str {
        "R. Gopinath, generator reduction; alignment as in GReduce"
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        Seed::open(file, &self.replay, Variant::Align)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced, reduced_from, terms};
    use super::*;

    #[test]
    fn choices_go_until_none_can() {
        let aligned = DdminAligned::new(list());
        let fails = |text: &str| text.contains('7');
        assert_eq!(reduced(&aligned, "[1, 7, 5, 3, 4, 5]", fails), "[7]");
    }

    #[test]
    fn answers_do_not_slip_into_other_places() {
        let before = "(((1+2)+3)+(4/(5+6)))";
        let fails = |text: &str| text.contains("4/");
        let aligned = DdminAligned::new(terms());
        let (text, tests) = reduced_from(&aligned, &terms(), before, fails);
        assert_eq!(text, "(4/5)");
        assert!(tests < 20, "{tests}");
    }
}
