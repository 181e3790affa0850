use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;

/// The kind of an event. Hooks, the dashboard, the page, and the log receive the same events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// The campaign starts or continues.
    Loaded,
    /// A fuzz job was added.
    FuzzAdded,
    /// A validation of an issue was added.
    ValidateAdded,
    /// A reduction of an issue was added.
    ReduceAdded,
    /// An update of a program was added.
    UpdateAdded,
    /// A job has started.
    Activated,
    /// A job has made progress.
    Progressed,
    /// A job has finished.
    Removed,
    /// The counts have changed.
    Statistics,
    /// An issue was found.
    IssueAdded,
    /// The test of an issue no longer shows the issue.
    IssueInvalidated,
    /// An issue has changed.
    IssueUpdated,
    /// An issue was reduced.
    IssueReduced,
    /// A closed or ignored issue has returned in another version.
    IssueRegressed,
    /// The user should know about a problem.
    Warning,
    /// The campaign is paused, since the disk is full.
    Paused,
}

impl EventKind {
    /// All kinds of events.
    pub const ALL: [EventKind; 16] = [
        EventKind::Loaded,
        EventKind::FuzzAdded,
        EventKind::ValidateAdded,
        EventKind::ReduceAdded,
        EventKind::UpdateAdded,
        EventKind::Activated,
        EventKind::Progressed,
        EventKind::Removed,
        EventKind::Statistics,
        EventKind::IssueAdded,
        EventKind::IssueInvalidated,
        EventKind::IssueUpdated,
        EventKind::IssueReduced,
        EventKind::IssueRegressed,
        EventKind::Warning,
        EventKind::Paused,
    ];

    /// Returns the name of the kind, as hooks and logs use it.
    pub fn name(self) -> &'static str {
        match self {
            EventKind::Loaded => "loaded",
            EventKind::FuzzAdded => "fuzz-added",
            EventKind::ValidateAdded => "validate-added",
            EventKind::ReduceAdded => "reduce-added",
            EventKind::UpdateAdded => "update-added",
            EventKind::Activated => "activated",
            EventKind::Progressed => "progressed",
            EventKind::Removed => "removed",
            EventKind::Statistics => "statistics",
            EventKind::IssueAdded => "issue-added",
            EventKind::IssueInvalidated => "issue-invalidated",
            EventKind::IssueUpdated => "issue-updated",
            EventKind::IssueReduced => "issue-reduced",
            EventKind::IssueRegressed => "issue-regressed",
            EventKind::Warning => "warning",
            EventKind::Paused => "paused",
        }
    }

    /// Returns whether events of this kind are kept in the database. Other events are only sent to
    /// listeners.
    pub fn is_kept(self) -> bool {
        !matches!(
            self,
            EventKind::Activated
                | EventKind::Progressed
                | EventKind::Removed
                | EventKind::Statistics
        )
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An event of a campaign, with a sentence for people and facts for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// The kind of the event.
    pub kind: EventKind,
    /// The issue that the event is about, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<i64>,
    /// The sentence for people.
    pub text: String,
    /// The facts for programs.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub facts: Value,
}

impl Event {
    /// Creates an event with the given sentence.
    pub fn new(kind: EventKind, text: impl Into<String>) -> Self {
        Event {
            kind,
            issue: None,
            text: text.into(),
            facts: Value::Null,
        }
    }

    /// Creates an event about an issue, with the given sentence.
    pub fn of_issue(kind: EventKind, issue: i64, text: impl Into<String>) -> Self {
        Event {
            issue: Some(issue),
            ..Event::new(kind, text)
        }
    }

    /// Adds a fact with the given name.
    #[must_use]
    pub fn fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        match &mut self.facts {
            Value::Object(facts) => {
                facts.insert(name.to_owned(), value.into());
            }
            facts => *facts = json!({ name: value.into() }),
        }
        self
    }
}

/// An event with its number, if it is kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberedEvent {
    /// The number in the database, from which a reader continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// The time of the event, in milliseconds since 1970.
    pub at: i64,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
}

/// Receives the events of a campaign, in their order. A listener must not block.
pub trait Listener: Send + Sync {
    /// Receives an event.
    fn receive(&self, told: &NumberedEvent);
}
