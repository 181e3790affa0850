//! Writes results and tells of them while files are run and failures are reduced, so that a run
//! that is stopped in any way keeps its findings.

use super::data::{Failures, failures};
use super::outcomes::Outcomes;
use super::progress::Progress;
use super::results::Results;
use crate::Hub;
use crate::problem::Problem;
use nubbin_campaign::{Event, EventKind, Reduction, Store};
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The interval at which smaller tests are written during a run.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The sources of the results.
pub(super) struct Recorded {
    pub(super) results: Results,
    /// The database is opened once, since another folder may replace this one later.
    pub(super) store: Store,
    pub(super) outcomes: Arc<Outcomes>,
    /// The extension of all files, if they have the same.
    pub(super) extension: Option<String>,
}

impl Recorded {
    pub(super) fn failures(&self) -> Result<Failures, Problem> {
        failures(&self.store, &self.outcomes, self.extension.as_deref())
    }
}

/// A thread that receives the events of a campaign.
pub(super) struct Recorder {
    hub: Hub,
    thread: JoinHandle<Recorded>,
}

impl Recorder {
    /// Starts to write the results of a campaign that sends its events to `hub`.
    pub(super) fn start(mut recorded: Recorded, hub: &Hub, mut progress: Progress) -> Self {
        let events = hub.subscribe();
        let thread = std::thread::spawn(move || {
            let mut looked = Instant::now();
            loop {
                let event = match events.recv_timeout(POLL_INTERVAL) {
                    Ok(told) => Some(told.event),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => {
                        progress.finish();
                        return recorded;
                    }
                };
                let is_due = match &event {
                    Some(event) => event.issue.is_some() || looked.elapsed() >= POLL_INTERVAL,
                    None => true,
                };
                if !is_due && !event.as_ref().is_some_and(is_told) {
                    continue;
                }
                looked = Instant::now();
                // If a result cannot be written now, it is written at the end, and that step
                // reports the error.
                let _ = look(&mut recorded, event.as_ref(), &mut progress);
            }
        });
        Recorder {
            hub: hub.clone(),
            thread,
        }
    }

    /// Ends the thread, and returns the written results.
    pub(super) fn finish(self) -> Option<Recorded> {
        // The hub is still open if the campaign could not start.
        self.hub.close();
        // The panic hook has already reported a panic.
        self.thread.join().ok()
    }
}

fn is_told(event: &Event) -> bool {
    matches!(event.kind, EventKind::Warning | EventKind::Paused)
}

/// Writes what is new, and tells of it.
fn look(
    recorded: &mut Recorded,
    event: Option<&Event>,
    progress: &mut Progress,
) -> Result<(), Problem> {
    let mut found = recorded.failures()?;
    let counts = recorded.outcomes.counts();
    if let Some(event) = event {
        progress.tell(event, &found, &recorded.results);
    }
    progress.count(counts, &found.of_files);
    // A test that did not fail again may not be a result.
    for list in [&mut found.of_files, &mut found.other] {
        list.retain(|failure| failure.issue.reduction != Reduction::None);
    }
    match found.all().next().is_none() {
        true => Ok(()),
        false => recorded.results.write(&found, &recorded.outcomes.all()),
    }
}
