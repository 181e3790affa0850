use super::machine::{Attempt, ChoiceMachine, Search};
use super::tree::{Tree, without};
use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use nubbin_choices::{Choice, Kind, Replay, Run, Value};
use std::sync::Arc;

/// One of several things deleted, and every number that points behind it lowered by one.
///
/// Where choices say which of several things is meant, the third definition, the fifth element,
/// deleting one of them shifts what the others mean. So all numbers and alternatives above the
/// place of what goes become one less with it.
///
/// * *Wins:* on indices and on uses of definitions.
/// * *Cost:* at most one test for each span that is one of several and has numbers above its place.
/// * *Source:* ours, after the re-alignment of choices in GReduce (Ren et al. 2024).
#[derive(Clone)]
pub struct Renumber {
    replay: Arc<dyn Replay>,
}

impl Renumber {
    /// For a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Renumber { replay }
    }
}

impl Pass for Renumber {
    fn id(&self) -> &'static str {
        "choice-renumber"
    }

    fn about(&self) -> &'static str {
        "deletes one of several things and lowers what points behind it"
    }

    fn source(&self) -> &'static str {
        "nubbin, after GReduce (Ren et al. 2024)"
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
    /// Of the family, those before this one have not been tried.
    before: Option<usize>,
}

/// Without a span, and what is above its place one lower; `None` where nothing is.
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
    fn what_points_behind_a_deleted_element_follows() {
        // Two elements that point at each other.
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
