use super::grow::Grow;
use super::machine::{Attempt, ChoiceMachine, Search};
use crate::input::File;
use crate::pass::{Context, Pass};
use crate::work::Work;
use nubbin_choices::{Kind, Replay, Run, Value};
use std::sync::Arc;

/// An amount moved from one number to one that comes after it.
///
/// Where only the sum of two numbers matters, the first can be the lower the higher the second is,
/// and that is simpler. All of it, or as much as the bounds of the other allow; then as much as works.
///
/// * *Cost:* two tests for each pair of numbers that are near each other where nothing can be moved.
/// * *Source:* Hypothesis (`redistribute_numeric_pairs`).
#[derive(Clone)]
pub struct Move {
    replay: Arc<dyn Replay>,
}

impl Move {
    /// For a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Move { replay }
    }
}

impl Pass for Move {
    fn id(&self) -> &'static str {
        "choice-move"
    }

    fn about(&self) -> &'static str {
        "moves an amount from one number to a later one"
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

/// How much can be moved.
fn most(run: &Run, left: usize, right: usize) -> u64 {
    let (Some(left), Some(right)) = (number(run, left), number(run, right)) else {
        return 0;
    };
    let [value, _, _, toward] = left;
    let [other, min, max, _] = right;
    let room = if value > toward {
        max - other
    } else {
        other - min
    };
    u64::try_from((value - toward).abs().min(room)).unwrap_or(u64::MAX)
}

fn changed(run: &Run, left: usize, right: usize, amount: u64) -> Option<Vec<Value>> {
    let [value, _, _, toward] = number(run, left)?;
    let [other, ..] = number(run, right)?;
    let moved = (value - toward).signum() * i128::from(amount);
    let mut values = run.values();
    values[left] = Value::Integer(i64::try_from(value - moved).ok()?);
    values[right] = Value::Integer(i64::try_from(other + moved).ok()?);
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn the_last_of_a_sum_has_most_of_it() {
        let sum = |text: &str| {
            let digits = text.bytes().filter(u8::is_ascii_digit);
            digits.map(|digit| u32::from(digit - b'0')).sum::<u32>() == 12
        };
        assert_eq!(reduced(&Move::new(list()), "[4, 4, 4]", sum), "[0, 3, 9]");
    }
}
