//! Issues that the user counts as one, and the inputs that show an issue.
//!
//! An issue that is joined to another keeps its row, its test, and its counts, and failures with
//! its identity are counted in that row. Only the sums include both issues. So a split restores the
//! issue as if it had never been joined, even if failures were seen in the meantime.

use super::{Store, StoreError, events, jobs};
use crate::event::{Event, EventKind, NumberedEvent};
use crate::fuzz::INPUTS;
use crate::issue::{Issue, IssueState, Reduction};
use crate::schedule::JobKind;
use rusqlite::{OptionalExtension as _, Transaction, params};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// Two issues cannot be joined, or one cannot be split off.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The campaign does not have the issue.
    #[error("there is no issue {0}")]
    Missing(i64),
    /// Both are the same issue.
    #[error("issue {0} cannot be joined to itself")]
    Same(i64),
    /// The issues are of different programs.
    #[error("issues {0} and {1} are of different programs")]
    Programs(i64, i64),
    /// The issue is joined to another one.
    #[error("issue {issue} is joined to issue {to}")]
    Joined {
        /// The issue.
        issue: i64,
        /// The issue that it is joined to.
        to: i64,
    },
    /// The issue is joined to no other.
    #[error("issue {0} is not joined to another one")]
    Apart(i64),
}

impl Store {
    /// Joins an issue to another one of its program: failures of both identities are one issue from
    /// now on, including failures of later runs. Returns the event that is recorded with the
    /// change.
    ///
    /// ```no_run
    /// # use nubbin_campaign::Store;
    /// # fn f(store: &mut Store) -> Result<(), nubbin_campaign::JoinError> {
    /// store.join_issues(1, 2)?;
    /// assert_eq!(store.issue(1)?.unwrap().joined, [2]);
    /// store.split_issue(2)?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Returns [`JoinError`] if an issue does not exist, if both are the same or belong to
    /// different programs, if one is already joined to another, or if the database cannot be
    /// written.
    pub fn join_issues(&mut self, to: i64, issue: i64) -> Result<NumberedEvent, JoinError> {
        let into = self.issue(to)?.ok_or(JoinError::Missing(to))?;
        let joined = self.issue(issue)?.ok_or(JoinError::Missing(issue))?;
        if to == issue {
            return Err(JoinError::Same(to));
        }
        for it in [&into, &joined] {
            if let (issue, Some(to)) = (it.id, it.joined_to) {
                return Err(JoinError::Joined { issue, to });
            }
        }
        if into.program != joined.program {
            return Err(JoinError::Programs(to, issue));
        }
        let told = self.change(|transaction| {
            let joined = transaction.execute(
                "UPDATE issue SET joined_to = ?2, revision = revision + 1
                 WHERE id = ?1 AND joined_to IS NULL
                     AND EXISTS (SELECT 1 FROM issue WHERE id = ?2 AND joined_to IS NULL)",
                params![issue, to],
            )?;
            if joined == 0 {
                return Ok(None);
            }
            // The joined issue takes over the reports and the jobs of the other issue.
            transaction.execute("DELETE FROM job WHERE issue = ?1", [issue])?;
            tell(
                transaction,
                to,
                &format!("issue {issue} is joined to issue {to}"),
            )
            .map(Some)
        })?;
        match told {
            Some(told) => Ok(told),
            // Another process has joined or deleted one of the issues in the meantime.
            None => self.join_issues(to, issue),
        }
    }

    /// Makes a joined issue separate again, with the failures that were seen in the meantime.
    /// Returns the event that is recorded with the change.
    ///
    /// # Errors
    /// Returns [`JoinError`] if the issue does not exist or is not joined to another, or if the
    /// database cannot be written.
    pub fn split_issue(&mut self, id: i64) -> Result<NumberedEvent, JoinError> {
        let issue = self.issue(id)?.ok_or(JoinError::Missing(id))?;
        let to = issue.joined_to.ok_or(JoinError::Apart(id))?;
        self.change(|transaction| {
            split_off(transaction, id)?;
            tell(
                transaction,
                to,
                &format!("issue {id} is split off from issue {to}"),
            )
        })
        .map_err(JoinError::from)
    }

