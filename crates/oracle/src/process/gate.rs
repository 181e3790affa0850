//! What all tests of this process, of any slot and any oracle, must agree on.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

static STARTING: RwLock<()> = RwLock::new(());
static LEADERS: Mutex<Option<HashSet<i32>>> = Mutex::new(None);

/// Held while a process is started and entered with [`enter`].
pub(crate) fn start() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Held by what must not overlap with the start of a process.
pub(crate) fn close() -> RwLockWriteGuard<'static, ()> {
    STARTING.write().unwrap_or_else(PoisonError::into_inner)
}

/// Notes a process that a slot started and will reap itself.
pub(crate) fn enter(pid: i32) {
    leaders().get_or_insert_default().insert(pid);
}

/// The process is about to be reaped.
pub(crate) fn leave(pid: i32) {
    if let Some(leaders) = leaders().as_mut() {
        leaders.remove(&pid);
    }
}

/// Whether a slot will reap this process itself.
#[cfg(target_os = "linux")]
pub(crate) fn is_entered(pid: i32) -> bool {
    leaders()
        .as_ref()
        .is_some_and(|leaders| leaders.contains(&pid))
}

fn leaders() -> MutexGuard<'static, Option<HashSet<i32>>> {
    LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
}
