//! Temporary errors: their causes may disappear by themselves.

use crate::program::is_elsewhere;
use std::error::Error;
use std::io;

/// Returns whether the reason of an error may pass by itself: a disk that is full may be emptied,
/// and another machine may come back.
pub(super) fn passes(error: &(dyn Error + 'static)) -> bool {
    is_full(error) || is_elsewhere(error)
}

/// Returns whether an error was caused by a full disk.
fn is_full(error: &(dyn Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let io = error.downcast_ref::<io::Error>();
        if io.is_some_and(|io| io.kind() == io::ErrorKind::StorageFull) {
            return true;
        }
        next = error.source();
    }
    false
}
