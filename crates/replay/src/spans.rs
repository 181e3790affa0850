use super::grow::Grow;
use super::machine::{Attempt, ChoiceMachine, Search};
use super::tree::{Tree, kept};
use nubbin_choices::{Replay, Run};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Deletes whole spans: elements of lists, statements, optional parts.
///
/// The pass works family by family, outermost first, and in each from the last span to the first.
/// The pass deletes one span, then two, four, and as many as possible at once. A deletion is
/// proposed only if the generator asks the questions that the remaining choices answered. A choice
/// that is no longer asked for is also removed, for example if one of two alternatives is the only
/// one now. This check costs replays and no test. A deletion after which choices answer other
/// questions is rarely useful.
///
/// * *Wins:* on lists of all kinds.
/// * *Cost:* a test per removable span that the failure needs, and per run of removed spans about
///   twice the logarithm of its length.
/// * *Source:* Hypothesis (adaptive deletion of spans). The replay that decides which deletions are
///   worth a test is our addition.
#[derive(Clone)]
pub struct Spans {
    replay: Arc<dyn Replay>,
}

impl Spans {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Spans { replay }
    }
}

impl Pass for Spans {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-spans",
            "deletes spans of choices: elements of lists, statements",
            "Hypothesis (MacIver); replays as a filter are ours",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, Delete::new)
    }
}

#[derive(Clone)]
struct Delete {
    tree: Tree,
    family: usize,
    /// The index before which the spans of the family have not been tried.
    before: usize,
    grow: Grow,
}

impl Delete {
    fn new(run: &Run) -> Self {
        let tree = Tree::of(run);
        let before = tree.family(0).len();
        Delete {
            tree,
            family: 0,
            before,
            grow: Grow::new(before as u64),
        }
    }
}

impl Search for Delete {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        loop {
            if let Some(count) = self.grow.next() {
                let family = self.tree.family(self.family);
                // Some of these spans are already deleted. Only the remaining ones are proposed.
                let more = (count - self.grow.works()) as usize;
                let start = self.before.saturating_sub(more);
                let chosen = family.get(start..self.before)?;
                return Some(Attempt::aligned(kept(now, chosen)));
            }
            self.before = self.before.saturating_sub(1);
            if self.before == 0 {
                self.family += 1;
                if self.family >= self.tree.families() {
                    return None;
                }
                self.before = self.tree.family(self.family).len();
            }
            self.grow = Grow::new(self.before as u64);
        }
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        let before = self.grow.works();
        self.grow.record(adopted);
        if adopted {
            self.tree = Tree::of(now);
            self.before -= (self.grow.works() - before) as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn elements_are_removed_at_any_place() {
        let fails = |text: &str| text.contains("7") && text.contains("3");
        let spans = Spans::new(list());
        assert_eq!(reduced(&spans, "[1, 7, 5, 3, 4, 5]", fails), "[7, 3]");
        assert_eq!(reduced(&spans, "[1, 2, 5, 3, 4, 7]", fails), "[3, 7]");
        assert_eq!(reduced(&spans, "[1, 2, 5, 3, 4, 7]", |_| true), "[]");
        assert_eq!(reduced(&spans, "[1, 2]", |text| text == "[1, 2]"), "[1, 2]");
    }
}
