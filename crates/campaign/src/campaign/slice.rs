//! A slice of a fuzz job, from its positions to the database.

use super::model::State;
use super::passing::passes;
use super::{Broken, Campaign, Ended, FuzzJob, RunningJob};
use crate::event::{Event, EventKind};
use crate::fuzz::{FuzzError, Slice, SliceEnd};
use crate::reasons::reasons;
use crate::schedule::JobKind;
use crate::store::Change;
use std::ops::Range;
use std::time::{Duration, Instant};

/// The time of a slice.
const SLICE: Duration = Duration::from_secs(1);
/// The number of tests of the first slice without a batch, and the maximum of later ones. A slice
/// leaves tests for which it has no time.
const FIRST_TESTS: u64 = 64;
const MAX_TESTS: u64 = 1 << 20;
/// The number of attempts in a row for a fuzz job that cannot be run.
const TRIES: u32 = 5;
/// The wait after the first of these.
const RETRY: Duration = Duration::from_secs(2);

impl Campaign {
    pub(super) fn run_slice(&self, lane: usize, slot: usize) -> Result<(), Broken> {
        let job = &self.jobs.fuzz[lane];
        let jobs = &self.jobs.programs[job.program];
        let program = &jobs.program;
        let Some(positions) = self.begin_slice(lane, slot)? else {
            return Ok(());
        };
        let reserved = positions.end - positions.start;
        let is_known = |identity: &_| self.known.has(program.name(), identity);
        let slice = Slice {
            positions: positions.clone(),
            slot,
            callers: self.callers(job),
            until: Instant::now() + SLICE,
            stop: &self.cancels[slot],
            is_known: &is_known,
        };
        let version = program.version();
        let begin = Instant::now();
        let ended = job.fuzz.slice(&slice);
        let end = match &ended {
            Ok(end) => end.clone(),
            // After an error, all positions count as not run.
            Err(_) => SliceEnd {
                unfinished: vec![positions.clone()],
                ..SliceEnd::default()
            },
        };
        let (mut state, changes) = self.store(self.lock(), |store| {
            let (program, generator) = (program.name(), &job.generator);
            let taken = (positions.clone(), &end);
            store.record_slice(program, generator, &version, taken, jobs.follow())
        });
        let changes = changes?;
        let new = changes.iter().filter(|change| change.is_new).count() as u64;
        let id = state.lanes[lane].id;
        state.lanes[lane]
            .running
            .retain(|range| *range != positions);
        state.scheduler.end_slice(id, begin.elapsed(), new);
        state.reserved -= reserved;
        state.tests += end.tests;
        state.issues += new;
        let run = reserved
            - end
                .unfinished
                .iter()
                .map(|it| it.end - it.start)
                .sum::<u64>();
        if end.time > Duration::ZERO && run > 0 {
            state.lanes[lane].rate = run as f64 / end.time.as_secs_f64();
        }
        match &ended {
            Ok(_) => state.lanes[lane].failures = 0,
            Err(_) if self.cancels[slot].is_cancelled() => {}
            Err(error) => self.put_off(&mut state, lane, error)?,
        }
        if end.exhausted {
            state.scheduler.exhaust(id);
            // How many tests show each issue is known now.
            if let Err(error) = state.order_jobs(&self.jobs) {
                state.broken.get_or_insert(error);
                return Err(Broken);
            }
            let text = format!("{} on {} has no more tests", job.generator, program.name());
            self.tell(&mut state, Event::new(EventKind::Removed, text))?;
        } else if let Some(wait) = end.wait {
            state.scheduler.delay(id, self.began.elapsed() + wait);
        }
        drop(state);
        let follow = self.jobs.programs[job.program].follow();
        self.follow_up(&changes, &job.generator, (job.program, follow))?;
        self.tell_end(job, &end, new)
    }

    /// Tells of the end of a slice, and ends the fuzzing after enough issues.
    fn tell_end(&self, job: &FuzzJob, end: &SliceEnd, new: u64) -> Result<(), Broken> {
        let program = self.jobs.programs[job.program].program.name();
        let mut state = self.lock();
        let is_expected = job.expects_failures;
        let is_last = end.exhausted || self.limits.tests.is_some_and(|most| state.tests >= most);
        let signs = (state.suspicion).count(program, end, new, (is_expected, is_last));
        for text in signs {
            self.tell(&mut state, Event::new(EventKind::Warning, text))?;
        }
        let event = Event::new(EventKind::Statistics, "")
            .fact("program", program)
            .fact("generator", &*job.generator)
            .fact("tests", end.tests)
            .fact("failures", end.failures);
        self.tell(&mut state, event)?;
        let is_enough = self.limits.issues.is_some_and(|most| state.issues >= most);
        if is_enough && state.fuzzed.is_none() {
            state.fuzzed = Some(Ended::MaxIssues);
            for at in 0..state.lanes.len() {
                let id = state.lanes[at].id;
                state.scheduler.exhaust(id);
            }
        }
        Ok(())
    }

