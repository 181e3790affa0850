//! The part of a run that does not depend on the search: workers, known verdicts, limits, the
//! clock, and counts. Reductions, isolations, and explanations share it.

use super::cache::{Cache, CachedVerdict};
use super::counts::TestCounts;
use super::event::Waiting;
use super::job::Done;
use super::local::{Local, TestTime};
use super::outcome::Ended;
use super::stop::Stop;
use super::workers::{News, Workers};
use nubbin_edit::{Fingerprint, Input};
use nubbin_verdict::{Fault, Oracle, Unresolved, Verdict, VerdictKind};
use std::time::Duration;

/// The size in bytes above which the engine keeps as few copies of an input as possible.
pub(super) const LARGE_INPUT_BYTES: usize = 8 << 20;

/// The time between two reports about one wait, and before the first of them.
const REPORTED_EVERY: Duration = Duration::from_secs(2);

/// A wait for a test or an opening.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    begun: Duration,
    reported: Duration,
}

/// The workers for tests, and the limits that stop a run before its search ends.
#[derive(Clone)]
pub(crate) struct Limits<'a> {
    /// The number of worker threads. If it is `None`, tests run on the calling thread.
    pub(crate) jobs: Option<usize>,
    /// The time of each test, if workers and time are simulated.
    pub(crate) simulated: Option<&'a TestTime<'a>>,
    /// The maximum number of counted tests, including the tests of the given inputs and of the
    /// result.
    pub(crate) max_tests: Option<u64>,
    /// The number of these tests that the search reserves for the result.
    pub(crate) reserved: u64,
    /// The maximum number of tests in a row without [progress](RunContext::progressed).
    pub(crate) max_stalled: Option<u64>,
    pub(crate) max_time: Option<Duration>,
    /// The time that was spent before the run, which counts toward the time limit.
    pub(crate) spent: Duration,
    pub(crate) clock: &'a (dyn Fn() -> Duration + Sync),
    pub(crate) stop: Stop,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits {
            jobs: None,
            simulated: None,
            max_tests: None,
            reserved: 0,
            max_stalled: None,
            max_time: None,
            spent: Duration::ZERO,
            clock: &|| Duration::ZERO,
            stop: Stop::default(),
        }
    }
}

impl<'a> Limits<'a> {
    /// Starts the workers and calls `run` with them. The workers end when `run` returns.
    pub(crate) fn with_workers<T>(
        &self,
        oracle: &'a dyn Oracle,
        run: impl FnOnce(Workers<'a>) -> T,
    ) -> T {
        match (self.jobs, self.simulated) {
            (Some(jobs), None) => {
                std::thread::scope(|scope| run(Workers::threads(scope, oracle, jobs)))
            }
            (jobs, time) => {
                let count = jobs.unwrap_or(1);
                let local = Local::new(oracle, self.stop.clone(), time, count);
                run(Workers::local(count, local))
            }
        }
    }
}

/// An observer of a run with counts of type `S`.
pub(crate) trait RunObserver<S> {
    /// Receives the beginning or end of a test on a worker.
    fn worker(&mut self, _news: News, _counts: &S) {}

    /// Receives that the run has waited for the given time.
    fn waits(&mut self, _what: Waiting, _time: Duration, _counts: &S) {}
}

/// The context of a run. The context does not depend on the search.
pub(crate) struct RunContext<'a, S, O> {
    pub(super) workers: Workers<'a>,
    pub(super) cache: Cache,
    pub(crate) statistics: S,
    observer: Option<O>,
    limits: Limits<'a>,
    started: Duration,
    /// The current wait for a test to end.
    wait: Wait,
    /// The number of counted tests at the last progress. The first counted test is the test of the
    /// original.
    progressed_at: u64,
    /// The time that the search reserves for the test of the result.
    kept_time: Duration,
}

impl<'a, S: TestCounts, O: RunObserver<S>> RunContext<'a, S, O> {
    pub(crate) fn new(
        workers: Workers<'a>,
        limits: Limits<'a>,
        statistics: S,
        observer: Option<O>,
    ) -> Self {
        let started = workers.now().unwrap_or_else(|| (limits.clock)());
        RunContext {
            workers,
            cache: Cache::default(),
            statistics,
            observer,
            limits,
            started,
            wait: Wait {
                begun: Duration::ZERO,
                reported: Duration::ZERO,
            },
            progressed_at: 1,
            kept_time: Duration::ZERO,
        }
    }

    /// Reserves time for the test of the result. The test is expected to take at most as long as
    /// this test of the original, and at most half of the remaining time is reserved.
    pub(crate) fn keep_time(&mut self, test: Duration) {
        let most = self.limits.max_time.unwrap_or(Duration::ZERO) / 2;
        self.kept_time = test.min(most);
    }

