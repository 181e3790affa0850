//! The state that all tests of this process share, in any slot of any oracle.

#[cfg(unix)]
use std::collections::HashMap;
#[cfg(unix)]
use std::sync::{Mutex, MutexGuard};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

static STARTING: RwLock<()> = RwLock::new(());
#[cfg(unix)]
static LEADERS: Mutex<Option<HashMap<i32, u64>>> = Mutex::new(None);

/// Returns a guard to hold while a process is started and, on Unix, entered.
pub(crate) fn start() -> RwLockReadGuard<'static, ()> {
    STARTING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a guard to hold while no process may be started.
pub(crate) fn close() -> RwLockWriteGuard<'static, ()> {
    STARTING.write().unwrap_or_else(PoisonError::into_inner)
}

/// Closes the gate until the end of this process. Threads that come to the gate wait forever.
pub(crate) fn close_for_good() {
    std::mem::forget(close());
}

/// Records a process that was started after `begin` ([`now`]) and is reaped by its slot.
#[cfg(unix)]
pub(crate) fn enter(pid: i32, begin: u64) {
    leaders().get_or_insert_default().insert(pid, begin);
}

/// The current time in clock ticks, the unit of the start times of processes.
#[cfg(unix)]
pub(crate) fn now() -> u64 {
    #[cfg(target_os = "linux")]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
        let nanos = u64::try_from(time.tv_nsec).unwrap_or(0);
        let ticks = rustix::param::clock_ticks_per_second();
        seconds * ticks + nanos * ticks / 1_000_000_000
    }
    #[cfg(not(target_os = "linux"))]
    0
}

/// Returns whether all running tests were started after the given time.
#[cfg(target_os = "linux")]
pub(crate) fn is_before_all(ticks: u64) -> bool {
    leaders()
        .as_ref()
        .is_none_or(|leaders| leaders.values().all(|&begin| ticks < begin))
}

/// Removes the record of a process that is about to be reaped.
#[cfg(unix)]
pub(crate) fn leave(pid: i32) {
    if let Some(leaders) = leaders().as_mut() {
        leaders.remove(&pid);
    }
}

/// Returns whether this process is reaped by its slot.
#[cfg(target_os = "linux")]
pub(crate) fn is_entered(pid: i32) -> bool {
    leaders()
        .as_ref()
        .is_some_and(|leaders| leaders.contains_key(&pid))
}

/// The processes that were started and not reaped yet.
#[cfg(unix)]
pub(crate) fn entered() -> Vec<i32> {
    let leaders = leaders();
    leaders.iter().flat_map(HashMap::keys).copied().collect()
}

#[cfg(unix)]
fn leaders() -> MutexGuard<'static, Option<HashMap<i32, u64>>> {
    LEADERS.lock().unwrap_or_else(PoisonError::into_inner)
}
