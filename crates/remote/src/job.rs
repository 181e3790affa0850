use crate::action::{Action, Packed, Template};
use crate::error::RemoteError;
use crate::script::Report;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// A test that waits for a slot.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) template: Arc<Template>,
    pub(crate) packed: Packed,
    /// The action with this test alone, under which its result is known to everyone.
    pub(crate) alone: Action,
    /// Whether the farm must not return a cached result.
    pub(crate) is_anew: AtomicBool,
    /// Whether the test must have a separate action, since an action with other tests failed.
    pub(crate) is_single: AtomicBool,
    /// The number of actions with this test alone that had no end because of a worker.
    pub(crate) broken: AtomicUsize,
    place: Mutex<Place>,
    changed: Condvar,
    is_cancelled: AtomicBool,
    running: Mutex<Option<Arc<Running>>>,
}

/// The slot or the end of a test.
#[derive(Debug)]
pub(crate) enum Place {
    /// The job waits for a slot, or the farm processes it.
    Waiting,
    /// The job may run in this slot of this machine.
    Here(usize),
    /// The job has run on the farm.
    Done(Result<Answer, RemoteError>),
    /// No caller waits for the job any more.
    Left,
}

/// The end of a test on the farm.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) report: Report,
    pub(crate) elapsed: Duration,
}

/// An action that runs for some jobs.
#[derive(Debug)]
pub(crate) struct Running {
    wanted: AtomicUsize,
    /// Notified when no job wants it any more.
    pub(crate) unwanted: Notify,
}

impl Running {
    fn leave(&self) {
        if self.wanted.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.unwanted.notify_one();
        }
    }
}

impl Job {
    pub(crate) fn new(template: Arc<Template>, packed: Packed, alone: Action) -> Self {
        Job {
            template,
            packed,
            alone,
            is_anew: AtomicBool::new(false),
            is_single: AtomicBool::new(false),
            broken: AtomicUsize::new(0),
            place: Mutex::new(Place::Waiting),
            changed: Condvar::new(),
            is_cancelled: AtomicBool::new(false),
            running: Mutex::new(None),
        }
    }

    /// Waits until the test has a slot or an end, or was canceled.
    pub(crate) fn wait(&self) -> Place {
        let mut place = self.place();
        while matches!(*place, Place::Waiting) && !self.is_cancelled() {
            let waited = self.changed.wait(place);
            place = waited.unwrap_or_else(PoisonError::into_inner);
        }
        std::mem::replace(&mut *place, Place::Left)
    }

    /// Gives the test a slot or a result. Returns whether a thread waits for the test.
    pub(crate) fn give(&self, new: Place) -> bool {
        let mut place = self.place();
        let waits = matches!(*place, Place::Waiting) && !self.is_cancelled();
        if waits {
            *place = new;
            self.changed.notify_all();
        }
        waits
    }

    pub(crate) fn cancel(&self) {
        {
            // The lock is held, so that the waiting thread does not miss the change.
            let _place = self.place();
            if self.is_cancelled.swap(true, Ordering::AcqRel) {
                return;
            }
            self.changed.notify_all();
        }
        if let Some(running) = &*self.running() {
            running.leave();
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&self) -> MutexGuard<'_, Option<Arc<Running>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Creates the record of an action that runs for the given jobs.
pub(crate) fn begin(jobs: &[Arc<Job>]) -> Arc<Running> {
    let running = Arc::new(Running {
        wanted: AtomicUsize::new(jobs.len()),
        unwanted: Notify::new(),
    });
    for job in jobs {
        let mut kept = job.running();
        *kept = Some(Arc::clone(&running));
        // A job that is canceled later sees the record.
        if job.is_cancelled() {
            *kept = None;
            running.leave();
        }
    }
    running
}

/// Forgets the action of the given jobs, which has ended.
pub(crate) fn end(jobs: &[Arc<Job>]) {
    for job in jobs {
        *job.running() = None;
    }
}
