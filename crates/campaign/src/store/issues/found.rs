//! New failures, and the changes that each makes to its issue.

use crate::fuzz::Found;
use crate::identity::Identity;
use crate::issue::IssueState;
use crate::schedule::JobKind;
use crate::store::{Store, StoreError, jobs, joins, now, signed};
use rusqlite::{Transaction, params};

/// The change of an issue by a new failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The number of the issue.
    pub issue: i64,
    /// The identity of the issue.
    pub identity: Identity,
    /// Whether the issue is new.
    pub is_new: bool,
    /// Whether the issue was closed or ignored, and has come back in another version.
    pub is_regression: bool,
    /// Whether the issue was invalid, and is valid again.
    pub is_valid_again: bool,
    /// Whether a test of a fuzz job shows the issue for the first time, after others had shown it,
    /// and its reduction neither has begun nor waits.
    pub is_now_shown: bool,
    /// The issue with the test of this identity: that itself, or one that is joined to it.
    pub with_test: i64,
}

impl Change {
    /// Returns the job that follows: `follow` for a new issue, or one that was not yet reduced, a
    /// validation for one that has come back.
    pub fn job(&self, follow: JobKind) -> Option<JobKind> {
        match self.is_new || self.is_now_shown {
            true => Some(follow),
            false => (self.is_regression || self.is_valid_again).then_some(JobKind::Validate),
        }
    }

    /// Adds the job that follows, in the same transaction.
    pub(in crate::store) fn follow_up(
        &self,
        transaction: &Transaction<'_>,
        program: &str,
        follow: JobKind,
    ) -> Result<(), rusqlite::Error> {
        if let Some(kind) = self.job(follow) {
            jobs::add(transaction, kind, program, Some(self.with_test), false)?;
        }
        Ok(())
    }
}

impl Store {
    /// Returns the number of an issue of a program with this identity.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn find(
        &mut self,
        program: &str,
        version: &str,
        identity: &Identity,
    ) -> Result<Option<i64>, StoreError> {
        self.change(|transaction| find(transaction, program, version, identity))
    }

    /// Records a failure that was found outside of a slice, for example during a reduction.
    /// `follow` is the kind of job for a new issue.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_found(
        &mut self,
        program: &str,
        generator: &str,
        version: &str,
        found: &Found,
        follow: JobKind,
    ) -> Result<Change, StoreError> {
        self.change(|transaction| {
            let mut change = met(transaction, program, generator, version, found)?;
            change.is_now_shown = false;
            transaction.execute(
                "UPDATE issue SET met = met + ?2 WHERE id = ?1",
                params![change.with_test, signed(found.seen)],
            )?;
            change.follow_up(transaction, program, follow)?;
            Ok(change)
        })
    }
}

/// Finds the issue with an identity.
pub(in crate::store) fn find(
    transaction: &Transaction<'_>,
    program: &str,
    version: &str,
    identity: &Identity,
) -> Result<Option<i64>, rusqlite::Error> {
    let mut statement = transaction.prepare_cached(
        "SELECT id, frames FROM issue WHERE program = ?1 AND kind = ?2 AND what = ?3 ORDER BY id",
    )?;
    let mut rows = statement.query(params![program, identity.kind, identity.what])?;
    while let Some(row) = rows.next()? {
        let frames: String = row.get(1)?;
        let same = Identity {
            frames: serde_json::from_str(&frames).unwrap_or_default(),
            ..identity.clone()
        };
        if same.matches(identity) {
            return row.get(0).map(Some);
        }
    }
    // The lines of another build have other numbers.
    let mut statement = transaction.prepare_cached(
        "SELECT id, what, frames FROM issue
         WHERE program = ?1 AND kind = ?2 AND (last_version < ?3 OR last_version > ?3) ORDER BY id",
    )?;
    let mut rows = statement.query(params![program, identity.kind, version])?;
    while let Some(row) = rows.next()? {
        let frames: String = row.get(2)?;
        let other = Identity {
            kind: identity.kind.clone(),
            what: row.get(1)?,
            frames: serde_json::from_str(&frames).unwrap_or_default(),
        };
        if other.matches_other_build(identity) {
            return row.get(0).map(Some);
        }
    }
    Ok(None)
}