    /// Returns the generators and names of inputs that show an issue, or one that is joined to it,
    /// at most 100 for each.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn inputs(&self, id: i64) -> Result<Vec<(String, String)>, StoreError> {
        let mut inputs = vec![];
        for id in [id].into_iter().chain(self.joins()?.below(id)) {
            inputs.extend(self.own_inputs(id)?);
        }
        Ok(inputs)
    }

    /// Returns the generators and names of inputs that show an issue itself, and not one that is
    /// joined to it.
    pub(super) fn own_inputs(&self, id: i64) -> Result<Vec<(String, String)>, StoreError> {
        let mut statement = self.prepare(
            "SELECT generator, name FROM input WHERE issue = ?1 ORDER BY generator, name",
        )?;
        let rows = statement.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)));
        let inputs = rows.and_then(Iterator::collect::<Result<Vec<(String, String)>, _>>);
        let mut inputs = inputs.map_err(|error| self.error(error))?;
        inputs.sort_by(|(one, a), (other, b)| one.cmp(other).then_with(|| by_numbers(a, b)));
        Ok(inputs)
    }

    /// Returns the generators and versions with which an issue and the issues joined to it were
    /// seen, and how often.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn sightings(&self, id: i64) -> Result<Vec<(String, String, u64)>, StoreError> {
        let mut sums = BTreeMap::new();
        for id in [id].into_iter().chain(self.joins()?.below(id)) {
            for (generator, version, seen) in self.own_sightings(id)? {
                *sums.entry((generator, version)).or_insert(0) += seen;
            }
        }
        let sums = sums.into_iter();
        Ok(sums
            .map(|((generator, version), seen)| (generator, version, seen))
            .collect())
    }

    /// Returns the generators and versions that an issue itself was seen with, and how often.
    pub(super) fn own_sightings(&self, id: i64) -> Result<Vec<(String, String, u64)>, StoreError> {
        let mut statement =
            self.prepare("SELECT generator, version, seen FROM sighting WHERE issue = ?1")?;
        let rows = statement.query_map([id], |row| {
            Ok((row.get(0)?, row.get(1)?, super::count(row, 2)?))
        });
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }

    /// Returns which issues are joined.
    pub(super) fn joins(&self) -> Result<Joins, StoreError> {
        let mut statement = self.prepare(
            "SELECT id, joined_to, seen, met, first_seen, first_version, last_seen, last_version
             FROM issue WHERE joined_to IS NOT NULL ORDER BY id",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(Member {
                id: row.get(0)?,
                to: row.get(1)?,
                seen: super::count(row, 2)?,
                met: super::count(row, 3)?,
                first: (row.get(4)?, row.get(5)?),
                last: (row.get(6)?, row.get(7)?),
            })
        });
        let members = rows.and_then(Iterator::collect);
        let members = members.map_err(|error| self.error(error))?;
        Ok(Joins { members })
    }
}

/// An issue that is joined to another one.
struct Member {
    id: i64,
    to: i64,
    seen: u64,
    met: u64,
    /// The first time, and the version of that.
    first: (i64, String),
    last: (i64, String),
}

/// The issues that are joined to others. Most campaigns have no joins.
pub(super) struct Joins {
    members: Vec<Member>,
}

/// The fields of an issue that include the issues joined to it.
pub(super) struct Sums<'a> {
    pub(super) seen: &'a mut u64,
    pub(super) met: Option<&'a mut u64>,
    pub(super) first: (&'a mut i64, &'a mut String),
    pub(super) last: (&'a mut i64, &'a mut String),
    pub(super) joined: &'a mut Vec<i64>,
}

/// An issue whose counts may include the counts of other issues.
pub(super) trait Summed {
    fn id(&self) -> i64;
    fn sums(&mut self) -> Sums<'_>;
}

impl Summed for Issue {
    fn id(&self) -> i64 {
        self.id
    }

    fn sums(&mut self) -> Sums<'_> {
        Sums {
            seen: &mut self.seen,
            met: Some(&mut self.met),
            first: (&mut self.first_seen, &mut self.first_version),
            last: (&mut self.last_seen, &mut self.last_version),
            joined: &mut self.joined,
        }
    }
}

impl Sums<'_> {
    fn add(&mut self, member: &Member) {
        self.joined.push(member.id);
        *self.seen += member.seen;
        if let Some(met) = &mut self.met {
            **met += member.met;
        }
        if member.first.0 < *self.first.0 {
            *self.first.0 = member.first.0;
            self.first.1.clone_from(&member.first.1);
        }
        if member.last.0 > *self.last.0 {
            *self.last.0 = member.last.0;
            self.last.1.clone_from(&member.last.1);
        }
    }
}

