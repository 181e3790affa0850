//! Describes the event for which a run waits.

use nubbin_reduce::engine::Waiting;
use std::time::Duration;

/// Describes a wait: "test running for 12 s".
pub(super) fn waiting(what: Waiting, time: Duration) -> String {
    let seconds = time.as_secs();
    match what {
        Waiting::Opening { pass } => format!("opening {pass} for {seconds} s"),
        _ => format!("test running for {seconds} s"),
    }
}
