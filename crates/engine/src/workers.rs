use super::flaky::Sampling;
use super::job::{Done, Job};
use super::local::Local;
use nubbin_edit::{Fingerprint, Input};
use nubbin_verdict::{Cancel, Oracle, VerdictKind};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread::Scope;
use std::time::Duration;

/// The time after which a waiting coordinator checks again whether it has to stop.
pub(super) const PULSE: Duration = Duration::from_millis(20);

/// The workers that run tests.
pub(crate) struct Workers<'a> {
    crew: Crew<'a>,
    /// The tests of each worker. The first test is running, and the others wait.
    slots: Vec<VecDeque<Test>>,
    /// The maximum number of tests of a worker.
    depth: usize,
    /// The current rule for flaky tests.
    sampling: Option<Sampling>,
    /// The starts and ends of tests that the observer does not know yet, in order.
    news: VecDeque<News>,
}

enum Crew<'a> {
    /// Threads, each of which tests one candidate at a time.
    Threads {
        jobs: Vec<SyncSender<Job>>,
        results: Receiver<Done>,
    },
    /// No threads: tests run on the thread of the coordinator.
    Local(Local<'a>),
}

/// The largest number of tests of a worker while tests are short: the running one, and one more, so
/// that the worker need not wait for the coordinator in between.
const DEPTH: usize = 2;

struct Test {
    print: Fingerprint,
    bytes: usize,
    cancel: Cancel,
}

impl Test {
    /// Returns whether the test gives a verdict on the given candidate. A canceled test does not.
    fn will_answer(&self, print: Fingerprint) -> bool {
        self.print == print && !self.cancel.is_cancelled()
    }
}

/// The start or end of a test, as far as the coordinator knows. A test that waited starts when the
/// coordinator has received the verdict on the test before it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum News {
    Begun { worker: usize, bytes: usize },
    Ended { worker: usize, answered: bool },
}