impl Joins {
    /// Adds the counts of joined issues to the issues that they are joined to.
    pub(super) fn add_to<I: Summed>(&self, issues: &mut [I]) {
        if self.members.is_empty() {
            return;
        }
        let by_id: HashMap<i64, &Member> = self.members.iter().map(|it| (it.id, it)).collect();
        for issue in issues {
            for id in self.below(issue.id()) {
                if let Some(member) = by_id.get(&id) {
                    issue.sums().add(member);
                }
            }
        }
    }

    /// Returns how often the issues that are joined to one were seen.
    pub(super) fn seen_below(&self, id: i64) -> u64 {
        let below = self.below(id);
        let members = self.members.iter().filter(|it| below.contains(&it.id));
        members.map(|it| it.seen).sum()
    }

    /// Returns the issues that are joined to one, also through others.
    pub(super) fn below(&self, id: i64) -> Vec<i64> {
        let mut found = vec![];
        let mut open = vec![id];
        while let Some(to) = open.pop() {
            let below = self.members.iter().filter(|it| it.to == to);
            let below: Vec<i64> = below.map(|it| it.id).collect();
            open.extend(&below);
            found.extend(below);
        }
        found.sort_unstable();
        found
    }
}

/// Compares names by the numbers in them: `test 2` is before `test 10`.
fn by_numbers(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| -> Vec<(String, usize, String)> {
        let mut parts = vec![];
        let mut rest = text;
        while !rest.is_empty() {
            let (word, tail) = rest.split_at(rest.find(is_digit).unwrap_or(rest.len()));
            let end = tail.find(|char| !is_digit(char)).unwrap_or(tail.len());
            let (digits, tail) = tail.split_at(end);
            let digits = digits.trim_start_matches('0');
            parts.push((word.to_owned(), digits.len(), digits.to_owned()));
            rest = tail;
        }
        parts
    };
    parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
}

fn is_digit(char: char) -> bool {
    char.is_ascii_digit()
}

/// Returns the issue that one is joined to, also through others, or that itself.
pub(super) fn head(transaction: &Transaction<'_>, id: i64) -> Result<i64, rusqlite::Error> {
    let mut statement = transaction.prepare_cached("SELECT joined_to FROM issue WHERE id = ?1")?;
    let mut head = id;
    while let Some(to) = statement.query_row([head], |row| row.get::<_, Option<i64>>(0))? {
        head = to;
    }
    Ok(head)
}

/// Makes a joined issue one of its own, which is validated and reduced if it is not.
pub(super) fn split_off(transaction: &Transaction<'_>, id: i64) -> Result<(), rusqlite::Error> {
    transaction.execute(
        "UPDATE issue SET joined_to = NULL, revision = revision + 1 WHERE id = ?1",
        [id],
    )?;
    let sql =
        "SELECT program FROM issue WHERE id = ?1 AND state = ?2 AND reduction NOT IN (?3, ?4, ?5)";
    let unreduced = params![
        id,
        IssueState::Open.name(),
        Reduction::Done.name(),
        Reduction::Empty.name(),
        Reduction::Limited.name()
    ];
    let program: Option<String> = transaction
        .query_row(sql, unreduced, |row| row.get(0))
        .optional()?;
    match program {
        Some(program) => {
            jobs::add(transaction, JobKind::Validate, &program, Some(id), false).map(drop)
        }
        None => Ok(()),
    }
}

/// Joins issues as in another campaign, unless they are already joined in another way.
pub(super) fn join_new(
    transaction: &Transaction<'_>,
    id: i64,
    to: i64,
) -> Result<(), rusqlite::Error> {
    if head(transaction, to)? == id {
        return Ok(());
    }
    let joined = transaction.execute(
        "UPDATE issue SET joined_to = ?2, revision = revision + 1
         WHERE id = ?1 AND joined_to IS NULL",
        params![id, to],
    )?;
    if joined > 0 {
        transaction.execute("DELETE FROM job WHERE issue = ?1", [id])?;
        transaction.execute(
            "UPDATE issue SET revision = revision + 1 WHERE id = ?1",
            [to],
        )?;
    }
    Ok(())
}

