//! The plain interface: a line for each event, and a line of counts that is redrawn.

use super::{Hub, Live};
use crate::problem::say;
use crate::shown::{ProgressLine, count};
use indicatif::HumanCount;
use nubbin_campaign::{Campaign, EventKind, NumberedEvent};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The interval at which the counts are redrawn without an event.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// Prints the events of a campaign on a thread.
pub(super) struct Lines {
    /// Whether tests are made, whose counts are of interest.
    is_fuzzing: bool,
    live: Arc<Mutex<Live>>,
    thread: JoinHandle<()>,
}

impl Lines {
    pub(super) fn start(folder: &Path, hub: &Hub, is_fuzzing: bool) -> Self {
        let events = hub.subscribe();
        let live = Arc::<Mutex<Live>>::default();
        let first = format!("campaign in {}", folder.display());
        let thread = std::thread::spawn({
            let live = Arc::clone(&live);
            move || print(&events, &live, &first, is_fuzzing)
        });
        Lines {
            is_fuzzing,
            live,
            thread,
        }
    }

    /// Shows the jobs of a campaign.
    pub(super) fn attach(&self, live: Live) {
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = live;
    }

    /// Waits for the last event, and prints the counts.
    pub(super) fn finish(self, campaign: &Campaign) {
        // The panic hook has already reported a panic.
        let _ = self.thread.join();
        let tests = campaign.tests();
        if !self.is_fuzzing && tests == 0 {
            return;
        }
        let seconds = campaign.elapsed().as_secs_f64();
        let rate = tests as f64 / seconds.max(1e-3);
        let rate = match rate < 10.0 {
            true => format!("{rate:.1}"),
            false => HumanCount(rate as u64).to_string(),
        };
        say(&format!(
            "{} in {seconds:.1} s ({rate} a second), {}",
            count(tests, "test"),
            count(campaign.new_issues(), "new issue")
        ));
    }
}

fn print(events: &Receiver<NumberedEvent>, live: &Mutex<Live>, first: &str, is_fuzzing: bool) {
    let progress = ProgressLine::start(first);
    let line = |text: &str| match &progress {
        Some(progress) => progress.say(text),
        None => say(text),
    };
    let (mut tests, mut failures) = (0, 0);
    let mut recent: (u64, Instant) = (0, Instant::now());
    let mut rate = 0.0;
    loop {
        match events.recv_timeout(LINE_INTERVAL) {
            Ok(told) => {
                let event = &told.event;
                match event.kind {
                    EventKind::Statistics => {
                        let count = |name: &str| event.facts[name].as_u64().unwrap_or(0);
                        tests += count("tests");
                        failures += count("failures");
                    }
                    EventKind::Loaded if !is_fuzzing && told.id.is_some() => {}
                    EventKind::IssueUpdated if !is_fuzzing => line(&shown(&told)),
                    kind if is_shown(kind) => line(&shown(&told)),
                    _ => {}
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let Some(progress) = &progress else {
            continue;
        };
        let since = recent.1.elapsed();
        if since >= LINE_INTERVAL {
            rate = (tests - recent.0) as f64 / since.as_secs_f64();
            recent = (tests, Instant::now());
        }
        let running = live
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .running();
        let others = running.iter().filter(|job| job.kind != "fuzz");
        let jobs: Vec<String> = others
            .map(|job| match job.issue {
                Some(issue) => format!("{} {issue} {}", job.kind, job.progress),
                None => job.kind.to_owned(),
            })
            .collect();
        progress.set(&format!(
            "{}, {}, {} failed  {}",
            crate::shown::tests(tests),
            crate::shown::rate(rate),
            HumanCount(failures),
            jobs.join(", ")
        ));
    }
    if let Some(progress) = progress {
        progress.finish();
    }
}

/// Returns whether an event has a line of its own.
fn is_shown(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::IssueAdded
            | EventKind::IssueInvalidated
            | EventKind::IssueReduced
            | EventKind::IssueRegressed
            | EventKind::Warning
            | EventKind::Paused
            | EventKind::Loaded
    )
}

fn shown(told: &NumberedEvent) -> String {
    let event = &told.event;
    match event.kind {
        EventKind::Warning => format!("warning: {}", event.text),
        _ => event.text.clone(),
    }
}