/// Adds an issue that no test has shown yet, and returns its number. `origin` is the program, the
/// generator, and the version of the failure.
fn add(
    transaction: &Transaction<'_>,
    origin: (&str, &str, &str),
    found: &Found,
    now: i64,
) -> Result<i64, rusqlite::Error> {
    let (program, generator, version) = origin;
    let identity = &found.identity;
    let frames = serde_json::to_string(&identity.frames).unwrap_or_default();
    transaction
        .prepare_cached(
            "INSERT INTO issue (program, kind, what, frames, cluster, severity, seen, first_seen,
                 last_seen, first_version, last_version, generator, exit, output, test, recipe)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?7, ?8, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .execute(params![
            program,
            identity.kind,
            identity.what,
            frames,
            identity.cluster(),
            found.severity.number(),
            now,
            version,
            generator,
            found.exit,
            found.output,
            found.test.text,
            found.test.recipe
        ])?;
    Ok(transaction.last_insert_rowid())
}

/// Records a failure: a new issue, or one more sighting of a known one.
pub(in crate::store) fn met(
    transaction: &Transaction<'_>,
    program: &str,
    generator: &str,
    version: &str,
    found: &Found,
) -> Result<Change, rusqlite::Error> {
    let identity = &found.identity;
    let (seen, now) = (signed(found.seen), now());
    let known = find(transaction, program, version, identity)?;
    let (issue, is_new) = match known {
        Some(id) => (id, false),
        None => {
            let origin = (program, generator, version);
            (add(transaction, origin, found, now)?, true)
        }
    };
    let is_now_shown = transaction
        .prepare_cached(
            "SELECT 1 FROM issue WHERE id = ?1 AND seen > 0 AND seen = met AND reduction = 'none'
                 AND NOT EXISTS (SELECT 1 FROM job WHERE issue = ?1 AND kind = 'reduce')",
        )?
        .exists([issue])?;
    // Tests count for the issue that they show. A joined issue has the state of the other one.
    let head = joins::head(transaction, issue)?;
    let (state, settled): (String, String) = transaction
        .prepare_cached("SELECT state, settled_version FROM issue WHERE id = ?1")?
        .query_row([head], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let is_settled = matches!(state.as_str(), "closed" | "ignored");
    let is_regression = is_settled && settled != version;
    let is_valid_again = state == IssueState::Invalid.name();
    let after = match is_regression || is_valid_again {
        true => IssueState::Open.name(),
        false => &state,
    };
    transaction
        .prepare_cached(
            "UPDATE issue SET seen = seen + ?2, last_seen = ?3, what = ?5,
                 revision = revision + (last_version <> ?4 OR severity < ?6), last_version = ?4,
                 severity = max(severity, ?6)
             WHERE id = ?1",
        )?
        .execute(params![
            issue,
            seen,
            now,
            version,
            identity.what,
            found.severity.number()
        ])?;
    transaction
        .prepare_cached(
            "UPDATE issue SET regressed = regressed OR ?3, revision = revision + (state <> ?2),
                 state = ?2
             WHERE id = ?1",
        )?
        .execute(params![head, after, is_regression])?;
    transaction
        .prepare_cached("UPDATE issue SET state = ?2 WHERE id = ?1 AND state = ?3")?
        .execute(params![
            issue,
            IssueState::Open.name(),
            IssueState::Invalid.name()
        ])?;
    joins::add_inputs(transaction, issue, generator, &found.inputs)?;
    transaction
        .prepare_cached(
            "INSERT INTO sighting VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET seen = seen + excluded.seen",
        )?
        .execute(params![issue, generator, version, seen])?;
    Ok(Change {
        issue: head,
        with_test: issue,
        identity: identity.clone(),
        is_new,
        is_regression,
        is_valid_again,
        is_now_shown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::Test;
    use crate::severity::Severity;

    #[test]
    fn an_issue_is_as_severe_as_the_worst_of_its_failures() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(folder.path()).unwrap();
        for severity in [Severity::Medium, Severity::High, Severity::Low] {
            let found = Found {
                identity: Identity::new("sanitizer", "heap-buffer-overflow", vec![]),
                severity,
                test: Test::new("(12)"),
                exit: "exit code 1".into(),
                output: vec![],
                seen: 1,
                inputs: vec![],
            };
            let follow = JobKind::Validate;
            store.record_found("p", "g", "1", &found, follow).unwrap();
        }
        assert_eq!(store.issue(1).unwrap().unwrap().severity, Severity::High);
    }
}
