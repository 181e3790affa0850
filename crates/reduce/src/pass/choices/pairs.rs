use super::grow::Grow;
use super::machine::{Attempt, Search};
use nubbin_choices::{Kind, Replay, Run, Value};
use std::marker::PhantomData;

/// Numbers that are tried with each: the next so many.
const NEAR: usize = 4;

/// What is done to two numbers, the first before the second.
pub(super) trait Change: Clone + Send + 'static {
    /// How much of it can be done; 0 where nothing.
    fn most(run: &Run, left: usize, right: usize) -> u64;

    /// The values with so much of it done.
    fn changed(run: &Run, left: usize, right: usize, amount: u64) -> Option<Vec<Value>>;
}

/// Tries a change on each pair of numbers that are near each other: as much as can be at once, or
/// else as much as works.
#[derive(Clone)]
pub(super) struct Pairs<C> {
    left: usize,
    right: usize,
    /// `None`: as much as can be at once.
    grow: Option<Grow>,
    change: PhantomData<C>,
}

impl<C> Pairs<C> {
    pub(super) fn new() -> Self {
        Pairs {
            left: 0,
            right: 1,
            grow: None,
            change: PhantomData,
        }
    }
}

impl<C: Change> Search for Pairs<C> {
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
            let most = C::most(now, left, right);
            let amount = match &self.grow {
                _ if most == 0 => None,
                None => Some(most),
                // What has been done is done.
                Some(grow) => grow.next().map(|amount| amount - grow.works()),
            };
            if let Some(values) = amount.and_then(|amount| C::changed(now, left, right, amount)) {
                return Some(Attempt::any(values));
            }
            self.right += 1;
            self.grow = None;
        }
    }

    fn record(&mut self, now: &Run, adopted: bool) {
        let numbers = numbers(now);
        let most = match (numbers.get(self.left), numbers.get(self.right)) {
            (Some(&left), Some(&right)) => C::most(now, left, right),
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
pub(super) fn number(run: &Run, at: usize) -> Option<[i128; 4]> {
    let choice = run.choices.get(at)?;
    match (&choice.kind, &choice.value) {
        (&Kind::Integer { min, max, toward }, &Value::Integer(value)) => {
            Some([value, min, max, toward].map(i128::from))
        }
        _ => None,
    }
}
