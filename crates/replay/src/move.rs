use super::machine::ChoiceMachine;
use super::pairs::{Change, Pairs, number};
use nubbin_choices::{Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Moves an amount from one number to a later one.
///
/// If only the sum of two numbers matters, a lower first number with a higher second number is
/// simpler. The pass tries the full amount, or as much as the bounds of the second number allow,
/// and then searches the largest amount that works.
///
/// * *Cost:* two tests per pair of near numbers between which no amount can be moved.
/// * *Source:* Hypothesis (`redistribute_numeric_pairs`).
#[derive(Clone)]
pub struct Move {
    replay: Arc<dyn Replay>,
}

impl Move {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Move { replay }
    }
}

impl Pass for Move {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-move",
            "moves an amount from one number to a later one",
            "Hypothesis (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |_| Pairs::<Moved>::new())
    }
}

#[derive(Clone)]
struct Moved;

impl Change for Moved {
    // The largest amount that can be moved.
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
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn the_last_number_of_a_sum_gets_most_of_it() {
        let sum = |text: &str| {
            let digits = text.bytes().filter(u8::is_ascii_digit);
            digits.map(|digit| u32::from(digit - b'0')).sum::<u32>() == 12
        };
        assert_eq!(reduced(&Move::new(list()), "[4, 4, 4]", sum), "[0, 3, 9]");
    }
}
