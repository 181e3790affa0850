use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A token that cancels a running test.
///
/// The engine keeps one clone and cancels when it no longer needs the verdict. The oracle polls
/// [`Cancel::is_cancelled`]. An oracle that waits for an external event registers a closure with
/// [`Cancel::on_cancel`] that ends the wait, for example by killing a process.
///
/// ```
/// use nubbin_verdict::Cancel;
/// use std::sync::atomic::{AtomicU32, Ordering};
/// use std::sync::Arc;
///
/// let kills = Arc::new(AtomicU32::new(0));
/// let cancel = Cancel::new();
/// {
///     let kills = Arc::clone(&kills);
///     let _guard = cancel.on_cancel(move || { kills.fetch_add(1, Ordering::SeqCst); });
///     cancel.cancel();
///     cancel.cancel();
/// }
/// assert!(cancel.is_cancelled());
/// assert_eq!(kills.load(Ordering::SeqCst), 1);
/// ```
#[derive(Clone, Default)]
pub struct Cancel {
    shared: Arc<Shared>,
}

type Wake = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct Shared {
    cancelled: AtomicBool,
    // The lock is held while the closure runs, so that dropping the guard waits for the closure.
    // Everything that the closure uses (a process id) remains valid until the closure has returned.
    wake: Mutex<Option<Wake>>,
}

impl Cancel {
    /// Creates a token that has not been canceled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns whether [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Acquire)
    }

    /// Cancels the test and runs the closure registered with [`Cancel::on_cancel`], at most once.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Release);
        if let Some(wake) = self.lock().take() {
            wake();
        }
    }

    /// Registers a closure for [`Cancel::cancel`] to run.
    ///
    /// The closure runs at once if the token is canceled already. Dropping the guard unregisters
    /// the closure. A closure registered earlier is replaced.
    #[must_use = "dropping the guard unregisters the closure"]
    pub fn on_cancel(&self, wake: impl FnOnce() + Send + 'static) -> OnCancel<'_> {
        let mut slot = self.lock();
        if self.is_cancelled() {
            *slot = None;
            wake();
        } else {
            *slot = Some(Box::new(wake));
        }
        drop(slot);
        OnCancel { cancel: self }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Wake>> {
        // A panic in the closure leaves no inconsistent state, so a poisoned lock is usable.
        self.shared
            .wake
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cancel")
            .field("cancelled", &self.is_cancelled())
            .finish()
    }
}

/// A guard that unregisters the closure of [`Cancel::on_cancel`] when it is dropped.
#[derive(Debug)]
pub struct OnCancel<'a> {
    cancel: &'a Cancel,
}

impl Drop for OnCancel<'_> {
    fn drop(&mut self) {
        *self.cancel.lock() = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn a_closure_registered_after_cancellation_runs_at_once() {
        let cancel = Cancel::new();
        cancel.cancel();
        let ran = Arc::new(AtomicU32::new(0));
        let seen = Arc::clone(&ran);
        let _guard = cancel.on_cancel(move || {
            seen.fetch_add(1, Ordering::SeqCst);
        });
        assert_eq!(ran.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_dropped_guard_unregisters_the_closure() {
        let cancel = Cancel::new();
        let ran = Arc::new(AtomicU32::new(0));
        let seen = Arc::clone(&ran);
        drop(cancel.on_cancel(move || {
            seen.fetch_add(1, Ordering::SeqCst);
        }));
        cancel.cancel();
        assert_eq!(ran.load(Ordering::SeqCst), 0);
    }
}
