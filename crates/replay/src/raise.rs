use super::machine::{Attempt, ChoiceMachine, Search};
use super::zero::is_simplest;
use nubbin_choices::{Choice, Kind, Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Raises a number to its maximum, or sets a flag, and leaves out choices after it.
///
/// A shorter sequence is simpler than a longer one with lower values. A higher number may make
/// later choices unnecessary.
///
/// * *Cost:* at most two tests per number that has a bound (without later choices; without the next
///   span) and per flag (without the next choice; without the next two).
/// * *Source:* hegel (raising a choice where that shortens the rest).
#[derive(Clone)]
pub struct Raise {
    replay: Arc<dyn Replay>,
}

impl Raise {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Raise { replay }
    }
}

impl Pass for Raise {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-raise",
            "raises a number or sets a flag, and deletes choices after it",
            "hegel (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |_| Lifted {
            at: 0,
            gone: 0,
            cut: false,
        })
    }
}

#[derive(Clone)]
struct Lifted {
    at: usize,
    /// The number of rejected attempts at this flag. Each attempt leaves out one more choice.
    gone: usize,
    /// Whether the attempt without all later choices is done. The next attempt drops a span.
    cut: bool,
}

/// The limit on the choices after a flag that are left out.
const FLAG: usize = 2;

/// The range from which a number counts as unbounded.
const BOUNDED: u64 = 1 << 40;

impl Search for Lifted {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        loop {
            let choice = now.choices.get(self.at)?;
            if let Value::Boolean(false) = choice.value {
                let mut values = now.values();
                let behind = self.at + 1;
                if self.gone < FLAG && behind + self.gone < values.len() {
                    values[self.at] = Value::Boolean(true);
                    values.drain(behind..=behind + self.gone);
                    return Some(Attempt::any(values));
                }
                self.at += 1;
                self.gone = 0;
                continue;
            }
            let raised = match (&choice.kind, &choice.value) {
                (&Kind::Integer { min, max, .. }, &Value::Integer(value))
                    if value < max && max.abs_diff(min) < BOUNDED && !is_simplest(choice) =>
                {
                    Some(Value::Integer(max))
                }
                _ => None,
            };
            let behind = self.at + 1;
            let next = now
                .spans
                .iter()
                .find(|s| s.start as usize >= behind && !s.is_empty());
            let (Some(raised), Some(next)) = (raised, next) else {
                self.at += 1;
                self.cut = false;
                continue;
            };
            let mut values = now.values();
            values[self.at] = raised;
            if self.cut {
                values.drain(next.start as usize..next.end as usize);
                return Some(Attempt::exact(values));
            }
            values.truncate(behind);
            return Some(Attempt::any(values));
        }
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        let is_flag = |choice: &Choice| choice.kind == Kind::Boolean;
        if now.choices.get(self.at).is_some_and(is_flag) && !adopted {
            self.gone += 1;
        } else if adopted || self.cut {
            self.at += 1;
            self.gone = 0;
            self.cut = false;
        } else {
            self.cut = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::tests_of;
    use super::*;
    use nubbin_generate::{Choices, Function};

    #[test]
    fn one_high_number_is_simpler_than_many_low_ones() {
        let product: Arc<dyn Replay> = Arc::new(Function::new(|choices: &mut Choices| {
            let first = choices.integer(0..=1000);
            let more = choices.list(0..=9, |choices| choices.integer(2..=9));
            format!("{}", more.iter().fold(first, |all, one| all * one)).into_bytes()
        }));
        let values = vec![Value::Integer(250), Value::Boolean(true), Value::Integer(4)];
        let fails = |text: &str| text.parse::<u32>().is_ok_and(|number| number >= 1000);
        let (run, _) = tests_of(&Raise::new(Arc::clone(&product)), &product, values, fails);
        assert_eq!((&run.text[..], run.choices.len()), (&b"1000"[..], 2));
    }
}
