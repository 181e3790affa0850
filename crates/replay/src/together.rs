use super::machine::ChoiceMachine;
use super::pairs::{Change, Pairs, number};
use nubbin_choices::{Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Lowers two numbers by the same amount.
///
/// If only their difference matters, neither number can be lowered alone.
///
/// * *Cost:* two tests per pair of near numbers that cannot be lowered.
/// * *Source:* Hypothesis (`lower_integers_together`).
#[derive(Clone)]
pub struct Together {
    replay: Arc<dyn Replay>,
}

impl Together {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Together { replay }
    }
}

impl Pass for Together {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-together",
            "lowers two numbers by the same amount",
            "Hypothesis (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |_| Pairs::<Lowered>::new())
    }
}

#[derive(Clone)]
struct Lowered;

impl Change for Lowered {
    // The limit is the largest amount by which both numbers can be lowered.
    fn most(run: &Run, left: usize, right: usize) -> u64 {
        let distance =
            |at| number(run, at).map_or(0, |[value, _, _, toward]| value.abs_diff(toward));
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
