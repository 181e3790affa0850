//! Work on numbered items by several threads.

use crate::problem::Problem;
use crate::signals::stopped;
use nubbin_reduce::engine::Stop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Calls `work` with the number of a thread and each number below `count`, and returns the results
/// in the order of these numbers. The first error ends the work: it requests the stop that each
/// call gets, as a request of `stop` does.
pub(super) fn in_parallel<T: Send>(
    threads: usize,
    count: usize,
    stop: &Stop,
    work: impl Fn(usize, usize, &Stop) -> Result<T, Problem> + Sync,
) -> Result<Vec<T>, Problem> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::default();
    let first: Mutex<Option<Problem>> = Mutex::default();
    // One token wakes one running test, so each thread has a token.
    let stops: Arc<[Stop]> = (0..threads).map(|_| Stop::default()).collect();
    let stop_all = {
        let stops = Arc::clone(&stops);
        move || stops.iter().for_each(Stop::request)
    };
    let _linked = stop.token().on_cancel(stop_all.clone());
    let run = |thread: usize| -> Result<(), Problem> {
        let stop = &stops[thread];
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return Ok(());
            }
            check(stop)?;
            let result = work(thread, at, stop)?;
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((at, result));
        }
    };
    std::thread::scope(|scope| {
        let (run, first, stop_all) = (&run, &first, &stop_all);
        let start = |thread: usize| {
            scope.spawn(move || {
                if let Err(problem) = run(thread) {
                    let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert(problem);
                    drop(first);
                    stop_all();
                }
            })
        };
        let threads: Vec<_> = (0..threads).map(start).collect();
        for thread in threads {
            let end = thread.join();
            end.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    if let Some(problem) = first.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(problem);
    }
    check(stop)?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

/// Returns an error if the end of the run was requested.
pub(super) fn check(stop: &Stop) -> Result<(), Problem> {
    match stop.is_requested() {
        true => Err(stopped().saying("stopped before all inputs had been run")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    /// Waits until the end of the work is requested, and at most a minute.
    fn wait(stop: &Stop) -> Result<(), Problem> {
        let (sender, receiver) = channel();
        let _guard = stop.token().on_cancel(move || {
            let _ = sender.send(());
        });
        let _ = receiver.recv_timeout(Duration::from_secs(60));
        check(stop)
    }

    #[test]
    fn the_first_error_stops_all_threads_and_is_returned() {
        let stop = Stop::default();
        let result = in_parallel(3, 9, &stop, |_, at, stop| match at {
            2 => Err(Problem::new(Exit::Input, "broken")),
            _ => wait(stop),
        });
        assert_eq!(result.unwrap_err().exit(), Exit::Input);
        assert!(!stop.is_requested());
    }

    #[test]
    fn a_request_stops_all_threads() {
        let stop = Stop::default();
        let result = in_parallel(3, 9, &stop, |_, at, own| {
            if at == 2 {
                stop.request();
            }
            wait(own)
        });
        assert_eq!(result.unwrap_err().exit(), Exit::Stopped);
    }
}
