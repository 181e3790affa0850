use crate::sources::{SourceCoverage, coverage_of};
use nubbin_campaign::{
    History, IssueFilter, IssueRow, IssueState, JobRow, Statistic, Store, StoreError, now,
};

/// A campaign at one moment. The texts of its issues are read when their pages are written.
pub(super) struct Snapshot {
    /// The name of the folder.
    pub(super) name: String,
    /// The moment, in milliseconds since 1970.
    pub(super) at: i64,
    pub(super) statistics: Vec<Statistic>,
    /// The figures of fuzzers.
    pub(super) sources: Vec<SourceCoverage>,
    pub(super) history: Vec<History>,
    pub(super) counts: Vec<(IssueState, u64)>,
    pub(super) jobs: Vec<JobRow>,
    /// All issues. Open issues come first, and issues of one state are ordered from new to old.
    pub(super) issues: Vec<IssueRow>,
}

impl Snapshot {
    pub(super) fn of(store: &Store) -> Result<Self, StoreError> {
        let folder = store.folder();
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = folder.file_name().unwrap_or(folder.as_os_str());
        let place = |state| IssueState::ALL.iter().position(|it| *it == state);
        let mut issues = store.issue_list(&IssueFilter {
            with_joined: true,
            ..IssueFilter::default()
        })?;
        issues.sort_by_key(|issue| (place(issue.state), -issue.id));
        Ok(Snapshot {
            name: name.to_string_lossy().into_owned(),
            at: now(),
            statistics: store.statistics()?,
            sources: coverage_of(store.folder()),
            history: store.history(0)?,
            counts: store.issue_counts()?,
            jobs: store.jobs()?,
            issues,
        })
    }
}