    /// Updates the time in the statistics.
    pub(crate) fn tick(&mut self) {
        let elapsed = self.elapsed();
        self.statistics.set_elapsed(elapsed);
    }

    pub(crate) fn elapsed(&self) -> Duration {
        let now = self.workers.now().unwrap_or_else(|| (self.limits.clock)());
        now - self.started + self.limits.spent
    }

    /// Calls `tell` with the observer and the current statistics.
    pub(crate) fn emit(&mut self, tell: impl FnOnce(&mut O, &S)) {
        self.tick();
        if let Some(observer) = &mut self.observer {
            tell(observer, &self.statistics);
        }
    }

    pub(crate) fn check_time(&self) -> Result<(), Ended> {
        if self.is_stopped() {
            return Err(Ended::Stopped);
        }
        match self.limits.max_time {
            Some(most) if self.elapsed() + self.kept_time >= most => Err(Ended::MaxTime),
            _ => Ok(()),
        }
    }

    pub(crate) fn check_tests(&self) -> Result<(), Ended> {
        let (tests, limits) = (self.statistics.tests(), &self.limits);
        let stalled = tests.saturating_sub(self.progressed_at);
        if (limits.max_tests).is_some_and(|most| tests.saturating_add(limits.reserved) >= most) {
            return Err(Ended::MaxTests);
        }
        match limits.max_stalled {
            Some(most) if stalled >= most => Err(Ended::Stalled),
            _ => Ok(()),
        }
    }

    /// Records that the input has become smaller.
    pub(super) fn progressed(&mut self) {
        self.progressed_at = self.statistics.tests();
    }

    /// Returns the time at which a test of the result is stopped: the limit, or the time of two
    /// tests from now on if the search has ended too late for one.
    fn end_of_verification(&self) -> Option<Duration> {
        let least = self.elapsed() + self.kept_time * 2;
        self.limits.max_time.map(|most| most.max(least))
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.limits.stop.is_requested()
    }

    pub(crate) fn count(&mut self, kind: VerdictKind) {
        self.tick();
        self.statistics.count(kind);
    }

    /// Starts a test on a worker, if a worker has room.
    pub(super) fn start(&mut self, print: Fingerprint, input: Input) {
        if !self.workers.any_running() {
            self.wait = self.begin_wait();
        }
        self.workers.start(print, input);
        self.tell_news();
    }

    pub(super) fn begin_wait(&self) -> Wait {
        let now = self.elapsed();
        Wait {
            begun: now,
            reported: now,
        }
    }

    /// Reports a wait to the observer from time to time.
    pub(super) fn waits(&mut self, wait: &mut Wait, what: Waiting) {
        let now = self.elapsed();
        if now.saturating_sub(wait.reported) >= REPORTED_EVERY {
            wait.reported = now;
            let time = now.saturating_sub(wait.begun);
            self.emit(|observer, statistics| observer.waits(what, time, statistics));
        }
    }

    /// Starts the awaited test, if a worker is free and no worker has the test.
    pub(super) fn start_awaited(&mut self, print: Fingerprint, candidate: &Input) {
        if self.workers.has_free() && !self.workers.has(print) {
            self.start(print, candidate.clone());
        }
    }

    /// Waits for a test to end, for one pulse at most.
    pub(super) fn wait(&mut self) -> Option<Done> {
        let Some(done) = self.workers.wait() else {
            let mut wait = self.wait;
            self.waits(&mut wait, Waiting::Test);
            self.wait = wait;
            return None;
        };
        self.wait = self.begin_wait();
        self.tell_news();
        self.statistics.count_started(u64::from(done.begun));
        Some(done)
    }

    /// Waits as [`wait`](Self::wait) does, and keeps the verdict.
    pub(super) fn collect(&mut self) -> Option<(Done, Option<VerdictKind>)> {
        let done = self.wait()?;
        let kind = done.verdict.as_ref().ok().and_then(VerdictKind::of);
        if let Some(kind) = kind {
            self.cache.keep(done.print, kind);
        }
        Some((done, kind))
    }

    /// Cancels all tests and waits until they have ended. Their verdicts and faults are ignored.
    pub(crate) fn cancel_all(&mut self) {
        self.workers.cancel_except(|_| false);
        while self.workers.any_running() {
            let _ = self.wait();
        }
    }

    /// Runs tests at the same time without the cache, and returns their verdicts in order. No other
    /// test may run.
    pub(crate) fn judge_alone<const N: usize>(
        &mut self,
        inputs: [&Input; N],
    ) -> Result<[Verdict; N], Fault> {
        self.judge_until(inputs, None)
    }