/// Keeps the names of inputs that show an issue, until there are enough.
pub(super) fn add_inputs(
    transaction: &Transaction<'_>,
    issue: i64,
    generator: &str,
    names: &[String],
) -> Result<(), rusqlite::Error> {
    let mut statement = transaction.prepare_cached(
        "INSERT OR IGNORE INTO input SELECT ?1, ?2, ?3
         WHERE (SELECT count(*) FROM input WHERE issue = ?1) < ?4",
    )?;
    for name in names {
        statement.execute(params![issue, generator, name, INPUTS as i64])?;
    }
    Ok(())
}

/// Records that the user has changed which issues are one, and that the issue needs a new report.
fn tell(
    transaction: &Transaction<'_>,
    to: i64,
    text: &str,
) -> Result<NumberedEvent, rusqlite::Error> {
    let sql = "UPDATE issue SET revision = revision + 1 WHERE id = ?1";
    transaction.execute(sql, [to])?;
    events::put(
        transaction,
        Event::of_issue(EventKind::IssueUpdated, to, text),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::{Found, SliceEnd, Test};
    use crate::identity::Identity;
    use crate::severity::Severity;
    use crate::store::{IssueFilter, now};
    use std::path::Path;

    fn found(what: &str, input: &str) -> Found {
        Found {
            identity: Identity::new("signal", what, vec![]),
            severity: Severity::Medium,
            test: Test::new("("),
            exit: what.into(),
            output: vec![],
            seen: 1,
            inputs: vec![input.to_owned()],
        }
    }

    fn see(store: &mut Store, what: &str, version: &str) {
        let mut end = SliceEnd::default();
        end.add(found(what, &format!("{what} {version}")));
        let lane = store.take_positions("p", "g", &[], 1).unwrap();
        let slice = store.record_slice("p", "g", version, (lane, &end), JobKind::Validate);
        slice.unwrap();
        // Two failures in the same millisecond have no order.
        let seen = now();
        while now() == seen {
            std::thread::yield_now();
        }
    }

    fn with(whats: &[&str], folder: &Path) -> Store {
        let mut store = Store::create(folder).unwrap();
        for what in whats {
            see(&mut store, what, "1");
        }
        store
    }

    fn listed(store: &Store) -> Vec<(i64, u64)> {
        let rows = store.issue_list(&IssueFilter::default()).unwrap();
        rows.iter().map(|row| (row.id, row.seen)).collect()
    }

    #[test]
    fn names_are_in_the_order_of_their_numbers() {
        let mut names = ["test 10", "test 2", "test", "a9", "a10b", "a10"];
        names.sort_by(|a, b| by_numbers(a, b));
        assert_eq!(names, ["a9", "a10", "a10b", "test", "test 2", "test 10"]);
    }

    #[test]
    fn failures_of_a_joined_identity_join_the_issue_and_a_split_takes_them_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = with(&["A", "B", "C"], folder.path());
        store.join_issues(1, 2).unwrap();
        see(&mut store, "B", "1");
        // The database already contains everything when a process is killed.
        drop(store);
        let mut store = Store::open(folder.path()).unwrap();
        assert_eq!(listed(&store), [(3, 1), (1, 3)]);
        let joined = store.issue(1).unwrap().unwrap();
        assert_eq!((joined.seen, joined.joined), (3, vec![2]));
        assert_eq!(store.issue(2).unwrap().unwrap().joined_to, Some(1));
        assert_eq!(store.inputs(1).unwrap().len(), 2);
        assert_eq!(store.issue_counts().unwrap()[0].1, 2);
        let told = store.split_issue(2).unwrap();
        assert_eq!(told.event.text, "issue 2 is split off from issue 1");
        assert_eq!(told.id, Some(store.last_event().unwrap()));
        assert_eq!(listed(&store), [(3, 1), (2, 2), (1, 1)]);
    }

    #[test]
    fn the_report_of_joined_issues_is_written_again_when_one_of_them_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = with(&["A", "B"], folder.path());
        store.join_issues(1, 2).unwrap();
        let report = |store: &mut Store| {
            let issues = store.unreported(true).unwrap();
            for issue in &issues {
                store.record_report(issue).unwrap();
            }
            issues.iter().map(|issue| issue.id).collect::<Vec<i64>>()
        };
        assert_eq!(report(&mut store), [1, 2]);
        assert!(report(&mut store).is_empty());
        see(&mut store, "B", "1");
        assert_eq!(report(&mut store), [1, 2]);
        see(&mut store, "A", "1");
        assert_eq!(report(&mut store), [1]);
    }

    #[test]
    fn sightings_are_summed_as_the_number_of_tests_is() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = with(&["A", "B"], folder.path());
        see(&mut store, "B", "2");
        store.join_issues(1, 2).unwrap();
        let sightings = |store: &Store, id| -> Vec<(String, u64)> {
            let all = store.sightings(id).unwrap().into_iter();
            all.map(|(_, version, seen)| (version, seen)).collect()
        };
        let of = |version: &str, seen| (version.to_owned(), seen);
        assert_eq!(sightings(&store, 1), [of("1", 2), of("2", 1)]);
        assert_eq!(store.issue(1).unwrap().unwrap().seen, 3);
        store.split_issue(2).unwrap();
        assert_eq!(sightings(&store, 1), [of("1", 1)]);
    }

    #[test]
    fn a_merge_gives_each_joined_issue_its_own_inputs() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let mut theirs = with(&["A", "B"], folders[0].path());
        theirs.join_issues(1, 2).unwrap();
        let mut ours = Store::create(folders[1].path()).unwrap();
        ours.merge(&theirs).unwrap();
        assert_eq!(ours.inputs(1).unwrap().len(), 2);
        ours.split_issue(2).unwrap();
        for (issue, name) in [(1, "A 1"), (2, "B 1")] {
            let input = ("g".to_owned(), name.to_owned());
            assert_eq!(ours.inputs(issue).unwrap(), [input]);
        }
        assert_eq!(ours.sightings(1).unwrap().len(), 1);
    }

    #[test]
    fn joins_are_nested_and_each_is_undone_by_itself() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = with(&["A", "B", "C"], folder.path());
        store.join_issues(2, 3).unwrap();
        store.join_issues(1, 2).unwrap();
        assert_eq!(listed(&store), [(1, 3)]);
        store.split_issue(2).unwrap();
        assert_eq!(listed(&store), [(2, 2), (1, 1)]);
        let refused = |refused: Result<NumberedEvent, JoinError>| refused.unwrap_err().to_string();
        assert!(refused(store.join_issues(1, 3)).contains("is joined to issue 2"));
        assert!(refused(store.join_issues(1, 1)).contains("itself"));
        assert!(refused(store.join_issues(1, 9)).contains("no issue 9"));
        assert!(store.split_issue(1).is_err());
        // Issues that were joined to a deleted issue are kept, and their tests are reduced.
        store.delete_issue(2).unwrap();
        assert_eq!(listed(&store), [(3, 1), (1, 1)]);
        let jobs = store.jobs().unwrap();
        assert!(jobs.iter().any(|job| job.issue == Some(3)));
    }

    #[test]
    fn a_closed_issue_opens_again_by_a_joined_identity() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = with(&["A", "B"], folder.path());
        store.join_issues(1, 2).unwrap();
        store.set_state(1, IssueState::Closed).unwrap();
        see(&mut store, "B", "1");
        assert_eq!(store.issue(1).unwrap().unwrap().state, IssueState::Closed);
        see(&mut store, "B", "2");
        let issue = store.issue(1).unwrap().unwrap();
        assert_eq!((issue.state, issue.regressed), (IssueState::Open, true));
        let jobs = store.jobs().unwrap();
        assert!(
            jobs.iter().any(|job| job.issue == Some(2)),
            "its test is run"
        );
    }

    #[test]
    fn an_issue_is_closed_in_the_last_version_of_all_that_are_joined() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = with(&["A", "B"], folder.path());
        store.join_issues(1, 2).unwrap();
        see(&mut store, "B", "2");
        assert_eq!(store.own_issue(1).unwrap().unwrap().last_version, "1");
        store.set_state(1, IssueState::Closed).unwrap();
        see(&mut store, "B", "2");
        assert_eq!(store.issue(1).unwrap().unwrap().state, IssueState::Closed);
    }

    #[test]
    fn no_more_inputs_are_kept_than_an_issue_needs() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = with(&["A"], folder.path());
        let mut end = SliceEnd::default();
        for number in 0..2 * INPUTS {
            end.add(found("A", &number.to_string()));
        }
        let slice = store.record_slice("p", "g", "1", (1..2, &end), JobKind::Validate);
        slice.unwrap();
        assert_eq!(store.inputs(1).unwrap().len(), INPUTS);
    }
}
