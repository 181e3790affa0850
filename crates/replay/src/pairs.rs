use super::grow::Grow;
use super::machine::{Attempt, Search};
use nubbin_choices::{Kind, Replay, Run, Value};
use std::marker::PhantomData;

/// The number of following numbers that are tried with each number.
const NEAR: usize = 4;

/// A change of two numbers, the first before the second.
pub(super) trait Change: Clone + Send + 'static {
    /// Returns the largest possible amount, or 0 if there is none.
    fn most(run: &Run, left: usize, right: usize) -> u64;

    /// Returns the values after a change by the given amount.
    fn changed(run: &Run, left: usize, right: usize, amount: u64) -> Option<Vec<Value>>;
}

/// Tries a change on each pair of neighboring numbers: first the largest amount, then the largest
/// amount that works.
#[derive(Clone)]
pub(super) struct Pairs<C> {
    left: usize,
    right: usize,
    /// The search for the amount; `None` while the largest amount is tried.
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
                // The adopted amount is already part of the run.
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
            // The largest amount was rejected.
            None => self.grow = Some(Grow::new(most.saturating_sub(1))),
            Some(grow) => grow.record(adopted),
        }
    }
}

/// Returns the places of the numbers.
fn numbers(run: &Run) -> Vec<usize> {
    let is_number = |&at: &usize| matches!(run.choices[at].kind, Kind::Integer { .. });
    (0..run.choices.len()).filter(is_number).collect()
}

/// Returns a number, its bounds, and its simplest value.
pub(super) fn number(run: &Run, at: usize) -> Option<[i128; 4]> {
    let choice = run.choices.get(at)?;
    match (&choice.kind, &choice.value) {
        (&Kind::Integer { min, max, toward }, &Value::Integer(value)) => {
            Some([value, min, max, toward].map(i128::from))
        }
        _ => None,
    }
}
