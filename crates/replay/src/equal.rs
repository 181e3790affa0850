use super::machine::{Attempt, ChoiceMachine, Search};
use super::value::ValueSearch;
use super::zero::is_simplest;
use nubbin_choices::{Kind, Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Lowers equal values at several positions together.
///
/// If a test compares two values, neither of them can be changed alone.
///
/// * *Cost:* as `choice-values`, for each value that occurs more than once.
/// * *Source:* Hypothesis (`minimize_duplicated_choices`).
#[derive(Clone)]
pub struct Equal {
    replay: Arc<dyn Replay>,
}

impl Equal {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Equal { replay }
    }
}

impl Pass for Equal {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-equal",
            "lowers equal values in several places together",
            "Hypothesis (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Groups {
            groups: groups(run).into(),
            group: 0,
            search: None,
        })
    }
}

/// Returns the places of equal values. The groups are ordered by their first place.
fn groups(run: &Run) -> Vec<Vec<usize>> {
    let mut groups: Vec<(u8, &Value, Vec<usize>)> = vec![];
    for (at, choice) in run.choices.iter().enumerate() {
        let kind = match choice.kind {
            Kind::Boolean => continue,
            _ if is_simplest(choice) => continue,
            Kind::Index { .. } => 0,
            Kind::Integer { .. } => 1,
            Kind::Float { .. } => 2,
            Kind::Text { .. } => 3,
            Kind::Bytes { .. } => 4,
        };
        let known = groups
            .iter_mut()
            .find(|group| group.0 == kind && *group.1 == choice.value);
        match known {
            Some(group) => group.2.push(at),
            None => groups.push((kind, &choice.value, vec![at])),
        }
        if groups.len() > MAX_VALUES {
            break;
        }
    }
    groups.retain(|group| group.2.len() > 1);
    groups.into_iter().map(|group| group.2).collect()
}

/// The maximum number of different values that are tried.
const MAX_VALUES: usize = 1000;

#[derive(Clone)]
struct Groups {
    groups: Arc<[Vec<usize>]>,
    group: usize,
    search: Option<ValueSearch>,
}

impl Search for Groups {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        loop {
            let group = self.groups.get(self.group)?;
            let first = group.first().and_then(|&first| now.choices.get(first));
            let same = |choice: &&nubbin_choices::Choice| {
                let mut all = group.iter().map(|&at| now.choices.get(at));
                all.all(|other| other.is_some_and(|other| other.value == choice.value))
            };
            // One of the values may have changed in the meantime.
            if let Some(first) = first.filter(same) {
                let search = self.search.get_or_insert_with(|| ValueSearch::of(first));
                if let Some(value) = search.next() {
                    let mut values = now.values();
                    for &at in group {
                        values[at] = value.clone();
                    }
                    return Some(Attempt::any(values));
                }
            }
            self.group += 1;
            self.search = None;
        }
    }

    fn record(&mut self, _: &Run, adopted: bool) {
        if let Some(search) = &mut self.search {
            search.record(adopted);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn equal_numbers_are_lowered_together() {
        let fails = |text: &str| {
            let mut digits = text.bytes().filter(u8::is_ascii_digit);
            digits.next() == digits.next_back() && text.len() > 4
        };
        assert_eq!(
            reduced(&Equal::new(list()), "[8, 3, 8]", fails),
            "[0, 3, 0]"
        );
    }
}
