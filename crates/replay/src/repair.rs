use super::machine::{Attempt, ChoiceMachine, Search};
use nubbin_choices::{Choice, Kind, Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Lowers a choice by one, and deletes choices that belonged to it.
///
/// A number that counts the following elements, or refers to one of them, cannot be lowered alone.
/// None of the counted elements can be deleted alone either. So the pass lowers a choice, and
/// deletes one of the spans near it or some choices after it. A change is proposed only if the
/// generator takes the other choices exactly as they are.
///
/// * *Wins:* on lists that begin with their length, optional parts, references.
/// * *Cost:* for each choice that can be lowered, as many tests as there are fitting deletions, at
///   most a dozen spans and eight lengths.
/// * *Source:* Hypothesis (lowering a block while deleting others), hegel.
#[derive(Clone)]
pub struct Repair {
    replay: Arc<dyn Replay>,
}

impl Repair {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Repair { replay }
    }
}

impl Pass for Repair {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-repair",
            "lowers a choice and deletes choices that belonged to it",
            "Hypothesis, hegel (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Mend {
            at: 0,
            number: 0,
            near: near(run, 0),
        })
    }
}

/// The number of nearest spans that are tried with each choice.
const SPANS: usize = 12;

/// The limit on the choices after it that are deleted.
const LONGEST: usize = 8;

#[derive(Clone)]
struct Mend {
    at: usize,
    number: usize,
    /// The nearest spans, as ranges of choices.
    near: Vec<(usize, usize)>,
}

/// Returns the range of choices that may belong to a choice. For a number, that is the whole
/// sequence. For other choices it is the innermost span around them, since the questions of an
/// alternative are in the same span.
fn reach(run: &Run, at: usize) -> (usize, usize) {
    let is_number = |choice: &Choice| matches!(choice.kind, Kind::Integer { .. });
    if run.choices.get(at).is_some_and(is_number) {
        return (0, run.choices.len());
    }
    let spans = run.spans.iter().map(|s| (s.start as usize, s.end as usize));
    spans
        .rev()
        .find(|&(start, end)| (start..end).contains(&at))
        .unwrap_or((0, run.choices.len()))
}

/// Returns the spans within [`reach`] that do not contain the choice, nearest first.
fn near(run: &Run, at: usize) -> Vec<(usize, usize)> {
    let spans = run.spans.iter().map(|s| (s.start as usize, s.end as usize));
    let (first, last) = reach(run, at);
    let mut spans: Vec<_> = spans
        .filter(|&(start, end)| first <= start && start < end && end <= last)
        .filter(|&(start, end)| end <= at || start > at)
        .collect();
    let distance = |&(start, end): &(usize, usize)| {
        let distance = if start > at { start - at } else { at - end };
        (distance, end - start)
    };
    spans.sort_by_key(distance);
    spans.dedup();
    spans.truncate(SPANS);
    spans
}

/// Returns the next simpler value of a flag, a number, or an alternative.
fn lowered(run: &Run, at: usize) -> Option<Value> {
    let choice = run.choices.get(at)?;
    match (&choice.kind, &choice.value) {
        (Kind::Boolean, Value::Boolean(true)) => Some(Value::Boolean(false)),
        (&Kind::Integer { toward, .. }, &Value::Integer(value)) if value != toward => {
            Some(Value::Integer(value + (toward - value).signum()))
        }
        (&Kind::Index { simplest, .. }, &Value::Integer(value)) => match value {
            value if value == i64::from(simplest) => None,
            0 => Some(Value::Integer(i64::from(simplest))),
            value => Some(Value::Integer(value - 1)),
        },
        _ => None,
    }
}

impl Search for Mend {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        loop {
            if self.at >= now.choices.len() {
                return None;
            }
            let value = lowered(now, self.at);
            let range = match self.number.checked_sub(self.near.len()) {
                None => Some(self.near[self.number]),
                Some(more) if more < LONGEST => Some((self.at + 1, self.at + 2 + more)),
                Some(_) => None,
            };
            let (Some(value), Some((start, end))) = (value, range) else {
                self.at += 1;
                self.number = 0;
                self.near = near(now, self.at);
                continue;
            };
            if end > reach(now, self.at).1 {
                self.number += 1;
                continue;
            }
            let mut values: Vec<Value> = now.values();
            values[self.at] = value;
            values.drain(start..end);
            return Some(Attempt::exact(values));
        }
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        self.number += 1;
        if adopted {
            // The sequence may be shorter now.
            self.at = self.at.min(now.choices.len().saturating_sub(1));
            self.number = 0;
            self.near = near(now, self.at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::tests_of;
    use super::*;
    use nubbin_generate::{Choices, Function};

    #[test]
    fn a_list_that_begins_with_its_length_gets_shorter() {
        let counted: Arc<dyn Replay> = Arc::new(Function::new(|choices: &mut Choices| {
            let count = choices.integer(0..=9);
            let element = |choices: &mut Choices| choices.span("e", |c| c.integer(1..=9));
            let list: Vec<i64> = (0..count).map(|_| element(choices)).collect();
            let tail = choices.integer(0..=99);
            format!("{list:?} {tail}").into_bytes()
        }));
        let values = [4, 5, 7, 6, 8, 42].map(Value::Integer).to_vec();
        let fails = |text: &str| text.contains("7") && text.ends_with("42");
        let repair = Repair::new(Arc::clone(&counted));
        let (run, _) = tests_of(&repair, &counted, values, fails);
        assert_eq!(String::from_utf8_lossy(&run.text), "[7] 42");
    }
}
