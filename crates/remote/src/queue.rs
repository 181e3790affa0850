//! The waiting tests and the free slots. The queue decides where each test runs.

use crate::job::{Job, Place};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The time that an action should run at least: it costs the farm some hundredths of a second.
const LEAST_ACTION: Duration = Duration::from_millis(500);
/// The weight of the newest time in an average.
const NEWEST: f64 = 0.2;

/// The slots of this machine and of the farm, and their measured speed.
#[derive(Debug)]
pub(crate) struct Queue {
    waiting: VecDeque<Arc<Job>>,
    free_here: Vec<usize>,
    /// The number of free slots of the farm.
    free_there: usize,
    /// The largest number of tests in an action.
    most_tests: usize,
    /// The time of a test on this machine.
    here: Average,
    /// The time of a test on a worker, without what is around it.
    there: Average,
    /// The time from the start of an action until its verdicts are received.
    turn: Average,
    /// The time of a question to the farm's cache.
    question: Average,
    /// The pause of the farm, if it has one.
    pub(crate) rest: Option<Rest>,
}

/// A period in which nothing is sent to the farm, since it did not respond or is full.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    pub(crate) until: Instant,
    pub(crate) pause: Duration,
}

#[derive(Clone, Copy, Debug, Default)]
struct Average(Option<f64>);

impl Average {
    fn add(&mut self, time: Duration) {
        let time = time.as_secs_f64();
        let old = self.0.unwrap_or(time);
        self.0 = Some(old + (time - old) * NEWEST);
    }
}

impl Queue {
    pub(crate) fn new(here: usize, there: usize, first: Duration, most_tests: usize) -> Self {
        let mut queue = Queue {
            waiting: VecDeque::new(),
            free_here: (0..here).rev().collect(),
            free_there: there,
            most_tests: most_tests.max(1),
            here: Average::default(),
            there: Average::default(),
            turn: Average::default(),
            question: Average::default(),
            rest: None,
        };
        if first > Duration::ZERO {
            queue.here.add(first);
            queue.there.add(first);
        }
        queue
    }

    /// The number of tests in one action.
    pub(crate) fn bundle(&self) -> usize {
        let time = self.there.0.unwrap_or(1.0).max(1e-6);
        let count = (LEAST_ACTION.as_secs_f64() / time).ceil();
        (count as usize).clamp(1, self.most_tests)
    }

    /// Takes a slot of this machine for a test that need not be looked up: the question would take
    /// longer than a quarter of the test.
    pub(crate) fn take_unasked(&mut self) -> Option<usize> {
        let is_short = match (self.here.0, self.question.0) {
            (Some(here), Some(question)) => here < 4.0 * question,
            _ => false,
        };
        (is_short || self.rest.is_some())
            .then(|| self.free_here.pop())
            .flatten()
    }

    /// Takes a test that the farm does not know. Returns whether it waits for the farm.
    pub(crate) fn add(&mut self, job: Arc<Job>) -> bool {
        let is_faster_here = match (self.here.0, self.turn.0) {
            (Some(here), Some(turn)) => here <= turn,
            _ => true,
        };
        let is_free_there = self.free_there > 0 && self.rest.is_none();
        if (is_faster_here || !is_free_there)
            && let Some(slot) = self.free_here.pop()
        {
            if !job.give(Place::Here(slot)) {
                self.free_here.push(slot);
            }
            return false;
        }
        self.waiting.push_back(job);
        true
    }

    /// Takes back a test whose action had no end.
    pub(crate) fn put_back(&mut self, job: Arc<Job>) {
        if !job.is_cancelled() {
            self.waiting.push_front(job);
        }
    }

    /// Gives waiting tests the free slots of this machine.
    pub(crate) fn fill_here(&mut self) {
        while let (Some(&slot), false) = (self.free_here.last(), self.waiting.is_empty()) {
            let Some(job) = self.waiting.pop_front() else {
                return;
            };
            if job.give(Place::Here(slot)) {
                self.free_here.pop();
            }
        }
    }

    /// Frees a slot of this machine, which the next waiting test takes.
    pub(crate) fn free_here(&mut self, slot: usize, time: Option<Duration>) {
        if let Some(time) = time {
            self.here.add(time);
        }
        self.free_here.push(slot);
        self.fill_here();
    }

    /// Returns whether an action could begin, and whether it would be full.
    pub(crate) fn is_ready(&mut self) -> (bool, bool) {
        self.waiting.retain(|job| !job.is_cancelled());
        let is_ready = self.free_there > 0 && self.rest.is_none() && !self.waiting.is_empty();
        (is_ready, self.waiting.len() >= self.bundle())
    }

    /// Takes the tests of the next action, and a slot of the farm for it.
    pub(crate) fn take_bundle(&mut self) -> Vec<Arc<Job>> {
        if !self.is_ready().0 {
            return vec![];
        }
        let most = self.bundle();
        let mut bundle: Vec<Arc<Job>> = vec![];
        let mut at = 0;
        while at < self.waiting.len() && bundle.len() < most {
            let job = &self.waiting[at];
            let is_single = job.is_single.load(Ordering::Relaxed);
            let fits = bundle.first().is_none_or(|first| {
                Arc::ptr_eq(&first.template, &job.template)
                    && !is_single
                    && !first.is_single.load(Ordering::Relaxed)
            });
            match fits {
                true => bundle.extend(self.waiting.remove(at)),
                false => at += 1,
            }
        }
        self.free_there -= 1;
        bundle
    }

    pub(crate) fn free_there(&mut self) {
        self.free_there += 1;
    }

    pub(crate) fn learn_turn(&mut self, time: Duration) {
        self.turn.add(time);
    }

    pub(crate) fn learn_there(&mut self, time: Duration) {
        self.there.add(time);
    }

    pub(crate) fn learn_question(&mut self, time: Duration) {
        self.question.add(time);
    }
}
