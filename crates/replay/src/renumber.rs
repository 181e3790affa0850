use super::machine::{Attempt, ChoiceMachine, Search};
use super::tree::{Tree, without};
use nubbin_choices::{Choice, Kind, Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Deletes one of several items, and lowers every number that refers to a later item by one.
///
/// If choices refer to one of several elements by number, such as the third definition or the fifth
/// element, a deletion shifts the meaning of the others. So the pass lowers all numbers and
/// alternatives above the position of the deleted element by one.
///
/// * *Wins:* on indices and on uses of definitions.
/// * *Cost:* at most one test per span that is one of several and has numbers above its place.
/// * *Source:* our own, after the re-alignment of choices in GReduce (Ren et al. 2024).
#[derive(Clone)]
pub struct Renumber {
    replay: Arc<dyn Replay>,
}

impl Renumber {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Renumber { replay }
    }
}

impl Pass for Renumber {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-renumber",
            "deletes one of several things, and lowers numbers that refer to later ones",
            "nubbin, after GReduce (Ren et al. 2024)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Shift {
            tree: Tree::of(run),
            family: 0,
            before: None,
        })
    }
}

#[derive(Clone)]
struct Shift {
    tree: Tree,
    family: usize,
    /// The index before which the spans of the family have not been tried.
    before: Option<usize>,
}

/// Deletes a span and lowers the numbers above its place. Returns `None` if there are no such
/// numbers.
fn shifted(run: &Run, span: u32, place: usize) -> Option<Vec<Value>> {
    let gone = run.spans.get(span as usize)?;
    let values = without(run, &[span]);
    let (start, end) = (gone.start as usize, gone.end as usize);
    let kept = run.choices.iter().enumerate();
    let kept = kept.filter(|(at, _)| !(start..end).contains(at));
    let mut any = false;
    let lower = |(Choice { kind, .. }, value): (&Choice, Value)| match (kind, &value) {
        (Kind::Integer { .. } | Kind::Index { .. }, &Value::Integer(number))
            if number > place as i64 =>
        {
            any = true;
            Value::Integer(number - 1)
        }
        _ => value,
    };
    let lowered = kept
        .map(|(_, choice)| choice)
        .zip(values)
        .map(lower)
        .collect();
    any.then_some(lowered)
}

impl Search for Shift {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        while self.family < self.tree.families() {
            let family = self.tree.family(self.family);
            let before = *self.before.get_or_insert(family.len());
            if family.len() < 2 || before == 0 {
                self.family += 1;
                self.before = None;
                continue;
            }
            if let Some(values) = shifted(now, family[before - 1], before - 1) {
                return Some(Attempt::exact(values));
            }
            self.before = Some(before - 1);
        }
        None
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        if adopted {
            self.tree = Tree::of(now);
        }
        self.before = self.before.map(|before| before - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn references_to_elements_after_a_deleted_one_are_lowered() {
        // The text has two elements that refer to each other.
        let fails = |text: &str| {
            let list: Vec<usize> = text
                .bytes()
                .filter(u8::is_ascii_digit)
                .map(|digit| usize::from(digit - b'0'))
                .collect();
            let points = |(from, &to): (usize, &usize)| to != from && list.get(to) == Some(&from);
            list.iter().enumerate().any(points)
        };
        let renumber = Renumber::new(list());
        assert_eq!(reduced(&renumber, "[0, 4, 0, 0, 1]", fails), "[1, 0]");
    }
}
