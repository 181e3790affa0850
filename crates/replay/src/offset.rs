use super::grow::Grow;
use super::machine::{Attempt, ChoiceMachine, Search};
use nubbin_choices::{Choice, Kind, Replay, Run, Value};
use nubbin_edit::File;
use nubbin_engine::work::{Context, Pass, PassInfo, Work};
use std::sync::Arc;

/// Lowers all numbers by the same amount, or moves them so that the first negative one becomes
/// zero.
///
/// The second step is for numbers of which only the order matters.
///
/// If many numbers depend on each other, two of them cannot be lowered alone, and steps of one take
/// as many rounds as the numbers are high.
///
/// * *Cost:* at most three tests if it does not work.
/// * *Source:* Hypothesis (common offset of choices that keep changing together), which uses the
///   recent changes instead of all numbers.
#[derive(Clone)]
pub struct Offset {
    replay: Arc<dyn Replay>,
}

impl Offset {
    /// Creates the pass for a generator.
    pub fn new(replay: Arc<dyn Replay>) -> Self {
        Offset { replay }
    }
}

impl Pass for Offset {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "choice-offset",
            "lowers all numbers by the same amount",
            "Hypothesis (MacIver)",
        )
    }

    fn open(&self, file: &File<'_>, _: &Context<'_>) -> Option<Work> {
        ChoiceMachine::open(file, &self.replay, |run| Common {
            moved: false,
            places: places(run).into(),
            grow: Grow::new(distances(run).min().unwrap_or(0)),
        })
    }
}

/// The minimum number of numbers. For fewer numbers, other passes make the same proposals.
const FEWEST: usize = 3;

#[derive(Clone)]
struct Common {
    /// Whether all numbers have been moved together.
    moved: bool,
    places: Arc<[usize]>,
    grow: Grow,
}

/// Returns the places of the numbers that are not simplest.
fn places(run: &Run) -> Vec<usize> {
    let all = run.choices.iter().enumerate();
    let distant = all.filter(|(_, choice)| distance(choice) > 0);
    distant.map(|(at, _)| at).collect()
}

fn distance(choice: &Choice) -> u64 {
    match (&choice.kind, &choice.value) {
        (&Kind::Integer { toward, .. }, &Value::Integer(value)) => value.abs_diff(toward),
        _ => 0,
    }
}

fn distances(run: &Run) -> impl Iterator<Item = u64> {
    run.choices
        .iter()
        .map(distance)
        .filter(|&distance| distance > 0)
}

impl Search for Common {
    fn next(&mut self, now: &Run, _: &dyn Replay) -> Option<Attempt> {
        if !self.moved {
            if let Some(values) = moved(now) {
                return Some(Attempt::any(values));
            }
            self.moved = true;
        }
        if self.places.len() < FEWEST {
            return None;
        }
        let amount = self.grow.next()? - self.grow.works();
        let mut values = now.values();
        for &place in &*self.places {
            if let Some(choice) = now.choices.get(place)
                && let (&Kind::Integer { toward, .. }, &Value::Integer(value)) =
                    (&choice.kind, &choice.value)
            {
                let step = i128::from(amount.min(value.abs_diff(toward)));
                let side = i128::from(value > toward) * 2 - 1;
                let lowered = i128::from(value) - side * step;
                values[place] = Value::Integer(i64::try_from(lowered).unwrap_or(toward));
            }
        }
        Some(Attempt::any(values))
    }

    fn record(&mut self, _: &Run, adopted: bool) {
        if self.moved {
            self.grow.record(adopted);
        }
        self.moved = true;
    }
}

/// Sets the first number that is below its simplest value to the simplest value, and moves other
/// numbers of its kind by the same amount.
fn moved(run: &Run) -> Option<Vec<Value>> {
    let below = |choice: &&Choice| match (&choice.kind, &choice.value) {
        (Kind::Integer { toward, .. }, Value::Integer(value)) => value < toward,
        _ => false,
    };
    let first = run.choices.iter().find(below)?;
    let (&Kind::Integer { min, max, toward }, &Value::Integer(value)) = (&first.kind, &first.value)
    else {
        return None;
    };
    let by = i128::from(toward) - i128::from(value);
    let mut others = 0;
    let mut values = run.values();
    for (choice, value) in run.choices.iter().zip(&mut values) {
        if choice.kind == first.kind {
            let to = i128::from(choice.value.integer()?) + by;
            let bounds = i128::from(min)..=i128::from(max);
            *value = Value::Integer(i64::try_from(to).ok().filter(|_| bounds.contains(&to))?);
            others += 1;
        }
    }
    (others > 1).then_some(values)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{list, reduced};
    use super::*;

    #[test]
    fn differences_between_many_numbers_stay() {
        let fails = |text: &str| {
            let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).collect();
            digits.windows(2).all(|pair| pair[1] == pair[0] + 1) && digits.len() == 4
        };
        assert_eq!(
            reduced(&Offset::new(list()), "[5, 6, 7, 8]", fails),
            "[0, 1, 2, 3]"
        );
    }
}
