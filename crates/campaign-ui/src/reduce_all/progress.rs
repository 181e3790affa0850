//! Lines about failures as they are found and reduced, and the count of files.

use super::data::{Failure, Failures};
use super::results::Results;
use crate::problem::say;
use crate::shown::count;
use crate::shown::{ProgressLine, warning};
use indicatif::HumanCount;
use nubbin_campaign::{Event, EventKind, Reduction};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The interval at which the count is printed where no line can be redrawn.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// The progress of a run.
pub(super) struct Progress {
    is_quiet: bool,
    /// The number of files in the folder.
    files: u64,
    line: Option<ProgressLine>,
    printed: Instant,
    last: String,
    /// The failures of files that were known at the last event.
    known: HashSet<i64>,
}

impl Progress {
    pub(super) fn start(files: u64, is_quiet: bool) -> Self {
        let first = format!("0 of {}", count(files, "file"));
        Progress {
            is_quiet,
            files,
            line: (!is_quiet).then(|| ProgressLine::start(&first)).flatten(),
            printed: Instant::now(),
            last: first,
            known: HashSet::new(),
        }
    }

    fn say(&self, text: &str) {
        match &self.line {
            _ if self.is_quiet => {}
            Some(line) => line.say(text),
            None => say(text),
        }
    }

    /// Tells of an event in terms of files and failures.
    pub(super) fn tell(&mut self, event: &Event, failures: &Failures, results: &Results) {
        let of = |id: i64| failures.all().find(|failure| failure.issue.id == id);
        let failure = event.issue.and_then(of);
        match (event.kind, failure) {
            // A failure without a file that shows it is reported at the end.
            (EventKind::IssueAdded | EventKind::IssueUpdated, Some(failure))
                if failure.seen > 0 && !self.known.contains(&failure.issue.id) =>
            {
                let first = failure.files.first().map_or("", |file| file);
                self.say(&format!("found    {} in `{first}`", failure.title));
            }
            (EventKind::IssueReduced, Some(failure)) => {
                let tests = event.facts["tests"].as_u64().unwrap_or(0);
                self.say(&format!(
                    "reduced  {} → {} in {}: {}",
                    HumanCount(failure.bytes_before as u64),
                    count(failure.bytes as u64, "byte"),
                    count(tests, "test"),
                    results.shown_path(failure).display(),
                ));
            }
            (EventKind::IssueInvalidated, _)
                if event.issue.is_some_and(|id| self.known.contains(&id)) =>
            {
                self.say("a failure did not show again when its file was run once more");
            }
            (EventKind::Warning | EventKind::Paused, _) => {
                self.say(&warning(&plain(event, failures)));
            }
            _ => {}
        }
        let known = failures.of_files.iter().map(|failure| failure.issue.id);
        self.known.extend(known);
    }

    /// Shows how many files were run, and how many failures are reduced.
    pub(super) fn count(&mut self, (ran, failing): (u64, u64), failures: &[Failure]) {
        let is_done = |failure: &&Failure| {
            let reduction = failure.issue.reduction;
            reduction.has_ended() || reduction == Reduction::Empty
        };
        let done = failures.iter().filter(is_done).count() as u64;
        let text = format!(
            "{} of {}, {} failing; {}, {} reduced",
            HumanCount(ran),
            count(self.files.max(ran), "file"),
            HumanCount(failing),
            count(failures.len() as u64, "failure"),
            HumanCount(done)
        );
        match &self.line {
            Some(line) => line.set(&text),
            None if self.printed.elapsed() >= LINE_INTERVAL && text != self.last => {
                self.say(&text);
                self.printed = Instant::now();
            }
            None => {}
        }
        self.last = text;
    }

    pub(super) fn finish(&mut self) {
        if let Some(line) = self.line.take() {
            line.finish();
        }
    }
}

/// Returns the text of an event with titles in place of numbers of issues.
fn plain(event: &Event, failures: &Failures) -> String {
    let mut text = event.text.clone();
    if let Some(id) = event.issue {
        let title = failures.all().find(|failure| failure.issue.id == id);
        let title = title.map_or("a failure", |failure| &failure.title);
        text = text.replace(&format!("issue {id}"), title);
    }
    text
}
