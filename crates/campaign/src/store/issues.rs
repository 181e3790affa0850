use super::joins::{Summed, Sums};
use super::{Store, StoreError, count, events, jobs, joins, now, signed};
use crate::event::{Event, EventKind};
use crate::fuzz::Found;
use crate::identity::Identity;
use crate::issue::{Issue, IssueState, Reduction};
use crate::pattern::TestPattern;
use crate::schedule::JobKind;
use crate::severity::Severity;
use rusqlite::{OptionalExtension as _, Row, Transaction, params};
use serde::Serialize;

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

/// An issue in a list: its facts, and sizes in place of its texts. Times are milliseconds since
/// 1970.
#[derive(Clone, Debug, Serialize)]
pub struct IssueRow {
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
    /// The number of tests that showed it.
    pub seen: u64,
    /// The time at which it was first seen.
    pub first_seen: i64,
    /// The time at which it was last seen.
    pub last_seen: i64,
    /// The version of the program that showed it first.
    pub first_version: String,
    /// The version of the program that showed it last.
    pub last_version: String,
    /// Whether it was closed and has come back.
    pub regressed: bool,
    /// The generator that found it first.
    pub generator: String,
    /// The number of validating runs that showed the issue.
    pub hits: u64,
    /// The number of validating runs of its test.
    pub tries: u64,
    /// The exit of the program, in words.
    pub exit: String,
    /// The size of the test that was found.
    pub test_bytes: u64,
    /// The size of the smallest test that shows it.
    pub reduced_bytes: Option<u64>,
    /// The state of its reduction.
    pub reduction: Reduction,
    /// The user's note.
    pub note: String,
    /// The issue that the user has joined it to.
    pub joined_to: Option<i64>,
    /// The issues that are joined to it. Their counts and times are included in its own.
    pub joined: Vec<i64>,
}

impl Summed for IssueRow {
    fn id(&self) -> i64 {
        self.id
    }

    fn sums(&mut self) -> Sums<'_> {
        Sums {
            seen: &mut self.seen,
            met: None,
            first: (&mut self.first_seen, &mut self.first_version),
            last: (&mut self.last_seen, &mut self.last_version),
            joined: &mut self.joined,
        }
    }
}

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
    pub(super) fn follow_up(
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

/// The columns of an issue, in the order that `read` takes them.
const COLUMNS: &str = "id, program, kind, what, frames, cluster, state, severity, seen, first_seen, \
     last_seen, first_version, last_version, regressed, generator, hits, tries, exit, output, test, \
     ifnull(reduced_recipe, recipe), reduced, reduction, reduction_tests, note, revision, met, joined_to, first_bad, \
     explanation";

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
    pub(super) fn all_issues(&self) -> Result<Vec<Issue>, StoreError> {
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
            if reduction == Reduction::Done {
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

    /// Returns the issues whose report is older than they are, and with `counts` also those that
    /// were seen more often since.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn unreported(&self, counts: bool) -> Result<Vec<Issue>, StoreError> {
        let joins = self.joins()?;
        let sql = "SELECT id, reported < revision, seen, reported_seen FROM issue ORDER BY id";
        let mut statement = self.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let (id, is_older): (i64, bool) = (row.get(0)?, row.get(1)?);
            // The report of an issue has the sum of all that are joined to it.
            let is_seen = count(row, 2)? + joins.seen_below(id) != count(row, 3)?;
            Ok((id, is_older || (counts && is_seen)))
        });
        let rows: Result<Vec<(i64, bool)>, _> = rows.and_then(Iterator::collect);
        let rows = rows.map_err(|error| self.error(error))?.into_iter();
        let unreported = rows.filter(|(_, is_unreported)| *is_unreported);
        let mut issues = vec![];
        for (id, _) in unreported {
            issues.extend(self.own_issue(id)?);
        }
        joins.add_to(&mut issues);
        Ok(issues)
    }

    /// Forgets which reports are written, so that all are written again.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn forget_reports(&mut self) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction
                .execute("UPDATE issue SET reported = 0", [])
                .map(drop)
        })
    }

    /// Records that there is a report of an issue as it is here.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_report(&mut self, issue: &Issue) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction
                .prepare_cached("UPDATE issue SET reported = ?2, reported_seen = ?3 WHERE id = ?1")?
                .execute([issue.id, issue.revision, signed(issue.seen)])
                .map(drop)
        })
    }
}

/// Finds the issue with an identity.
pub(super) fn find(
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
pub(super) fn met(
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

/// Reads an issue from a row with [`COLUMNS`].
pub(super) fn read(row: &Row<'_>) -> Result<Issue, rusqlite::Error> {
    let frames: String = row.get(4)?;
    let state: String = row.get(6)?;
    let reduction: String = row.get(22)?;
    let explanation: Option<String> = row.get(29)?;
    Ok(Issue {
        id: row.get(0)?,
        program: row.get(1)?,
        identity: Identity {
            kind: row.get(2)?,
            what: row.get(3)?,
            frames: serde_json::from_str(&frames).unwrap_or_default(),
        },
        cluster: row.get(5)?,
        state: state.parse().unwrap_or(IssueState::Open),
        severity: Severity::of_number(row.get(7)?),
        seen: count(row, 8)?,
        first_seen: row.get(9)?,
        last_seen: row.get(10)?,
        first_version: row.get(11)?,
        last_version: row.get(12)?,
        regressed: row.get(13)?,
        generator: row.get(14)?,
        hits: count(row, 15)?,
        tries: count(row, 16)?,
        exit: row.get(17)?,
        output: row.get(18)?,
        test: row.get(19)?,
        recipe: row.get(20)?,
        reduced: row.get(21)?,
        reduction: Reduction::of_name(&reduction),
        reduction_tests: count(row, 23)?,
        note: row.get(24)?,
        revision: row.get(25)?,
        met: count(row, 26)?,
        joined_to: row.get(27)?,
        first_bad: row.get(28)?,
        explanation: explanation.and_then(|text| serde_json::from_str(&text).ok()),
        joined: vec![],
    })
}

/// Reads an issue without its texts.
fn read_row(row: &Row<'_>) -> Result<IssueRow, rusqlite::Error> {
    let frames: String = row.get(4)?;
    let state: String = row.get(6)?;
    let reduced: Option<i64> = row.get(19)?;
    let reduction: String = row.get(20)?;
    Ok(IssueRow {
        id: row.get(0)?,
        program: row.get(1)?,
        identity: Identity {
            kind: row.get(2)?,
            what: row.get(3)?,
            frames: serde_json::from_str(&frames).unwrap_or_default(),
        },
        cluster: row.get(5)?,
        state: state.parse().unwrap_or(IssueState::Open),
        severity: Severity::of_number(row.get(7)?),
        seen: count(row, 8)?,
        first_seen: row.get(9)?,
        last_seen: row.get(10)?,
        first_version: row.get(11)?,
        last_version: row.get(12)?,
        regressed: row.get(13)?,
        generator: row.get(14)?,
        hits: count(row, 15)?,
        tries: count(row, 16)?,
        exit: row.get(17)?,
        test_bytes: count(row, 18)?,
        reduced_bytes: reduced.map(i64::unsigned_abs),
        reduction: Reduction::of_name(&reduction),
        note: row.get(21)?,
        joined_to: row.get(22)?,
        joined: vec![],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::Test;

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
