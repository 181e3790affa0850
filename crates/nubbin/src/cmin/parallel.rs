//! Work on numbered items by several threads.

use crate::problem::Problem;
use crate::signals::stopped;
use nubbin_reduce::engine::Stop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Calls `work` with the number of a thread and each number below `count`, and returns the results
/// in the order of these numbers. The first error ends the work.
pub(super) fn in_parallel<T: Send>(
    threads: usize,
    count: usize,
    stop: &Stop,
    work: impl Fn(usize, usize) -> Result<T, Problem> + Sync,
) -> Result<Vec<T>, Problem> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::default();
    let has_failed = AtomicBool::new(false);
    let run = |thread: usize| -> Result<(), Problem> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count || has_failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            check(stop)?;
            let result = work(thread, at)?;
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((at, result));
        }
    };
    let ends: Vec<Result<(), Problem>> = std::thread::scope(|scope| {
        let (run, has_failed) = (&run, &has_failed);
        let start = |thread: usize| {
            scope.spawn(move || {
                run(thread).inspect_err(|_| has_failed.store(true, Ordering::Relaxed))
            })
        };
        let threads: Vec<_> = (0..threads).map(start).collect();
        let ends = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
        ends.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    ends.into_iter().collect::<Result<(), Problem>>()?;
    check(stop)?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// Returns an error if the user stopped the run.
pub(super) fn check(stop: &Stop) -> Result<(), Problem> {
    match stop.is_requested() {
        true => Err(stopped().saying("stopped before all inputs had been run")),
        false => Ok(()),
    }
}
