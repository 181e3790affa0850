//! The choices of the user: the selected issue, the shown panel, and the question that waits.

use nubbin_campaign::{IssueFilter, IssueState};
use std::cell::Cell;

/// The state that keys change.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    /// The number of the selected issue.
    pub(super) selected: Option<i64>,
    /// The index of the selected issue in the list. The index is kept when the issue leaves the
    /// list.
    pub(super) place: usize,
    pub(super) listed: Listed,
    /// The text that the identities of listed issues have.
    pub(super) filter: String,
    pub(super) page: Page,
    pub(super) panel: Panel,
    pub(super) prompt: Option<Prompt>,
    /// The notice of the last key.
    pub(super) notice: Option<Notice>,
    /// Whether the campaign was asked to end.
    pub(super) ending: bool,
    /// The first shown row of a page that scrolls.
    pub(super) scroll: usize,
    pub(super) extent: Extent,
}

/// The part of a list or a page that the last frame showed. Keys that move by pages need it.
#[derive(Clone, Debug, Default)]
pub(super) struct Extent {
    pub(super) rows: Cell<usize>,
    pub(super) lines: Cell<usize>,
}

/// Which issues are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Listed {
    #[default]
    Open,
    All,
    Invalid,
}

/// The content of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Page {
    /// The panels.
    #[default]
    Panels,
    /// One issue.
    Issue(i64),
    Help,
    About,
}

/// The panel that is shown if there is room for only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Panel {
    #[default]
    Issues,
    Jobs,
    Statistics,
    Messages,
}

/// A question in the last row, which receives the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Prompt {
    /// The text to filter by; with the one before, to which Escape returns.
    Filter(String),
    /// Whether to delete this issue.
    Delete(i64),
}

/// A notice about the effect of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Notice {
    pub(super) text: String,
    pub(super) is_warning: bool,
}

impl Panel {
    pub(super) fn next(self) -> Self {
        match self {
            Panel::Issues => Panel::Jobs,
            Panel::Jobs => Panel::Statistics,
            Panel::Statistics => Panel::Messages,
            Panel::Messages => Panel::Issues,
        }
    }
}

impl Choices {
    /// Returns which issues are listed, as the database takes it.
    pub(super) fn issue_filter(&self) -> IssueFilter {
        IssueFilter {
            states: match self.listed {
                Listed::Open => vec![IssueState::Open],
                Listed::All => vec![],
                Listed::Invalid => vec![IssueState::Invalid],
            },
            text: (!self.filter.is_empty()).then(|| self.filter.clone()),
            ..IssueFilter::default()
        }
    }

    /// Lists these issues, or the open ones if these are listed.
    pub(super) fn toggle(&mut self, listed: Listed) {
        self.listed = match self.listed == listed {
            true => Listed::Open,
            false => listed,
        };
    }
}
