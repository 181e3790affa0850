//! The time limit of a whole run.

use crate::flags::ReduceAllFlags;
use nubbin_reduce::engine::Stop;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Stops a run when its time is over.
pub(super) struct Deadline(Option<(Sender<()>, JoinHandle<bool>)>);

impl Deadline {
    pub(super) fn start(time: Option<Duration>, stop: &Stop) -> Self {
        let started = time.map(|time| {
            let (sender, receiver) = channel();
            let stop = stop.clone();
            let thread = std::thread::spawn(move || {
                let is_late = receiver.recv_timeout(time) == Err(RecvTimeoutError::Timeout)
                    && !stop.is_requested();
                if is_late {
                    stop.request();
                }
                is_late
            });
            (sender, thread)
        });
        Deadline(started)
    }

    /// Returns whether the run was stopped by it.
    pub(super) fn finish(self) -> bool {
        let Some((sender, thread)) = self.0 else {
            return false;
        };
        let _ = sender.send(());
        thread.join().unwrap_or(false)
    }
}

/// Returns the time limit of the whole run.
pub(super) fn limit(flags: &ReduceAllFlags) -> Option<Duration> {
    let minutes = |minutes: f64| Duration::try_from_secs_f64(60.0 * minutes).ok();
    flags.max_time.or(flags.ci.and_then(minutes))
}
