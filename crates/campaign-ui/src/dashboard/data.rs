//! The data of the dashboard: facts of the database, the jobs that run, and the last events.

use crate::view::curve::Curve;
use nubbin_campaign::{
    Event, EventKind, Issue, IssueFilter, IssueRow, IssueState, JobRow, NumberedEvent, Running,
    Store, StoreError,
};
use std::collections::VecDeque;
use std::time::Duration;

/// The number of messages that are kept.
const MESSAGES: usize = 200;

/// The time over which rates are taken. Slices of fuzz jobs end about once a second.
const RATE: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub(super) struct Data {
    pub(super) folder: String,
    pub(super) running: Vec<Running>,
    /// The jobs that wait.
    pub(super) queued: Vec<JobRow>,
    pub(super) figures: Vec<Figures>,
    pub(super) issues: Vec<IssueRow>,
    /// The issue whose page is shown.
    pub(super) issue: Option<Issue>,
    pub(super) counts: Vec<(IssueState, u64)>,
    pub(super) messages: VecDeque<Message>,
    /// The tests of all fuzz jobs.
    pub(super) tests: Curve,
    /// Whether the campaign waits, since the disk is full.
    pub(super) is_paused: bool,
    /// Whether no more events come.
    pub(super) is_over: bool,
    /// The reason why the database could not be read.
    pub(super) problem: Option<String>,
    /// The time of the facts in milliseconds since 1970.
    pub(super) at: i64,
}

/// The counts of a generator on a program, over all its versions.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    pub(super) program: String,
    pub(super) generator: String,
    pub(super) tests: u64,
    pub(super) failures: u64,
    pub(super) issues: u64,
    history: Curve,
}

impl Figures {
    /// Returns the tests per second, of the last seconds.
    pub(super) fn rate(&self, now: Duration) -> f64 {
        self.history.rate(now, RATE)
    }
}

/// An event, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) at: i64,
    pub(super) text: String,
    pub(super) is_warning: bool,
}

impl Data {
    /// Reads the facts again. Facts that cannot be read are not changed.
    pub(super) fn read(
        &mut self,
        store: &Store,
        running: Vec<Running>,
        filter: &IssueFilter,
        issue: Option<i64>,
        now: Duration,
    ) {
        self.at = nubbin_campaign::now();
        self.running = running;
        let read = self.try_read(store, filter, issue, now);
        self.problem = read.err().map(|error| error.to_string());
    }

    fn try_read(
        &mut self,
        store: &Store,
        filter: &IssueFilter,
        issue: Option<i64>,
        now: Duration,
    ) -> Result<(), StoreError> {
        self.queued = store.jobs()?;
        let running = &self.running;
        self.queued.retain(|job| {
            !running.iter().any(|it| {
                it.kind == job.kind.name() && it.program == job.program && it.issue == job.issue
            })
        });
        self.issues = store.issue_list(filter)?;
        self.counts = store.issue_counts()?;
        self.issue = match issue {
            Some(id) => store.issue(id)?,
            None => None,
        };
        self.count(store, now)
    }

    /// Adds the counts of all versions up.
    fn count(&mut self, store: &Store, now: Duration) -> Result<(), StoreError> {
        let mut before = std::mem::take(&mut self.figures);
        for row in store.statistics()? {
            let is_same = |it: &Figures| it.program == row.program && it.generator == row.generator;
            match self.figures.last_mut().filter(|last| is_same(last)) {
                Some(last) => {
                    last.tests += row.tests;
                    last.failures += row.failures;
                    last.issues += row.issues;
                }
                None => {
                    let known = before.iter_mut().find(|it| is_same(it));
                    let history = known.map(|it| std::mem::take(&mut it.history));
                    self.figures.push(Figures {
                        program: row.program,
                        generator: row.generator,
                        tests: row.tests,
                        failures: row.failures,
                        issues: row.issues,
                        history: history.unwrap_or_default(),
                    });
                }
            }
        }
        // Tests before the start do not count for the rate.
        let now = match self.tests.last() {
            Some(_) => now,
            None => Duration::ZERO,
        };
        for figures in &mut self.figures {
            figures.history.push(now, figures.tests);
        }
        let all = self.figures.iter().map(|figures| figures.tests).sum();
        self.tests.push(now, all);
        Ok(())
    }

    /// Reads the last events that are in the database.
    pub(super) fn read_messages(&mut self, store: &Store) -> Result<(), StoreError> {
        let last = store.last_event()?;
        let first = last.saturating_sub(MESSAGES as i64).max(0);
        for event in store.events_after(first, MESSAGES)? {
            let kinds = [EventKind::Warning, EventKind::Paused];
            self.say(Message {
                at: event.at,
                text: event.text,
                is_warning: kinds.iter().any(|kind| kind.name() == event.kind),
            });
        }
        Ok(())
    }

    /// Receives an event of the campaign.
    pub(super) fn hear(&mut self, told: NumberedEvent) {
        let NumberedEvent { at, event, .. } = told;
        let Event { kind, text, .. } = event;
        match kind {
            EventKind::Paused => self.is_paused = true,
            EventKind::Loaded => self.is_paused = false,
            _ => {}
        }
        if kind.is_kept() {
            self.say(Message {
                at,
                text,
                is_warning: matches!(kind, EventKind::Warning | EventKind::Paused),
            });
        }
    }

    fn say(&mut self, message: Message) {
        if self.messages.len() == MESSAGES {
            self.messages.pop_front();
        }
        self.messages.push_back(message);
    }

    /// Returns the tests per second of all fuzz jobs, of the last seconds.
    pub(super) fn rate(&self, now: Duration) -> f64 {
        self.tests.rate(now, RATE)
    }

    /// Returns the number of issues in a state.
    pub(super) fn number(&self, state: IssueState) -> u64 {
        let mut counts = self.counts.iter();
        let found = counts.find(|(it, _)| *it == state);
        found.map_or(0, |(_, number)| *number)
    }
}

/// Formats the time between two moments, in milliseconds, in at most six columns.
pub(super) fn ago(then: i64, now: i64) -> String {
    let seconds = now.saturating_sub(then).max(0) / 1000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}
