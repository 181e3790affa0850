use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A handle to skip passes and to pause a run. A clone of the handle can be used on another thread.
///
/// A request takes effect before the next test, and while the run waits for a test. A running test
/// on the thread of the reduction is not interrupted.
///
/// If passes were skipped or left out, the result depends on more than input, test, and seed.
/// [`Statistics::interventions`](super::Statistics::interventions) counts these requests. A pause
/// changes only the time.
///
/// ```
/// use nubbin_reduce::engine::{Control, Reduction};
/// use nubbin_reduce::input::Input;
/// use nubbin_reduce::auto;
/// use nubbin_verdict::Closure;
///
/// let input = Input::single("bug.txt", "first\nsecond crash\nthird\n").unwrap();
/// let oracle = Closure::new(|bytes: &[u8]| bytes.windows(5).any(|w| w == b"crash"));
/// let plan = auto::plan(&input);
/// let control = Control::default();
/// control.disable("lines");
/// let outcome = Reduction::new(input, &oracle, plan).control(control).run().unwrap();
/// assert!(outcome.statistics.passes.iter().all(|(pass, _)| *pass != "lines"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Control {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Whether the pass at work has to end. The next turn resets it.
    skip: AtomicBool,
    /// Whether `disabled` has elements, so that a step need not lock.
    any_disabled: AtomicBool,
    paused: AtomicBool,
    disabled: Mutex<BTreeSet<String>>,
    /// A signal that the pause has ended.
    resumed: Condvar,
}

/// The request that ends a pass early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Skipped,
    Disabled,
}

impl Control {
    /// Skips the pass at work, on all files, as if it had removed too little. The schedule may run
    /// the pass again later. The call has no effect if no pass is at work.
    pub fn skip_pass(&self) {
        self.shared.skip.store(true, Ordering::Release);
    }

    /// Disables a pass by its name. The pass ends if it is at work.
    pub fn disable(&self, pass: &str) {
        self.lock().insert(pass.to_owned());
        self.shared.any_disabled.store(true, Ordering::Release);
    }

    /// Enables a pass that was [disabled](Control::disable). The pass runs again at its next turn.
    /// If the plan has no turn left for the pass, the run ends without it.
    pub fn enable(&self, pass: &str) {
        let mut disabled = self.lock();
        disabled.remove(pass);
        let any = !disabled.is_empty();
        self.shared.any_disabled.store(any, Ordering::Release);
    }

    /// Returns whether a pass is disabled.
    pub fn is_disabled(&self, pass: &str) -> bool {
        self.shared.any_disabled.load(Ordering::Acquire) && self.lock().contains(pass)
    }

    /// Pauses the run until [`resume`](Control::resume) is called. No test starts, and running
    /// tests end normally. The clock does not stop, so a pause counts toward a time limit.
    pub fn pause(&self) {
        self.shared.paused.store(true, Ordering::Release);
    }

    /// Ends a pause.
    pub fn resume(&self) {
        let _disabled = self.lock();
        self.shared.paused.store(false, Ordering::Release);
        self.shared.resumed.notify_all();
    }

    /// Returns whether the run is paused.
    pub fn is_paused(&self) -> bool {
        self.shared.paused.load(Ordering::Acquire)
    }

    /// Resets a request to skip the previous pass at the start of a turn.
    pub(super) fn begin_turn(&self) {
        self.shared.skip.store(false, Ordering::Release);
    }

    /// Returns the request that ends the pass now, if there is one.
    pub(super) fn left(&self, pass: &str) -> Option<Left> {
        if self.shared.skip.load(Ordering::Acquire) {
            Some(Left::Skipped)
        } else if self.is_disabled(pass) {
            Some(Left::Disabled)
        } else {
            None
        }
    }

    /// Waits until the pause ends, but no longer than `most`.
    pub(super) fn wait(&self, most: Duration) {
        let disabled = self.lock();
        if self.is_paused() {
            // The caller checks again, since the wait may end for several reasons.
            let _ = self.shared.resumed.wait_timeout(disabled, most);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        // No code panics while the lock is held and the set is in between two states.
        let disabled = self.shared.disabled.lock();
        disabled.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_ends_one_turn_only() {
        let control = Control::default();
        control.begin_turn();
        assert_eq!(control.left("lines"), None);
        control.clone().skip_pass();
        assert_eq!(control.left("lines"), Some(Left::Skipped));
        control.begin_turn();
        assert_eq!(control.left("lines"), None);
    }

    #[test]
    fn a_disabled_pass_is_left_out_until_it_is_enabled() {
        let control = Control::default();
        control.disable("lines");
        control.disable("chars");
        control.begin_turn();
        assert_eq!(control.left("lines"), Some(Left::Disabled));
        assert_eq!(control.left("tokens"), None);
        control.enable("lines");
        assert_eq!(control.left("lines"), None);
        assert!(control.is_disabled("chars"));
    }

    #[test]
    fn resuming_ends_the_wait() {
        let control = Control::default();
        control.pause();
        let waits = control.clone();
        let thread = std::thread::spawn(move || {
            while waits.is_paused() {
                waits.wait(Duration::from_secs(600));
            }
        });
        control.resume();
        thread.join().unwrap();
    }
}
