use super::grow::Grow;
use super::machine::{Attempt, ChoiceMachine, Search};
use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use nubbin_choices::{Kind, Replay, Run, Value};
use std::sync::Arc;

/// Two numbers lowered by the same amount.
///
/// Where only their difference matters, neither can be lowered alone.
///
/// * *Cost:* two tests for each pair of numbers that are near each other where nothing can be done.
/// * *Source:* Hypothesis (`lower_integers_together`).
#[derive(Clone)]
pub struct Together {
    replay: Arc<dyn Replay>,
}

impl Together {
    /// For a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Together { replay }
    }
}

impl Pass for Together {
    fn id(&self) -> &'static str {
        "choice-together"
    }

    fn about(&self) -> &'static str {
        "lowers two numbers by the same amount"
    }

    fn source(&self) -> &'static str {
        "Hypothesis (MacIver)"
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |_| Pairs {
            left: 0,
            right: 1,
            grow: None,
        })
    }
}

/// Numbers that are tried with each: the next so many.
const NEAR: usize = 4;

#[derive(Clone)]
struct Pairs {
    left: usize,
    right: usize,
    /// `None`: as much as can be at once.
    grow: Option<Grow>,
}

impl Search for Pairs {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        let numbers = numbers(now);
        loop {
            let &left = numbers.get(self.left)?;
            let right = numbers
                .get(self.right)
                .filter(|_| self.right - self.left <= NEAR);
            let Some(&right) = right else {
                self.left += 1;
                self.right = self.left + 1;
                self.grow = None;
                continue;
            };
            let most = most(now, left, right);
            let amount = match &self.grow {
                _ if most == 0 => None,
                None => Some(most),
                // What has been done is done.
                Some(grow) => grow.next().map(|amount| amount - grow.works()),
            };
            if let Some(values) = amount.and_then(|amount| changed(now, left, right, amount)) {
                return Some(Attempt::any(values));
            }
            self.right += 1;
            self.grow = None;
        }
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        let numbers = numbers(now);
        let most = match (numbers.get(self.left), numbers.get(self.right)) {
            (Some(&left), Some(&right)) => most(now, left, right),
            _ => 0,
        };
        match &mut self.grow {
            None if adopted => self.grow = Some(Grow::new(0)),
            // All at once did not work.
            None => self.grow = Some(Grow::new(most.saturating_sub(1))),
            Some(grow) => grow.record(adopted),
        }
    }
}

/// Where the numbers are.
fn numbers(run: &Run) -> Vec<usize> {
    let is_number = |&at: &usize| matches!(run.choices[at].kind, Kind::Integer { .. });
    (0..run.choices.len()).filter(is_number).collect()
}

/// A number, its bounds, and its simplest.
fn number(run: &Run, at: usize) -> Option<[i128; 4]> {
    let choice = run.choices.get(at)?;
    match (&choice.kind, &choice.value) {
        (&Kind::Integer { min, max, toward }, &Value::Integer(value)) => {
            Some([value, min, max, toward].map(i128::from))
        }
        _ => None,
    }
}

/// By how much both can be lowered.
fn most(run: &Run, left: usize, right: usize) -> u64 {
    let distance = |at| number(run, at).map_or(0, |[value, _, _, toward]| value.abs_diff(toward));
    u64::try_from(distance(left).min(distance(right))).unwrap_or(u64::MAX)
}

fn changed(run: &Run, left: usize, right: usize, amount: u64) -> Option<Vec<Value>> {
    let mut values = run.values();
    for at in [left, right] {
        let [value, _, _, toward] = number(run, at)?;
        let lowered = value - (value - toward).signum() * i128::from(amount);
        values[at] = Value::Integer(i64::try_from(lowered).ok()?);
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn a_difference_stays() {
        let fails = |text: &str| {
            let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).collect();
            matches!(digits[..], [left, right] if right == left + 2)
        };
        assert_eq!(reduced(&Together::new(list()), "[5, 7]", fails), "[0, 2]");
    }
}
