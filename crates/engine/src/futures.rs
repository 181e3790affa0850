//! The possible futures of a run, the most probable first. The search for tests to prefetch visits
//! them.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The least probability of a future that is worth a worker.
const TOO_UNLIKELY: f64 = 0.02;

/// The futures that the search has not visited yet.
pub(crate) struct Futures<T> {
    heap: BinaryHeap<Future<T>>,
    born: u32,
    /// The number of visits left. Known verdicts and dropped proposals use visits without a test.
    steps: usize,
}

/// A possible future of a run.
pub(crate) struct Future<T> {
    pub(crate) probability: f64,
    /// The order in which the future was discovered, for futures of equal probability.
    pub(crate) born: u32,
    pub(crate) state: T,
}

impl<T> Futures<T> {
    /// Creates an empty collection whose search ends after `steps` visits.
    pub(crate) fn new(steps: usize) -> Self {
        Futures {
            heap: BinaryHeap::new(),
            born: 0,
            steps,
        }
    }

    /// Adds a new future.
    pub(crate) fn add(&mut self, probability: f64, state: T) {
        self.born += 1;
        let born = self.born;
        self.put_back(Future {
            probability,
            born,
            state,
        });
    }

    /// Puts back a future that continues without a test.
    pub(crate) fn put_back(&mut self, future: Future<T>) {
        self.heap.push(future);
    }

    /// Removes and returns the most probable future. Returns `None` at the end of the search.
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
