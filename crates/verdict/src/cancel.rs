use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Calls a running test off.
///
/// The engine keeps one end and cancels when the answer is not needed any more; the oracle polls
/// [`Cancel::is_cancelled`] or, where it waits for something outside, leaves a closure with
/// [`Cancel::on_cancel`] that ends the waiting (for a process: kills it).
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
    // Held while a wake-up runs, so that dropping the guard waits for it: whatever the closure
    // touches (a process id) stays valid until it has returned.
    wake: Mutex<Option<Wake>>,
}

impl Cancel {
    /// A token that has not been cancelled.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Acquire)
    }

    /// Calls the test off and runs the closure left with [`Cancel::on_cancel`], at most once.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Release);
        if let Some(wake) = self.lock().take() {
            wake();
        }
    }

    /// Leaves a closure to be run by [`Cancel::cancel`]; at once when that was called already.
    ///
    /// The closure is taken back when the guard is dropped. A closure left earlier is replaced.
    #[must_use = "the closure is taken back when the guard is dropped"]
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
        // A panic in a wake-up closure leaves nothing half done here.
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

/// Takes the closure of [`Cancel::on_cancel`] back when dropped.
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
    fn a_closure_left_after_the_call_runs_at_once() {
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
    fn a_dropped_guard_takes_the_closure_back() {
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
