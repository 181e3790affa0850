//! The state of a program that is about to end.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether this process is about to end, so that no verdict counts any more.
static IS_OVER: AtomicBool = AtomicBool::new(false);

/// Says that this process is about to end.
pub(crate) fn set() {
    IS_OVER.store(true, Ordering::SeqCst);
}

/// Waits forever in a process that is about to end.
pub(crate) fn wait_if_over() {
    while IS_OVER.load(Ordering::SeqCst) {
        std::thread::park();
    }
}
