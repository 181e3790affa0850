use super::ddmin_nop::{Seed, Variant};
use nubbin_choices::Replay;
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Deletes choices as `choice-ddmin` does, but matches each choice after a deletion with its former
/// question.
///
/// After each deletion, the pass replays the generator and asks for its position: the kind of span,
/// and the number of the choice in that span. A generator states this by its spans. A question
/// without an answer gets the simplest one. An answer to a question that is no longer asked is
/// dropped. So an answer keeps its question, which `choice-ddmin-nop` cannot ensure.
///
/// * *Wins:* over `choice-ddmin`, wherever there are spans: fewer tests, and nearly always the same
///   few answers (`notes/decisions/0038-no-alignment-by-site.md`). Without spans it equals
///   `choice-ddmin`, except for choices beyond the end.
/// * *Cost:* about 2n tests for n choices, for each round, and up to 17 replays for each.
/// * *Source:* R. Gopinath, "Reducing Generated Inputs by Their Choices" (`ddmin` on a
///   `ChoiceSeq`), with the idea of GReduce to bring the rest of a run back to the same points of
///   the generator.
/// * *Changed:* GReduce deletes loops and calls of the generator's execution; this pass deletes any
///   part of the sequence.
#[derive(Clone)]
pub struct DdminAligned {
    replay: Arc<dyn Replay>,
}

impl DdminAligned {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        DdminAligned { replay }
    }
}

impl Pass for DdminAligned {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-ddmin-aligned",
            "delta debugging in which each choice answers the same question as before",
            "R. Gopinath, generator reduction; alignment as in GReduce",
        )
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
    fn choices_are_removed_until_none_can_be() {
        let aligned = DdminAligned::new(list());
        let fails = |text: &str| text.contains('7');
        assert_eq!(reduced(&aligned, "[1, 7, 5, 3, 4, 5]", fails), "[7]");
    }

    #[test]
    fn answers_stay_with_their_questions() {
        let before = "(((1+2)+3)+(4/(5+6)))";
        let fails = |text: &str| text.contains("4/");
        let aligned = DdminAligned::new(terms());
        let (text, tests) = reduced_from(&aligned, &terms(), before, fails);
        assert_eq!(text, "(4/5)");
        assert!(tests < 20, "{tests}");
    }
}
