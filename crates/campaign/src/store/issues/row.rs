//! Rows of the table of issues, with the texts of an issue and without them.

use crate::identity::Identity;
use crate::issue::{Issue, IssueState, Reduction};
use crate::severity::Severity;
use crate::store::count;
use crate::store::joins::{Summed, Sums};
use rusqlite::Row;
use serde::Serialize;

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

/// The columns of an issue, in the order that `read` takes them.
pub(super) const COLUMNS: &str = "id, program, kind, what, frames, cluster, state, severity, seen, first_seen, \
     last_seen, first_version, last_version, regressed, generator, hits, tries, exit, output, test, \
     ifnull(reduced_recipe, recipe), reduced, reduction, reduction_tests, note, revision, met, joined_to, first_bad, \
     explanation";

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
pub(super) fn read_row(row: &Row<'_>) -> Result<IssueRow, rusqlite::Error> {
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
