//! Changes of a known issue: validations, reductions, and the settings of the user.

use crate::event::{Event, EventKind};
use crate::identity::Identity;
use crate::issue::{IssueState, Reduction};
use crate::pattern::TestPattern;
use crate::store::{Store, StoreError, events, joins, now, signed};
use rusqlite::{OptionalExtension as _, params};

impl Store {
    /// Records that the test of an issue was run again `tries` times, and showed it `hits` times,
    /// with the given identity. Without a hit, the issue is invalid. Returns whether its state has
    /// changed.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_validation(
        &mut self,
        id: i64,
        version: &str,
        (hits, tries): (u64, u64),
        identity: Option<&Identity>,
    ) -> Result<bool, StoreError> {
        self.change(|transaction| {
            let before: Option<(String, String)> = transaction
                .query_row(
                    "SELECT state, settled_version FROM issue WHERE id = ?1",
                    [id],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .optional()?;
            // The issue was deleted meanwhile.
            let Some((before, settled)) = before else {
                return Ok(false);
            };
            let is_settled = matches!(before.as_str(), "closed" | "ignored");
            let is_regression = hits > 0 && is_settled && settled != version;
            let state = match (hits, before.as_str()) {
                _ if is_regression => IssueState::Open.name(),
                // A closed issue is expected not to be there.
                (0, "open") => IssueState::Invalid.name(),
                (1.., "invalid") => IssueState::Open.name(),
                (_, before) => before,
            };
            transaction.execute(
                "UPDATE issue SET hits = ?2, tries = ?3, state = ?4, revision = revision + 1,
                     last_version = CASE WHEN ?2 > 0 THEN ?5 ELSE last_version END,
                     last_seen = CASE WHEN ?2 > 0 THEN ?6 ELSE last_seen END,
                     regressed = regressed OR ?7
                 WHERE id = ?1",
                params![
                    id,
                    signed(hits),
                    signed(tries),
                    state,
                    version,
                    now(),
                    is_regression
                ],
            )?;
            if let Some(identity) = identity {
                let frames = serde_json::to_string(&identity.frames).unwrap_or_default();
                transaction.execute(
                    "UPDATE issue SET what = ?2, frames = ?3 WHERE id = ?1",
                    params![id, identity.what, frames],
                )?;
            }
            Ok(state != before)
        })
    }

    /// Records a smaller test of an issue.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_reduced(
        &mut self,
        id: i64,
        test: Option<&[u8]>,
        recipe: Option<&str>,
        tests: u64,
        reduction: Reduction,
    ) -> Result<(), StoreError> {
        self.change(|transaction| {
            if let Some(test) = test {
                transaction.execute(
                    "UPDATE issue SET reduced = ?2, reduced_recipe = ?3, explanation = NULL
                     WHERE id = ?1",
                    params![id, test, recipe],
                )?;
            }
            transaction.execute(
                "UPDATE issue SET reduction = ?2, reduction_tests = reduction_tests + ?3,
                     revision = revision + 1
                 WHERE id = ?1",
                params![id, reduction.name(), signed(tests)],
            )?;
            if reduction.has_ended() {
                transaction.execute("DELETE FROM verdict WHERE issue = ?1", [id])?;
            }
            Ok(())
        })
    }

    /// Records the explanation of a test of an issue. Returns `false` if the issue has another
    /// smallest test now, or was deleted.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_explanation(
        &mut self,
        id: i64,
        test: &[u8],
        pattern: &TestPattern,
    ) -> Result<bool, StoreError> {
        let text = serde_json::to_string(pattern).unwrap_or_default();
        self.change(|transaction| {
            let changed = transaction.execute(
                "UPDATE issue SET explanation = ?3, revision = revision + 1
                 WHERE id = ?1 AND ifnull(reduced, test) = ?2",
                params![id, test, text],
            )?;
            Ok(changed > 0)
        })
    }

    /// Forgets the reduction of an issue, so that it can start over.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn forget_reduction(&mut self, id: i64) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction.execute(
                "UPDATE issue SET reduced = NULL, reduced_recipe = NULL, reduction = 'none',
                     explanation = NULL, reduction_tests = 0, revision = revision + 1 WHERE id = ?1",
                [id],
            )?;
            transaction
                .execute("DELETE FROM verdict WHERE issue = ?1", [id])
                .map(drop)
        })
    }

    /// Sets the state of an issue. An issue that is ignored or closed opens again when it is seen
    /// in another version than its last one.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn set_state(&mut self, id: i64, state: IssueState) -> Result<bool, StoreError> {
        // The last version of all that are joined to it.
        let version = self.issue(id)?.map(|issue| issue.last_version);
        self.change(|transaction| {
            let changed = transaction.execute(
                "UPDATE issue SET state = ?2, settled_version = ?3, regressed = 0,
                     revision = revision + 1 WHERE id = ?1",
                params![id, state.name(), version.unwrap_or_default()],
            )?;
            Ok(changed > 0)
        })
    }

    /// Sets the note of an issue.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn set_note(&mut self, id: i64, note: &str) -> Result<bool, StoreError> {
        self.change(|transaction| {
            let changed = transaction.execute(
                "UPDATE issue SET note = ?2, revision = revision + 1 WHERE id = ?1",
                params![id, note],
            )?;
            Ok(changed > 0)
        })
    }

    /// Records the first revision that shows an issue.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_first_bad(&mut self, id: i64, revision: &str) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction.execute(
                "UPDATE issue SET first_bad = ?2, revision = revision + 1 WHERE id = ?1",
                params![id, revision],
            )?;
            let text = format!("issue {id} was bisected: the first revision is {revision}");
            events::put(
                transaction,
                Event::of_issue(EventKind::IssueUpdated, id, text),
            )
            .map(drop)
        })
    }

    /// Removes an issue, with its jobs and verdicts. The issues that are joined to it are split
    /// off.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn delete_issue(&mut self, id: i64) -> Result<bool, StoreError> {
        self.change(|transaction| {
            let mut joined = transaction.prepare("SELECT id FROM issue WHERE joined_to = ?1")?;
            let joined: Result<Vec<i64>, _> = joined.query_map([id], |row| row.get(0))?.collect();
            for joined in joined? {
                joins::split_off(transaction, joined)?;
            }
            let removed = transaction.execute("DELETE FROM issue WHERE id = ?1", [id])?;
            Ok(removed > 0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{Found, Test};
    use crate::schedule::JobKind;
    use crate::severity::Severity;

    #[test]
    fn an_explanation_is_one_of_the_smallest_test() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(folder.path()).unwrap();
        let found = Found {
            identity: Identity::new("signal", "SIGSEGV", vec![]),
            severity: Severity::Medium,
            test: Test::new("(12)"),
            exit: "SIGSEGV".into(),
            output: vec![],
            seen: 1,
            inputs: vec![],
        };
        let follow = JobKind::Validate;
        store.record_found("p", "g", "1", &found, follow).unwrap();
        let pattern = TestPattern {
            pieces: vec![],
            samples: 1,
            tests: 2,
            is_complete: true,
        };
        assert!(!store.record_explanation(1, b"(1)", &pattern).unwrap());
        assert!(store.record_explanation(1, b"(12)", &pattern).unwrap());
        let known = |store: &Store| store.issue(1).unwrap().unwrap().explanation;
        assert_eq!(known(&store), Some(pattern));
        let done = Reduction::Done;
        store.record_reduced(1, Some(b"("), None, 1, done).unwrap();
        assert_eq!(known(&store), None);
    }

    #[test]
    fn an_issue_may_be_deleted_while_it_is_validated() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::create(folder.path()).unwrap();
        assert!(!store.record_validation(1, "1.0", (1, 1), None).unwrap());
    }
}
