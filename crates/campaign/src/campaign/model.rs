use super::baseline::Baselines;
use super::known::KnownIdentities;
use super::suspicion::Suspicion;
use super::{Ended, Jobs, Limits};
use crate::event::{Event, EventKind, Listener, NumberedEvent};
use crate::schedule::{Budget, LaneId, Scheduler};
use crate::store::{JobRow, Store, StoreError};
use nubbin_oracle::PlaceCounts;
use nubbin_verdict::Cancel;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time for which a campaign waits before it tries a full disk again.
const FULL_WAIT: Duration = Duration::from_secs(2);

/// A campaign: its jobs, its schedule, and its database.
///
/// All threads share one database, behind a lock. A worker holds it while it picks a job and while
/// it records its end, which is about once a second.
pub struct Campaign {
    pub(super) jobs: Jobs,
    pub(super) budget: Budget,
    pub(super) limits: Limits,
    pub(super) began: Instant,
    pub(super) listeners: Vec<Box<dyn Listener>>,
    pub(super) known: KnownIdentities,
    pub(super) baselines: Baselines,
    /// The cancellation of each worker's current job.
    pub(super) cancels: Vec<Cancel>,
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
}

/// The state that the lock guards.
pub(super) struct State {
    pub(super) store: Store,
    pub(super) scheduler: Scheduler,
    pub(super) lanes: Vec<Lane>,
    pub(super) rows: HashMap<i64, JobRow>,
    pub(super) running: HashMap<usize, RunningJob>,
    /// The number of tests of the fuzz jobs in this run.
    pub(super) tests: u64,
    /// The number of tests that running slices may add.
    pub(super) reserved: u64,
    /// The number of new issues of this run.
    pub(super) issues: u64,
    pub(super) ended: Option<Ended>,
    /// The reason why no more tests are made, while other jobs go on.
    pub(super) fuzzed: Option<Ended>,
    /// The number of the last change by another process.
    pub(super) foreign: i64,
    pub(super) is_full: bool,
    /// The number of workers that have not finished.
    pub(super) workers: usize,
    /// The next update of each program, since the start.
    pub(super) updates: Vec<Option<Duration>>,
    pub(super) suspicion: Suspicion,
    /// The numbers of runs by machine that the database already has, for each program in this run.
    pub(super) places: Vec<PlaceCounts>,
    /// The numbers of runs with a refusal that are stored in the database, for each program in this
    /// run.
    pub(super) refused: Vec<u64>,
    /// The reason why the campaign cannot go on.
    pub(super) broken: Option<StoreError>,
}

/// A fuzz job that is under way.
pub(super) struct Lane {
    pub(super) id: LaneId,
    pub(super) running: Vec<Range<u64>>,
    /// Tests per second, of the last slices.
    pub(super) rate: f64,
    /// The number of failed attempts in a row.
    pub(super) failures: u32,
}

pub(super) struct RunningJob {
    pub(super) kind: &'static str,
    pub(super) program: usize,
    pub(super) lane: Option<usize>,
    pub(super) issue: Option<i64>,
    pub(super) progress: String,
    pub(super) began: Instant,
}

/// The campaign cannot go on; the reason is in its state.
pub(super) struct Broken;

impl Campaign {
    pub(super) fn end(&self, why: Ended) {
        let mut state = self.lock();
        state.ended = state.ended.or(Some(why));
        drop(state);
        self.cancels.iter().for_each(Cancel::cancel);
        self.changed.notify_all();
    }

    /// Writes to the database. While the disk is full, the campaign waits and says so.
    pub(super) fn store<'a, T>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        mut write: impl FnMut(&mut Store) -> Result<T, StoreError>,
    ) -> (MutexGuard<'a, State>, Result<T, Broken>) {
        loop {
            match write(&mut state.store) {
                Ok(done) => {
                    if std::mem::take(&mut state.is_full) {
                        self.send(&now(Event::new(EventKind::Loaded, "there is room again")));
                    }
                    return (state, Ok(done));
                }
                Err(error) if error.is_full() && state.ended.is_none() => {
                    if !std::mem::replace(&mut state.is_full, true) {
                        let text = format!("the campaign waits: {error}");
                        self.send(&now(Event::new(EventKind::Paused, text)));
                    }
                    state = self.sleep(state, FULL_WAIT);
                }
                Err(error) => {
                    state.broken.get_or_insert(error);
                    return (state, Err(Broken));
                }
            }
        }
    }

    /// Records an event and sends it to all listeners.
    pub(super) fn tell(&self, state: &mut State, event: Event) -> Result<(), Broken> {
        match state.store.record_event(event.clone()) {
            Ok(told) => self.send(&told),
            // The event is shown but not stored.
            Err(error) if error.is_full() => self.send(&now(event)),
            Err(error) => {
                state.broken.get_or_insert(error);
                return Err(Broken);
            }
        }
        Ok(())
    }

    pub(super) fn send(&self, told: &NumberedEvent) {
        for listener in &self.listeners {
            listener.receive(told);
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn sleep<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        time: Duration,
    ) -> MutexGuard<'a, State> {
        let slept = self.changed.wait_timeout(state, time);
        slept.unwrap_or_else(PoisonError::into_inner).0
    }

    pub(super) fn sleep_until_told<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
    ) -> MutexGuard<'a, State> {
        let slept = self.changed.wait(state);
        slept.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns an event that is not kept.
fn now(event: Event) -> NumberedEvent {
    NumberedEvent {
        id: None,
        at: crate::store::now(),
        event,
    }
}
