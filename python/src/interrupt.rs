//! The end of a run by an exception: of the test, of an observer, or of a signal.

use nubbin_reduce::engine::Stop;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two looks for a signal.
const PERIOD: Duration = Duration::from_millis(50);

/// The first exception of a run, and the clock of the run.
///
/// The engine reads the clock at every step and while it waits, on the thread of the caller. So the
/// clock is also where signals are handled between tests.
pub(crate) struct Interrupt {
    begun: Instant,
    /// The time of the last look for a signal, in milliseconds.
    looked: AtomicU64,
    error: Mutex<Option<PyErr>>,
    stop: Stop,
}

impl Interrupt {
    pub(crate) fn new() -> Self {
        Interrupt {
            begun: Instant::now(),
            looked: AtomicU64::new(0),
            error: Mutex::new(None),
            stop: Stop::default(),
        }
    }

    /// Returns the handle that stops the run.
    pub(crate) fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Returns the time since the beginning. Handles signals from time to time.
    pub(crate) fn clock(&self) -> Duration {
        let now = self.begun.elapsed();
        let millis = now.as_millis() as u64;
        let last = self.looked.load(Ordering::Relaxed);
        if millis.saturating_sub(last) >= PERIOD.as_millis() as u64 {
            self.looked.store(millis, Ordering::Relaxed);
            // A handler runs here, and may raise: that of Ctrl-C raises `KeyboardInterrupt`.
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.end(error);
            }
        }
        now
    }

    /// Stops the run with an exception. Only the first one is kept.
    pub(crate) fn end(&self, error: PyErr) {
        let mut kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert(error);
        self.stop.request();
    }

    /// Returns whether the run has to end.
    pub(crate) fn has_ended(&self) -> bool {
        self.stop.is_requested()
    }

    /// Takes the exception that ended the run.
    pub(crate) fn take(&self) -> Option<PyErr> {
        let mut kept = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        kept.take()
    }
}