    /// Runs tests as [`judge_alone`](Self::judge_alone) does, but stops them at a time.
    fn judge_until<const N: usize>(
        &mut self,
        inputs: [&Input; N],
        end: Option<Duration>,
    ) -> Result<[Verdict; N], Fault> {
        let mut verdicts = [const { Verdict::Unresolved(Unresolved::Cancelled) }; N];
        let (mut started, mut running) = (0, vec![]);
        while started < N || !running.is_empty() {
            if self.is_stopped() {
                self.workers.cancel_except(|_| false);
            }
            if end.is_some_and(|end| self.elapsed() >= end) {
                self.workers.cancel_except(|_| false);
                // Tests that have not started yet are skipped.
                started = N;
            }
            while started < N && self.workers.has_free() {
                let print = inputs[started].fingerprint();
                self.start(print, inputs[started].clone());
                running.push((print, started));
                started += 1;
            }
            let Some(done) = self.wait() else { continue };
            let verdict = done.verdict.inspect_err(|_| {
                // The other verdicts are not needed after a fault.
                self.workers.cancel_except(|_| false);
            })?;
            if let Some(ended) = running.iter().position(|(print, _)| *print == done.print) {
                verdicts[running.swap_remove(ended).1] = verdict;
            }
        }
        Ok(verdicts)
    }

    /// Tests the result of a run once more, without the cache. If there is no verdict, `ended` is
    /// changed to the reason, unless a limit on tests or on time leaves no room for the test.
    pub(crate) fn verify<const N: usize>(
        &mut self,
        inputs: [&Input; N],
        ended: &mut Ended,
    ) -> Option<[Verdict; N]> {
        if matches!(ended, Ended::Stopped | Ended::Fault(_)) {
            return None;
        }
        let tests = self.statistics.tests().saturating_add(N as u64);
        if self.limits.max_tests.is_some_and(|most| tests > most) {
            return None;
        }
        let end = self.end_of_verification();
        *ended = match self.judge_until(inputs, end) {
            Ok(verdicts)
                if verdicts
                    .iter()
                    .all(|verdict| VerdictKind::of(verdict).is_some()) =>
            {
                return Some(verdicts);
            }
            Ok(_) if !self.is_stopped() && end.is_some() => Ended::MaxTime,
            Ok(_) => Ended::Stopped,
            Err(fault) => Ended::Fault(fault),
        };
        None
    }

    /// Keeps a verdict for which the sequential path has asked.
    pub(crate) fn keep_asked(&mut self, print: Fingerprint, kind: VerdictKind) {
        self.cache.keep(print, kind);
        self.cache.ask(print);
    }

    /// Returns the verdict on a candidate of the sequential path, from the cache or a test, and
    /// whether a test has to be counted for it.
    ///
    /// Meanwhile, other workers run the tests that `ahead` returns, in that order. `ahead` receives
    /// the cache and the number of the other workers.
    pub(crate) fn ask(
        &mut self,
        candidate: &Input,
        ahead: impl FnOnce(&Cache, usize) -> Vec<Input>,
    ) -> Result<(VerdictKind, bool), Ended> {
        let print = candidate.fingerprint();
        match self.cache.ask(print) {
            Some(CachedVerdict::Before(kind)) => {
                self.statistics.count_cache_hit();
                return Ok((kind, false));
            }
            Some(CachedVerdict::Ahead(kind)) => {
                self.check_tests()?;
                return Ok((kind, true));
            }
            None => self.check_tests()?,
        }
        let kind = self.wait_for(candidate, ahead)?;
        self.keep_asked(print, kind);
        Ok((kind, true))
    }

    fn wait_for(
        &mut self,
        candidate: &Input,
        ahead: impl FnOnce(&Cache, usize) -> Vec<Input>,
    ) -> Result<VerdictKind, Ended> {
        let print = candidate.fingerprint();
        // The awaited test starts before the search for other tests, which takes time.
        self.start_awaited(print, candidate);
        let ahead = ahead(&self.cache, self.workers.count() - 1);
        let is_wanted = |running| ahead.iter().any(|next| next.fingerprint() == running);
        self.workers
            .cancel_except(|running| running == print || is_wanted(running));
        self.workers.make_way(print);
        let mut pending = ahead.into_iter().peekable();
        loop {
            if let Some(kind) = self.cache.peek(print) {
                return Ok(kind);
            }
            self.check_time()?;
            self.start_awaited(print, candidate);
            while let Some(input) = pending.next_if(|_| self.workers.has_room()) {
                let next = input.fingerprint();
                if !self.workers.has(next) && self.cache.peek(next).is_none() {
                    self.start(next, input);
                }
            }
            if let Some((done, _)) = self.collect() {
                done.verdict.map_err(Ended::Fault)?;
            }
        }
    }

    /// Reports all begun and ended tests to the observer.
    fn tell_news(&mut self) {
        while let Some(news) = self.workers.news() {
            self.emit(|observer, statistics| observer.worker(news, statistics));
        }
    }
}
