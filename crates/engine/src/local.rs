use super::job::{Done, Job};
use super::stop::Stop;
use nubbin_edit::{Fingerprint, Input};
use nubbin_verdict::Oracle;
use std::collections::VecDeque;
use std::time::Duration;

/// A function that returns the time of a candidate's test on the simulated clock.
pub type TestTime<'a> = dyn Fn(&Input, Fingerprint) -> Duration + Sync + 'a;

/// Workers without threads. A test runs on the calling thread when the engine waits for it.
///
/// With a clock, this is a discrete-event simulation of any number of workers. A test ends when the
/// clock reaches the end of the test, and the clock only advances when the engine waits.
pub(crate) struct Local<'a> {
    oracle: &'a dyn Oracle,
    stop: Stop,
    time: Option<&'a TestTime<'a>>,
    now: Duration,
    slots: Vec<VecDeque<Test>>,
}

struct Test {
    job: Job,
    /// The time at which the test ends; `None` while the test waits for the test before it.
    ends: Option<Duration>,
}

impl<'a> Local<'a> {
    pub(super) fn new(
        oracle: &'a dyn Oracle,
        stop: Stop,
        time: Option<&'a TestTime<'a>>,
        count: usize,
    ) -> Self {
        Local {
            oracle,
            stop,
            time,
            now: Duration::ZERO,
            slots: (0..count).map(|_| VecDeque::new()).collect(),
        }
    }

    /// Returns the time on the simulated clock, if time is simulated.
    pub(super) fn now(&self) -> Option<Duration> {
        self.time.map(|_| self.now)
    }

    pub(super) fn start(&mut self, slot: usize, job: Job) {
        self.slots[slot].push_back(Test { job, ends: None });
        self.begin(slot);
    }

    /// Begins the first test of a worker.
    fn begin(&mut self, slot: usize) {
        if let Some(test) = self.slots[slot].front_mut()
            && test.ends.is_none()
            && !test.job.cancel.is_cancelled()
        {
            let time = |time: &TestTime<'_>| time(&test.job.input, test.job.print);
            test.ends = Some(self.now + self.time.map_or(Duration::ZERO, time));
        }
    }

    /// Returns the next test to end. A canceled test ends at once.
    pub(super) fn wait(&mut self) -> Option<Done> {
        let first = |slot: usize| Some((slot, self.slots[slot].front()?));
        let heads = || (0..self.slots.len()).filter_map(first);
        let cancelled = heads().find(|(_, test)| test.job.cancel.is_cancelled());
        let (slot, ends) = match cancelled {
            Some((slot, _)) => (slot, self.now),
            None => heads()
                .filter_map(|(slot, test)| Some((test.ends?, slot)))
                .min()
                .map(|(ends, slot)| (slot, ends))?,
        };
        self.now = ends;
        let Test { job, ends } = self.slots[slot].pop_front()?;
        self.begin(slot);
        // Only another thread can end a test on this thread, and it does so by a stop of the run.
        Some(job.run(slot, self.oracle, Some(self.stop.token()), ends.is_some()))
    }
}
