use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;

/// The kind of an event. Hooks, the dashboard, the page, and the log receive the same events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// The campaign starts or continues.
    Loaded,
    /// A fuzz job is there.
    FuzzAdded,
    /// An issue is to be validated.
    ValidateAdded,
    /// An issue is to be reduced.
    ReduceAdded,
    /// A program is to be updated.
    UpdateAdded,
    /// A job begins.
    Activated,
    /// A job has come further.
    Progressed,
    /// A job has ended.
    Removed,
    /// The counts have changed.
    Statistics,
    /// An issue was found.
    IssueAdded,
    /// The test of an issue does not show it any more.
    IssueInvalidated,
    /// An issue has changed.
    IssueUpdated,
    /// An issue was reduced.
    IssueReduced,
    /// An issue that was closed or ignored has come back in another version.
    IssueRegressed,
    /// There is something that the user should know.
    Warning,
    /// The campaign waits, since the disk is full.
    Paused,
}

impl EventKind {
    /// All kinds.
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

    /// Returns the name of the kind.
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

    /// Whether the event is kept in the database. The others are about the moment.
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

/// Something that happened in a campaign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// The kind of the event.
    pub kind: EventKind,
    /// The issue that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<i64>,
    /// The sentence for people.
    pub text: String,
    /// The facts for programs.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub facts: Value,
}

impl Event {
    /// Makes an event.
    pub fn new(kind: EventKind, text: impl Into<String>) -> Self {
        Event {
            kind,
            issue: None,
            text: text.into(),
            facts: Value::Null,
        }
    }

    /// Makes an event about an issue.
    pub fn of_issue(kind: EventKind, issue: i64, text: impl Into<String>) -> Self {
        Event {
            issue: Some(issue),
            ..Event::new(kind, text)
        }
    }

    /// Adds a fact.
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

/// Receives the events of a campaign, in their order. It must not block.
pub trait Listener: Send + Sync {
    /// Receives an event.
    fn receive(&self, told: &NumberedEvent);
}
