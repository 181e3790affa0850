//! The state of a proposer, which may be disabled, with the reason.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The state of a proposer. A proposer that breaks is disabled.
#[derive(Default)]
pub(super) struct Parking {
    is_parked: AtomicBool,
    has_news: AtomicBool,
    why: Mutex<String>,
}

impl Parking {
    pub(super) fn is_parked(&self) -> bool {
        self.is_parked.load(Ordering::Acquire)
    }

    pub(super) fn park(&self, why: String) {
        *self.why.lock().unwrap_or_else(PoisonError::into_inner) = why;
        self.is_parked.store(true, Ordering::Release);
        self.has_news.store(true, Ordering::Release);
    }

    pub(super) fn news(&self) -> Option<String> {
        let is_new = self.has_news.swap(false, Ordering::AcqRel);
        is_new.then(|| {
            self.why
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        })
    }
}