impl<'a> Workers<'a> {
    /// Starts the threads. The threads end when the `Workers` are dropped.
    pub(super) fn threads<'scope>(
        scope: &'scope Scope<'scope, '_>,
        oracle: &'scope dyn Oracle,
        count: usize,
    ) -> Self {
        let (done, results) = channel();
        let jobs = (0..count)
            .map(|slot| {
                let (jobs, inbox) = sync_channel::<Job>(DEPTH);
                let done = done.clone();
                scope.spawn(move || {
                    for job in inbox {
                        // The coordinator has ended if results cannot be sent.
                        if done.send(job.run(slot, oracle, None, false)).is_err() {
                            break;
                        }
                    }
                });
                jobs
            })
            .collect();
        Workers::new(count, Crew::Threads { jobs, results })
    }

    /// Creates `count` workers on the calling thread.
    pub(super) fn local(count: usize, local: Local<'a>) -> Self {
        Workers::new(count, Crew::Local(local))
    }

    fn new(count: usize, crew: Crew<'a>) -> Self {
        Workers {
            crew,
            slots: (0..count).map(|_| VecDeque::new()).collect(),
            depth: DEPTH,
            sampling: None,
            news: VecDeque::new(),
        }
    }

    /// Sets whether each worker may have a next test waiting.
    pub(super) fn set_queue(&mut self, queue: bool) {
        self.depth = if queue { DEPTH } else { 1 };
    }

    /// Returns whether each worker may have a next test waiting.
    pub(super) fn queue(&self) -> bool {
        self.depth > 1
    }

    /// Returns the time on the simulated clock, if time is simulated.
    pub(super) fn now(&self) -> Option<Duration> {
        match &self.crew {
            Crew::Local(local) => local.now(),
            Crew::Threads { .. } => None,
        }
    }

    /// Sets the rule for flaky tests, and returns the previous rule.
    pub(super) fn set_sampling(&mut self, new: Option<Sampling>) -> Option<Sampling> {
        std::mem::replace(&mut self.sampling, new)
    }

    /// Returns the number of tests that can run at the same time.
    pub(super) fn count(&self) -> usize {
        self.slots.len()
    }

    /// Returns whether a test runs or waits, and was not canceled.
    pub(super) fn has(&self, print: Fingerprint) -> bool {
        self.tests().any(|test| test.will_answer(print))
    }

    /// Returns whether a worker has no test.
    pub(super) fn has_free(&self) -> bool {
        self.slots.iter().any(VecDeque::is_empty)
    }

    /// Returns whether a worker can receive a test, to run it now or next.
    pub(super) fn has_room(&self) -> bool {
        self.slots.iter().any(|tests| tests.len() < self.depth)
    }

    /// Starts a test on the worker with the fewest tests, if a worker has room.
    pub(super) fn start(&mut self, print: Fingerprint, input: Input) {
        let slots = self.slots.iter_mut().enumerate();
        let open = slots.filter(|(_, tests)| tests.len() < self.depth);
        let Some((worker, tests)) = open.min_by_key(|(_, tests)| tests.len()) else {
            return;
        };
        let cancel = Cancel::new();
        let bytes = input.size();
        let job = Job {
            print,
            input,
            cancel: cancel.clone(),
            sampling: self.sampling,
        };
        match &mut self.crew {
            Crew::Threads { jobs, .. } => {
                if jobs[worker].send(job).is_err() {
                    return;
                }
            }
            Crew::Local(local) => local.start(worker, job),
        }
        if tests.is_empty() {
            self.news.push_back(News::Begun { worker, bytes });
        }
        tests.push_back(Test {
            print,
            bytes,
            cancel,
        });
    }

    /// Cancels the tests that are not wanted.
    pub(super) fn cancel_except(&mut self, wanted: impl Fn(Fingerprint) -> bool) {
        for test in self.tests().filter(|test| !wanted(test.print)) {
            test.cancel.cancel();
        }
    }

    /// Cancels the tests that wait for another test.
    pub(super) fn cancel_waiting(&self) {
        let waiting = self.slots.iter().flat_map(|tests| tests.iter().skip(1));
        waiting.for_each(|waiting| waiting.cancel.cancel());
    }

    /// Removes and returns the oldest start or end of a test that the observer does not know yet.
    pub(super) fn news(&mut self) -> Option<News> {
        self.news.pop_front()
    }

    /// Frees a worker for a test as soon as possible. Cancels the tests before it, or all waiting
    /// tests if no worker has the test yet.
    pub(super) fn make_way(&mut self, print: Fingerprint) {
        let place = |tests: &VecDeque<Test>| tests.iter().position(|test| test.will_answer(print));
        let mut slots = self.slots.iter();
        match slots.find_map(|tests| Some((tests, place(tests)?))) {
            Some((tests, place)) => {
                let before = tests.iter().take(place);
                before.for_each(|before| before.cancel.cancel());
            }
            None => self.cancel_waiting(),
        }
    }

    /// Waits for a test to end, for one pulse at most.
    pub(super) fn wait(&mut self) -> Option<Done> {
        let done = match &mut self.crew {
            Crew::Threads { results, .. } => match results.recv_timeout(PULSE) {
                Ok(done) => done,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            },
            Crew::Local(local) => local.wait()?,
        };
        // A worker runs its tests in the order of their start.
        let tests = &mut self.slots[done.slot];
        tests.pop_front();
        let worker = done.slot;
        let verdict = done.verdict.as_ref();
        let answered = verdict.is_ok_and(|verdict| VerdictKind::of(verdict).is_some());
        self.news.push_back(News::Ended { worker, answered });
        if let Some(&Test { bytes, .. }) = tests.front() {
            self.news.push_back(News::Begun { worker, bytes });
        }
        Some(done)
    }

    /// Returns whether tests run on threads, and not on the thread of the caller.
    pub(super) fn are_threads(&self) -> bool {
        matches!(self.crew, Crew::Threads { .. })
    }

    /// Returns whether a test runs or waits.
    pub(super) fn any_running(&self) -> bool {
        self.tests().next().is_some()
    }

    fn tests(&self) -> impl Iterator<Item = &Test> {
        self.slots.iter().flatten()
    }
}
