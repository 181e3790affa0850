//! What a run may do next, the most probable first: the search behind all tests that run ahead.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Futures less likely than this are not worth a worker.
const TOO_UNLIKELY: f64 = 0.02;

/// The futures not looked at yet.
pub(crate) struct Futures<T> {
    heap: BinaryHeap<Future<T>>,
    born: u32,
    /// How many more may be looked at: known verdicts and dropped proposals are walked through.
    steps: usize,
}

/// One of them.
pub(crate) struct Future<T> {
    pub(crate) probability: f64,
    /// Order of discovery, so that equal odds have one order.
    pub(crate) born: u32,
    pub(crate) state: T,
}

impl<T> Futures<T> {
    /// None yet. `steps` bounds how many are looked at.
    pub(crate) fn new(steps: usize) -> Self {
        Futures {
            heap: BinaryHeap::new(),
            born: 0,
            steps,
        }
    }

    /// Adds a future that was found just now.
    pub(crate) fn add(&mut self, probability: f64, state: T) {
        self.born += 1;
        let born = self.born;
        self.put_back(Future {
            probability,
            born,
            state,
        });
    }

    /// Puts back a future that goes on without a test.
    pub(crate) fn put_back(&mut self, future: Future<T>) {
        self.heap.push(future);
    }

    /// Takes out the most probable future.
    pub(crate) fn next(&mut self) -> Option<Future<T>> {
        let future = self.heap.pop()?;
        self.steps = self.steps.saturating_sub(1);
        (self.steps > 0 && future.probability >= TOO_UNLIKELY).then_some(future)
    }
}

impl<T> PartialEq for Future<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Future<T> {}

impl<T> PartialOrd for Future<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Future<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        let likelier = self.probability.total_cmp(&other.probability);
        likelier.then(other.born.cmp(&self.born))
    }
}
