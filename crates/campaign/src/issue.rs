use crate::identity::Identity;
use crate::pattern::TestPattern;
use crate::severity::Severity;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// The state of an issue: open, ignored, closed, or invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum IssueState {
    /// The issue was found and is unresolved.
    Open,
    /// The user ignores the issue. It opens again when it is seen in another version.
    Ignored,
    /// The issue was fixed. It opens again, as a regression, when it is seen in another version.
    Closed,
    /// The test of the issue no longer shows the issue.
    Invalid,
}

impl IssueState {
    /// All states of an issue.
    pub const ALL: [IssueState; 4] = [
        IssueState::Open,
        IssueState::Ignored,
        IssueState::Closed,
        IssueState::Invalid,
    ];

    /// Returns the name of the state.
    pub fn name(self) -> &'static str {
        match self {
            IssueState::Open => "open",
            IssueState::Ignored => "ignored",
            IssueState::Closed => "closed",
            IssueState::Invalid => "invalid",
        }
    }
}

impl fmt::Display for IssueState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a text that is not a state of an issue.
#[derive(Debug, thiserror::Error)]
#[error("unknown state `{0}`: there are open, ignored, closed, and invalid")]
pub struct ParseStateError(String);

impl FromStr for IssueState {
    type Err = ParseStateError;

    fn from_str(text: &str) -> Result<Self, ParseStateError> {
        let mut all = IssueState::ALL.into_iter();
        all.find(|state| state.name() == text)
            .ok_or_else(|| ParseStateError(text.to_owned()))
    }
}

/// The state of the reduction of an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reduction {
    /// The issue was not reduced.
    None,
    /// The reduction was interrupted. The smallest test so far is kept.
    Partial,
    /// The reduction is complete.
    Done,
    /// The reduction ended at a limit on its tests or its time, so its result may become smaller.
    Limited,
    /// The reduction was skipped: the program also shows the issue with an empty test, so every
    /// test would be reduced to nothing.
    Empty,
}

impl Reduction {
    /// Returns whether the reduction has ended: it is complete, or has reached a limit.
    #[must_use]
    pub fn has_ended(self) -> bool {
        matches!(self, Reduction::Done | Reduction::Limited)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Reduction::None => "none",
            Reduction::Partial => "partial",
            Reduction::Done => "done",
            Reduction::Limited => "limited",
            Reduction::Empty => "empty",
        }
    }

    pub(crate) fn of_name(name: &str) -> Self {
        match name {
            "partial" => Reduction::Partial,
            "done" => Reduction::Done,
            "limited" => Reduction::Limited,
            "empty" => Reduction::Empty,
            _ => Reduction::None,
        }
    }
}

/// A failure of a program, and a test that shows it.
///
/// Times are milliseconds since 1970.
#[derive(Clone, Debug, Serialize)]
pub struct Issue {
    /// The number of the issue in its campaign, from 1.
    pub id: i64,
    /// The program under test.
    pub program: String,
    /// The identity of the issue.
    pub identity: Identity,
    /// The cluster of similar issues, see [`Identity::cluster`].
    pub cluster: String,
    /// The state of the issue.
    pub state: IssueState,
    /// The severity, as a first guess.
    pub severity: Severity,
    /// The number of tests that showed the issue.
    pub seen: u64,
    /// The number of tests in `seen` that were run for reductions and validations of other issues.
    #[serde(skip)]
    pub met: u64,
    /// The time at which the issue was first seen.
    pub first_seen: i64,
    /// The time at which the issue was last seen.
    pub last_seen: i64,
    /// The first version of the program that showed the issue.
    pub first_version: String,
    /// The last version of the program that showed the issue.
    pub last_version: String,
    /// Whether the issue was closed and has returned.
    pub regressed: bool,
    /// The generator that first found the issue.
    pub generator: String,
    /// The number of validating runs that showed the issue.
    pub hits: u64,
    /// The number of validating runs of the issue's test.
    pub tries: u64,
    /// The exit of the program, in words.
    pub exit: String,
    /// The end of the program's output.
    #[serde(skip)]
    pub output: Vec<u8>,
    /// The test with which the issue was found.
    #[serde(skip)]
    pub test: Vec<u8>,
    /// The choices from which the test was generated, as JSON, for generators that record them.
    pub recipe: Option<String>,
    /// The smallest test that shows the issue, if it was reduced.
    #[serde(skip)]
    pub reduced: Option<Vec<u8>>,
    /// The state of the issue's reduction.
    pub reduction: Reduction,
    /// The number of tests that the issue's reduction ran.
    pub reduction_tests: u64,
    /// The user's note about the issue.
    pub note: String,
    /// The first revision that shows the issue, if versions were bisected; otherwise empty.
    pub first_bad: String,
    /// The smallest test as a pattern, if it was explained.
    pub explanation: Option<TestPattern>,
    /// The issue that the user has joined it to.
    pub joined_to: Option<i64>,
    /// The issues that are joined to this issue. Its counts and times include theirs.
    pub joined: Vec<i64>,
    /// The revision of the issue, which grows with every change.
    pub revision: i64,
}

impl Issue {
    /// Returns whether a failure of a version of the program is this issue. Line numbers are
    /// ignored unless the version is the last version.
    pub fn is_shown_by(&self, found: &Identity, version: &str) -> bool {
        self.identity.matches(found)
            || (self.last_version != version && self.identity.matches_other_build(found))
    }

    /// Returns the smallest test that shows it.
    pub fn smallest(&self) -> &[u8] {
        self.reduced.as_deref().unwrap_or(&self.test)
    }
}