    /// Delays a fuzz job that could not be run, or gives it up after several attempts.
    fn put_off(&self, state: &mut State, lane: usize, error: &FuzzError) -> Result<(), Broken> {
        let job = &self.jobs.fuzz[lane];
        let program = self.jobs.programs[job.program].program.name();
        let id = state.lanes[lane].id;
        let failures = state.lanes[lane].failures + 1;
        state.lanes[lane].failures = failures;
        let wait = RETRY * 2_u32.pow(failures.min(6) - 1);
        let is_over = failures >= TRIES && !passes(error);
        let then = match is_over {
            true => {
                state.scheduler.exhaust(id);
                "the generator is not tried again".to_owned()
            }
            false => {
                state.scheduler.delay(id, self.began.elapsed() + wait);
                format!("the generator is tried again in {} s", wait.as_secs())
            }
        };
        let text = format!("{} on {program}: {}; {then}", job.generator, reasons(error));
        let kind = match passes(error) {
            true => EventKind::Paused,
            false => EventKind::Warning,
        };
        self.tell(state, Event::new(kind, text))
    }

    /// The number of slices of a job that may run at the same time.
    fn callers(&self, job: &FuzzJob) -> usize {
        job.instances.min(self.budget.cores)
    }

    /// Takes the positions of a slice. Returns `None` if all tests were run.
    fn begin_slice(&self, lane: usize, slot: usize) -> Result<Option<Range<u64>>, Broken> {
        let job = &self.jobs.fuzz[lane];
        let program = self.jobs.programs[job.program].program.name();
        // A slice has at least as many tests as can run at the same time, however long they take.
        let least = self.jobs.programs[job.program]
            .program
            .at_once(self.callers(job)) as u64;
        let mut state = self.lock();
        let usual = match state.lanes[lane].rate {
            0.0 => FIRST_TESTS.max(least),
            // A slice has slightly more tests than its time allows.
            rate => ((rate * SLICE.as_secs_f64() * 1.25) as u64).clamp(least, MAX_TESTS),
        };
        let left = match self.limits.tests {
            None => u64::MAX,
            Some(tests) => tests.saturating_sub(state.tests + state.reserved),
        };
        let most = job.batch.unwrap_or(usual).min(usual).min(left);
        if most == 0 {
            let id = state.lanes[lane].id;
            state.scheduler.end_slice(id, Duration::ZERO, 0);
            match state.reserved {
                // No running slice could return unused tests.
                0 => state.scheduler.exhaust(id),
                _ => state.scheduler.delay(id, self.began.elapsed() + SLICE / 4),
            }
            state.fuzzed = state.fuzzed.or(Some(Ended::MaxTests));
            return Ok(None);
        }
        let running = state.lanes[lane].running.clone();
        let (mut state, taken) = self.store(state, |store| {
            store.take_positions(program, &job.generator, &running, most)
        });
        let taken = taken?;
        state.lanes[lane].running.push(taken.clone());
        state.reserved += taken.end - taken.start;
        state.running.insert(
            slot,
            RunningJob {
                kind: "fuzz",
                program: job.program,
                lane: Some(lane),
                issue: None,
                progress: format!("from test {}", taken.start + 1),
                began: Instant::now(),
            },
        );
        Ok(Some(taken))
    }

    /// Tells of issues that were met, and takes over the jobs that follow.
    pub(super) fn follow_up(
        &self,
        changes: &[Change],
        generator: &str,
        (program, follow): (usize, JobKind),
    ) -> Result<(), Broken> {
        let name = self.jobs.programs[program].program.name();
        for change in changes {
            self.known.add_once(name, &change.identity);
            let (kind, text) = if change.is_new {
                (EventKind::IssueAdded, "new issue")
            } else if change.is_regression {
                (EventKind::IssueRegressed, "back in another version: issue")
            } else if change.is_valid_again {
                (EventKind::IssueUpdated, "valid again: issue")
            } else if change.is_now_shown {
                (EventKind::IssueUpdated, "shown by a test of its own: issue")
            } else {
                continue;
            };
            let text = format!("{text} {}: {}", change.issue, change.identity);
            let event = Event::of_issue(kind, change.issue, text)
                .fact("program", name)
                .fact("generator", generator)
                .fact("identity", change.identity.to_string());
            let mut state = self.lock();
            self.tell(&mut state, event)?;
            let (kind, verb) = match change.job(follow) {
                Some(JobKind::Reduce) => (EventKind::ReduceAdded, "reduced"),
                _ => (EventKind::ValidateAdded, "validated"),
            };
            let text = format!("issue {} is to be {verb}", change.with_test);
            self.tell(&mut state, Event::of_issue(kind, change.issue, text))?;
            if let Err(error) = state.take_jobs(&self.jobs) {
                state.broken.get_or_insert(error);
                return Err(Broken);
            }
        }
        Ok(())
    }
}
