//! The issues that a reader of the database asks for.

use super::row::{COLUMNS, IssueRow, read, read_row};
use crate::identity::Identity;
use crate::issue::{Issue, IssueState};
use crate::store::{Store, StoreError, count};
use rusqlite::OptionalExtension as _;

/// Which issues of a campaign to list.
#[derive(Clone, Debug, Default)]
pub struct IssueFilter {
    /// Include only issues in these states. Empty means all states.
    pub states: Vec<IssueState>,
    /// Include only issues of this program.
    pub program: Option<String>,
    /// Include only issues with this text in their identity. Case is ignored.
    pub text: Option<String>,
    /// Include issues that are joined to another one.
    pub with_joined: bool,
}

impl IssueFilter {
    fn fits(
        &self,
        state: IssueState,
        program: &str,
        identity: &Identity,
        joined_to: Option<i64>,
    ) -> bool {
        (self.with_joined || joined_to.is_none())
            && (self.states.is_empty() || self.states.contains(&state))
            && self.program.as_ref().is_none_or(|name| name == program)
            && self.text.as_ref().is_none_or(|text| {
                let identity = identity.to_string().to_lowercase();
                identity.contains(&text.to_lowercase())
            })
    }
}

impl Store {
    /// Returns the issues, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn issues(&self, filter: &IssueFilter) -> Result<Vec<Issue>, StoreError> {
        let mut issues = self.all_issues()?;
        self.joins()?.add_to(&mut issues);
        let fits = |it: &Issue| filter.fits(it.state, &it.program, &it.identity, it.joined_to);
        issues.retain(fits);
        Ok(issues)
    }

    /// Returns all issues with their own counts, newest first.
    pub(in crate::store) fn all_issues(&self) -> Result<Vec<Issue>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM issue ORDER BY id DESC");
        let mut statement = self.prepare(&sql)?;
        let rows = statement.query_map([], read);
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }

    /// Returns the issues without their texts, newest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn issue_list(&self, filter: &IssueFilter) -> Result<Vec<IssueRow>, StoreError> {
        let mut statement = self.prepare(
            "SELECT id, program, kind, what, frames, cluster, state, severity, seen, first_seen,
                 last_seen, first_version, last_version, regressed, generator, hits, tries, exit,
                 length(test), length(reduced), reduction, note, joined_to
             FROM issue ORDER BY id DESC",
        )?;
        let rows = statement.query_map([], read_row);
        let mut rows: Vec<IssueRow> = rows
            .and_then(Iterator::collect)
            .map_err(|error| self.error(error))?;
        let joins = self.joins()?;
        joins.add_to(&mut rows);
        let fits = |it: &IssueRow| filter.fits(it.state, &it.program, &it.identity, it.joined_to);
        rows.retain(fits);
        Ok(rows)
    }

    /// Returns the programs and identities of all issues.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn identities(&self) -> Result<Vec<(String, Identity)>, StoreError> {
        let mut statement = self.prepare("SELECT program, kind, what, frames FROM issue")?;
        let rows = statement.query_map([], |row| {
            let frames: String = row.get(3)?;
            let identity = Identity {
                kind: row.get(1)?,
                what: row.get(2)?,
                frames: serde_json::from_str(&frames).unwrap_or_default(),
            };
            Ok((row.get(0)?, identity))
        });
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }

    /// Returns an issue by its number.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn issue(&self, id: i64) -> Result<Option<Issue>, StoreError> {
        let mut issue = self.own_issue(id)?;
        self.joins()?.add_to(issue.as_mut_slice());
        Ok(issue)
    }

    /// Returns an issue by its number, with its own counts and versions: without those of the
    /// issues that are joined to it.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn own_issue(&self, id: i64) -> Result<Option<Issue>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM issue WHERE id = ?1");
        let mut statement = self.prepare(&sql)?;
        let issue = statement.query_row([id], read).optional();
        issue.map_err(|error| self.error(error))
    }

    /// Returns whether there is an issue with the given number.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn has_issue(&self, id: i64) -> Result<bool, StoreError> {
        let mut statement = self.prepare("SELECT 1 FROM issue WHERE id = ?1")?;
        let found = statement.exists([id]);
        found.map_err(|error| self.error(error))
    }

    /// Returns the number of issues in each state.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn issue_counts(&self) -> Result<Vec<(IssueState, u64)>, StoreError> {
        let mut statement =
            self.prepare("SELECT count(*) FROM issue WHERE state = ?1 AND joined_to IS NULL")?;
        let mut counts = vec![];
        for state in IssueState::ALL {
            let number = statement.query_row([state.name()], |row| count(row, 0));
            counts.push((state, number.map_err(|error| self.error(error))?));
        }
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{Found, Test};
    use crate::issue::Reduction;
    use crate::schedule::JobKind;
    use crate::severity::Severity;

    #[test]
    fn a_row_of_the_list_has_the_sizes_of_both_tests() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(folder.path()).unwrap();
        let found = Found {
            identity: Identity::new("signal", "SIGSEGV", vec![]),
            severity: Severity::Medium,
            test: Test::new("((((\0"),
            exit: "SIGSEGV".into(),
            output: vec![],
            seen: 2,
            inputs: vec![],
        };
        let change = store
            .record_found("parser", "random", "1.0", &found, JobKind::Validate)
            .unwrap();
        let list = |store: &Store, filter| store.issue_list(&filter).unwrap();
        let rows = list(&store, IssueFilter::default());
        assert_eq!((rows[0].test_bytes, rows[0].reduced_bytes), (5, None));
        store
            .record_reduced(change.issue, Some(b"("), None, 3, Reduction::Done)
            .unwrap();
        let rows = list(&store, IssueFilter::default());
        assert_eq!((rows[0].test_bytes, rows[0].reduced_bytes), (5, Some(1)));
        let filter = IssueFilter {
            text: Some("sigSEGV".into()),
            states: vec![IssueState::Open],
            ..IssueFilter::default()
        };
        assert_eq!(list(&store, filter).len(), 1);
        let filter = IssueFilter {
            states: vec![IssueState::Closed],
            ..IssueFilter::default()
        };
        assert!(list(&store, filter).is_empty());
    }
}
