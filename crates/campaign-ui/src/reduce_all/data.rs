//! Failures with their files, as data for the list, `--json`, and the page.

use super::names::{OTHER, file_names};
use super::outcomes::{End, Outcomes, Ran};
use crate::problem::Problem;
use crate::store;
use crate::title::title;
use nubbin_campaign::{Identity, Issue, IssueFilter, IssueState, Reduction, Store};
use serde::Serialize;
use std::collections::HashMap;

/// A failure, and the files that show it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Failure {
    /// The name of the file with the smallest test.
    pub(super) file: String,
    /// The failure for people.
    pub(super) title: String,
    pub(super) identity: Identity,
    /// The exit of the program, in words.
    pub(super) exit: String,
    /// The files that show it.
    pub(super) files: Vec<String>,
    /// The number of these files.
    pub(super) seen: u64,
    /// The number of tests in which reductions of other failures showed this failure.
    pub(super) met: u64,
    pub(super) bytes_before: usize,
    pub(super) bytes: usize,
    /// Whether the reduction came to its end.
    pub(super) done: bool,
    #[serde(skip)]
    pub(super) issue: Issue,
}

/// The failures of a run, each list with the oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures {
    /// The failures that files show.
    pub(super) of_files: Vec<Failure>,
    /// The failures that only tests of reductions show.
    pub(super) other: Vec<Failure>,
}

impl Failures {
    pub(super) fn all(&self) -> impl Iterator<Item = &Failure> {
        self.of_files.iter().chain(&self.other)
    }
}

/// Returns the failures of a campaign.
pub(super) fn failures(
    store: &Store,
    outcomes: &Outcomes,
    extension: Option<&str>,
) -> Result<Failures, Problem> {
    let issues = store.issues(&IssueFilter::default());
    let mut issues = issues.map_err(|error| store::problem(&error))?;
    issues.sort_by_key(|issue| issue.id);
    // A failure keeps its name even if another one turns out not to be a failure.
    let names = file_names(&issues, extension);
    let mut files = by_failure(&issues, &outcomes.all());
    let all = issues.into_iter().zip(names);
    let open = all.filter(|(issue, _)| issue.state == IssueState::Open);
    let (of_files, other) = open
        .map(|(issue, file)| Failure {
            file: match issue.seen > issue.met {
                true => file,
                false => format!("{OTHER}/{file}"),
            },
            title: title(&issue),
            identity: issue.identity.clone(),
            exit: issue.exit.clone(),
            files: files.remove(&issue.id).unwrap_or_default(),
            seen: issue.seen.saturating_sub(issue.met),
            met: issue.met,
            bytes_before: issue.test.len(),
            bytes: issue.smallest().len(),
            done: issue.reduction == Reduction::Done,
            issue,
        })
        .partition(|failure| failure.seen > 0);
    Ok(Failures { of_files, other })
}

/// Returns the names of the files that show each failure.
fn by_failure(issues: &[Issue], ran: &[Ran]) -> HashMap<i64, Vec<String>> {
    let mut found: HashMap<i64, Vec<String>> = HashMap::new();
    for ran in ran {
        let Some(identity) = &ran.identity else {
            continue;
        };
        let same = issues.iter().find(|it| it.identity.matches(identity));
        let similar = || {
            let mut issues = issues.iter();
            issues.find(|it| it.identity.matches_other_build(identity))
        };
        let shown = same.or_else(similar);
        if let Some(issue) = shown {
            found.entry(issue.id).or_default().push(ran.file.clone());
        }
    }
    found
}

/// The numbers of files of a folder by their outcomes.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Counts {
    /// Files that were run.
    pub(super) run: u64,
    pub(super) failing: u64,
    pub(super) time_limit: u64,
    /// Files that hit a memory or output limit.
    pub(super) other_limit: u64,
    pub(super) not_run: u64,
}

impl Counts {
    /// Counts the outcomes of a folder with `there` files.
    pub(super) fn of(ran: &[Ran], there: u64) -> Self {
        let count = |end: End| ran.iter().filter(|ran| ran.outcome == end).count() as u64;
        Counts {
            run: ran.len() as u64,
            failing: count(End::Failure),
            time_limit: count(End::TimeLimit),
            other_limit: count(End::OtherLimit),
            not_run: there.saturating_sub(ran.len() as u64),
        }
    }
}
