//! The threads of a campaign, which pick jobs and run them.

use super::model::State;
use super::{Broken, Campaign, Ended, Running, RunningJob};
use crate::event::{Event, EventKind};
use crate::schedule::{JobKind, Pick};
use crate::store::{RefusedRuns, StoreError};
use nubbin_oracle::PlaceCounts;
use std::time::Duration;

/// The interval at which a waiting campaign looks for jobs of other processes.
const LOOK_INTERVAL: Duration = Duration::from_secs(2);

impl Campaign {
    /// Runs the campaign until it ends.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database can no longer be used.
    pub fn run(&self) -> Result<Ended, StoreError> {
        if let Err(Broken) = self.begin() {
            return self.conclude();
        }
        std::thread::scope(|scope| {
            for slot in 0..self.budget.cores {
                scope.spawn(move || self.work(slot));
            }
            self.wait();
        });
        self.conclude()
    }

    /// Ends the campaign. Running jobs are stopped, and their results are recorded.
    pub fn stop(&self) {
        self.end(Ended::Stopped);
    }

    /// Makes the campaign read the database again, after an interface of this process has changed
    /// it.
    pub fn wake(&self) {
        // A worker that is about to wait holds the lock until it waits.
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Records a warning about the needs of tests, and sends it to all listeners.
    pub fn announce(&self, text: &str) {
        // A database that cannot be used ends the campaign at its next job.
        let _ = self.warn(text.to_owned());
    }

    /// Returns the running jobs.
    pub fn running(&self) -> Vec<Running> {
        let state = self.lock();
        let mut running: Vec<_> = state.running.iter().collect();
        running.sort_by_key(|(slot, _)| **slot);
        let shown = |(_, job): (&usize, &RunningJob)| Running {
            kind: job.kind,
            program: self.jobs.programs[job.program].program.name().to_owned(),
            generator: job.lane.map(|lane| self.jobs.fuzz[lane].generator.clone()),
            issue: job.issue,
            progress: job.progress.clone(),
            seconds: job.began.elapsed().as_secs_f64(),
        };
        running.into_iter().map(shown).collect()
    }

    /// Returns the number of tests of fuzz jobs since the start.
    pub fn tests(&self) -> u64 {
        self.lock().tests
    }

    /// Returns the number of new issues since the start.
    pub fn new_issues(&self) -> u64 {
        self.lock().issues
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    fn begin(&self) -> Result<(), Broken> {
        let mut state = self.lock();
        state.workers = self.budget.cores;
        self.tell(
            &mut state,
            Event::new(EventKind::Loaded, "the campaign runs"),
        )?;
        for job in &self.jobs.fuzz {
            let program = self.jobs.programs[job.program].program.name();
            let text = format!("{} on {program}", job.generator);
            let event = Event::new(EventKind::FuzzAdded, text)
                .fact("program", program)
                .fact("generator", &*job.generator);
            self.tell(&mut state, event)?;
        }
        Ok(())
    }

    fn conclude(&self) -> Result<Ended, StoreError> {
        let mut state = self.lock();
        match state.broken.take() {
            Some(error) => Err(error),
            None => Ok(state.ended.unwrap_or(Ended::Stopped)),
        }
    }

    /// Waits for the end of all workers, and ends the campaign when its time is up.
    fn wait(&self) {
        let mut state = self.lock();
        while state.workers > 0 {
            let left = self
                .limits
                .time
                .map(|time| time.saturating_sub(self.began.elapsed()));
            state = match left {
                Some(Duration::ZERO) if state.ended.is_none() => {
                    drop(state);
                    self.end(Ended::MaxTime);
                    self.lock()
                }
                Some(left) if state.ended.is_none() => self.sleep(state, left),
                _ => self.sleep_until_told(state),
            };
        }
    }

    /// Runs jobs until the campaign ends.
    fn work(&self, slot: usize) {
        // A panic in a job must not let the others wait for this worker forever.
        let _leave = Leave { campaign: self };
        while let Some(pick) = self.pick() {
            let done = match pick {
                Pick::Fuzz(lane) => self.run_slice(lane.0, slot),
                Pick::Job(job) => self.run_job(job, slot),
                Pick::Wait(_) | Pick::Nothing => Ok(()),
            };
            let mut state = self.lock();
            state.running.remove(&slot);
            self.record_places(&mut state);
            let done = done.and(self.record_refused(&mut state));
            drop(state);
            self.changed.notify_all();
            if let Err(Broken) = done {
                self.end(Ended::Stopped);
                return;
            }
        }
    }

    /// Stores the numbers of tests by place. If they cannot be stored now, they are stored later.
    fn record_places(&self, state: &mut State) {
        for (at, jobs) in self.jobs.programs.iter().enumerate() {
            let Some(counts) = jobs.program.runner().place_counts() else {
                continue;
            };
            let new = counts.since(&state.places[at]);
            let name = jobs.program.name();
            if new != PlaceCounts::default() && state.store.record_places(name, &new).is_ok() {
                state.places[at] = counts;
            }
        }
    }

    /// Stores the number of runs that reported a refusal of the sandbox, and sends a warning for
    /// the first refusal of each program.
    fn record_refused(&self, state: &mut State) -> Result<(), Broken> {
        for (at, jobs) in self.jobs.programs.iter().enumerate() {
            let refused = jobs.program.refused();
            let known = state.refused[at];
            let Some(refusal) = refused.refusals.last().filter(|_| refused.runs > known) else {
                continue;
            };
            let new = RefusedRuns {
                runs: refused.runs - known,
                line: refusal.line().to_owned(),
            };
            let name = jobs.program.name();
            if state.store.record_refused(name, &new).is_err() {
                continue;
            }
            state.refused[at] = refused.runs;
            if known == 0 {
                let text = format!(
                    "a test of {name} reports that the sandbox refused something: {}; if that \
                     hides failures, permit it with `writable` or `network`",
                    refusal.line()
                );
                let event = Event::new(EventKind::Warning, text).fact("program", name);
                self.tell(state, event)?;
            }
        }
        Ok(())
    }

    /// Waits for the next job. Returns `None` at the end.
    fn pick(&self) -> Option<Pick> {
        let mut state = self.lock();
        loop {
            if state.ended.is_some() || state.broken.is_some() {
                return None;
            }
            match self.look_outside(&mut state) {
                // The next job to end waits for free space.
                Err(error) if error.is_full() => {}
                Err(error) => {
                    state.broken = Some(error);
                    return None;
                }
                Ok(()) => {}
            }
            let now = self.began.elapsed();
            let pick = state.scheduler.pick(now);
            let is_idle = state.scheduler.running() == 0 && self.limits.stays;
            let until = match pick {
                Pick::Fuzz(_) | Pick::Job(_) => return Some(pick),
                Pick::Wait(until) => until,
                Pick::Nothing if self.limits.stays => None,
                Pick::Nothing => {
                    let why = state.fuzzed.unwrap_or(Ended::Complete);
                    drop(state);
                    self.end(why);
                    return None;
                }
            };
            let update = state.updates.iter().flatten().min().copied();
            // Another process cannot wake a worker, so an idle worker checks regularly.
            let look = is_idle.then(|| now + LOOK_INTERVAL);
            let until = [until, update, look].into_iter().flatten().min();
            state = match until {
                // Jobs that are ready but do not fit start when another job has ended.
                Some(until) if until > now => self.sleep(state, until - now),
                _ => self.sleep_until_told(state),
            };
        }
    }

    /// Reads the changes of other processes, and adds updates that are due.
    fn look_outside(&self, state: &mut State) -> Result<(), StoreError> {
        let foreign = state.store.foreign_changes()?;
        if foreign != state.foreign {
            state.foreign = foreign;
            state.take_jobs(&self.jobs)?;
            self.known.refresh(&state.store)?;
        }
        let now = self.began.elapsed();
        for at in 0..state.updates.len() {
            if state.updates[at].is_some_and(|due| due <= now) {
                state.updates[at] = None;
                let name = self.jobs.programs[at].program.name();
                state.store.add_job(JobKind::Update, name, None, false)?;
                state.take_jobs(&self.jobs)?;
                let text = format!("{name} is to be updated");
                let event = Event::new(EventKind::UpdateAdded, text).fact("program", name);
                let told = state.store.record_event(event)?;
                self.send(&told);
            }
        }
        Ok(())
    }
}

/// Counts a worker out when it ends in any way.
struct Leave<'a> {
    campaign: &'a Campaign,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        let mut state = self.campaign.lock();
        state.workers = state.workers.saturating_sub(1);
        drop(state);
        if std::thread::panicking() {
            self.campaign.end(Ended::Stopped);
        }
        self.campaign.changed.notify_all();
    }
}
