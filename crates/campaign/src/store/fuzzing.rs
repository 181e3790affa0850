//! The progress of fuzz jobs: their positions, their counts, and the counts of each minute.

use super::issues::{self, Change};
use super::{Store, StoreError, count, now, signed};
use crate::fuzz::SliceEnd;
use crate::schedule::JobKind;
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde::Serialize;
use std::ops::Range;

/// The progress of the fuzz job of a generator and a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lane {
    /// The first position that no slice has had.
    pub next: u64,
    /// The positions before it that were not run, or whose slice has not finished.
    pub pending: Vec<Range<u64>>,
}

impl Lane {
    /// Takes positions for a slice: those that are pending, or else the next `most`. The positions
    /// remain pending until the slice has finished.
    pub fn take(&mut self, running: &[Range<u64>], most: u64) -> Range<u64> {
        let waiting = self.pending.iter_mut();
        let waiting = waiting.filter(|range| !running.contains(range));
        // Ranges are taken in their order, so that a campaign with one slice at a time runs the
        // positions one after another.
        if let Some(range) = waiting.min_by_key(|range| range.start) {
            let whole = range.clone();
            let taken = whole.start..whole.end.min(whole.start.saturating_add(most.max(1)));
            *range = taken.clone();
            if taken.end < whole.end {
                self.pending.push(taken.end..whole.end);
            }
            return taken;
        }
        let taken = self.next..self.next.saturating_add(most.max(1));
        self.next = taken.end;
        self.pending.push(taken.clone());
        taken
    }

    /// Takes the end of a slice into account.
    pub fn settle(&mut self, taken: &Range<u64>, end: &SliceEnd) {
        if let Some(at) = self.pending.iter().position(|range| range == taken) {
            self.pending.swap_remove(at);
        }
        self.pending.extend(end.unfinished.iter().cloned());
        // The next slice continues where this one ended.
        if let [only] = &self.pending[..]
            && only.end == self.next
            && end.unfinished.contains(only)
        {
            self.next = only.start;
            self.pending.clear();
        }
    }
}

/// The counts of a generator on a version of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Statistic {
    /// The program.
    pub program: String,
    /// The generator.
    pub generator: String,
    /// The version of the program.
    pub version: String,
    /// The number of tests.
    pub tests: u64,
    /// The number of these that failed.
    pub failures: u64,
    /// The number of these that hit a limit.
    pub limits: u64,
    /// The number of tests that hit the time limit.
    #[serde(skip)]
    pub timeouts: u64,
    /// The bytes of all tests.
    pub bytes: u64,
    /// The time of all slices in milliseconds, on one core.
    pub millis: u64,
    /// The number of issues that it found first.
    pub issues: u64,
}

/// The counts of a minute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct History {
    /// The minute since 1970.
    pub minute: i64,
    /// The program.
    pub program: String,
    /// The generator.
    pub generator: String,
    /// The number of tests.
    pub tests: u64,
    /// The number of these that failed.
    pub failures: u64,
    /// The number of new issues.
    pub issues: u64,
}

impl Store {
    /// Records the end of a slice that had the given positions: its counts, its failures, and which
    /// positions were not run, in one transaction. `follow` is the kind of job for a new issue.
    /// Returns the changes.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_slice(
        &mut self,
        program: &str,
        generator: &str,
        version: &str,
        (taken, end): (Range<u64>, &SliceEnd),
        follow: JobKind,
    ) -> Result<Vec<Change>, StoreError> {
        self.change(|transaction| {
            let mut changes = vec![];
            for found in &end.found {
                let change = issues::met(transaction, program, generator, version, found)?;
                change.follow_up(transaction, program, follow)?;
                changes.push(change);
            }
            for text in &end.members {
                put_member(transaction, program, generator, text)?;
            }
            let new = changes.iter().filter(|change| change.is_new).count() as u64;
            count_tests(transaction, (program, generator, version), end, new)?;
            let mut lane = read_lane(transaction, program, generator)?;
            lane.settle(&taken, end);
            write_lane(transaction, program, generator, &lane)?;
            Ok(changes)
        })
    }

    /// Returns how far a fuzz job is.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn lane(&mut self, program: &str, generator: &str) -> Result<Lane, StoreError> {
        self.change(|transaction| read_lane(transaction, program, generator))
    }

    /// Takes positions for a slice. The positions are pending until the slice has finished, so a
    /// campaign that is killed runs them again.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn take_positions(
        &mut self,
        program: &str,
        generator: &str,
        running: &[Range<u64>],
        most: u64,
    ) -> Result<Range<u64>, StoreError> {
        self.change(|transaction| {
            let mut lane = read_lane(transaction, program, generator)?;
            let taken = lane.take(running, most);
            write_lane(transaction, program, generator, &lane)?;
            Ok(taken)
        })
    }

    /// Returns the counts of all generators on all versions of all programs.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn statistics(&self) -> Result<Vec<Statistic>, StoreError> {
        let mut statement = self.prepare(
            "SELECT program, generator, version, tests, failures, limits, bytes, millis, issues, timeouts
             FROM statistic ORDER BY program, generator, version",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(Statistic {
                program: row.get(0)?,
                generator: row.get(1)?,
                version: row.get(2)?,
                tests: count(row, 3)?,
                failures: count(row, 4)?,
                limits: count(row, 5)?,
                bytes: count(row, 6)?,
                millis: count(row, 7)?,
                issues: count(row, 8)?,
                timeouts: count(row, 9)?,
            })
        });
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }

    /// Returns the counts of the minutes since one, oldest first.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn history(&self, since: i64) -> Result<Vec<History>, StoreError> {
        let mut statement = self.prepare(
            "SELECT minute, program, generator, tests, failures, issues
             FROM history WHERE minute >= ?1 ORDER BY minute",
        )?;
        let rows = statement.query_map([since], |row| {
            Ok(History {
                minute: row.get(0)?,
                program: row.get(1)?,
                generator: row.get(2)?,
                tests: count(row, 3)?,
                failures: count(row, 4)?,
                issues: count(row, 5)?,
            })
        });
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }

    /// Returns the texts of a population, in the order in which they joined.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn members(&self, program: &str, generator: &str) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut statement = self
            .prepare("SELECT text FROM member WHERE program = ?1 AND generator = ?2 ORDER BY id")?;
        let rows = statement.query_map([program, generator], |row| row.get(0));
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }

    /// Replaces the texts of a population, or the members of a source whose positions are those of
    /// its members: its next test is the one behind the last of them.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn replace_members(
        &mut self,
        program: &str,
        generator: &str,
        members: &[Vec<u8>],
    ) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction
                .prepare_cached("DELETE FROM member WHERE program = ?1 AND generator = ?2")?
                .execute([program, generator])?;
            for text in members {
                put_member(transaction, program, generator, text)?;
            }
            let lane = Lane {
                next: members.len() as u64,
                pending: vec![],
            };
            write_lane(transaction, program, generator, &lane)
        })
    }
}

fn put_member(
    transaction: &Transaction<'_>,
    program: &str,
    generator: &str,
    text: &[u8],
) -> Result<(), rusqlite::Error> {
    transaction
        .prepare_cached("INSERT INTO member (program, generator, text) VALUES (?1, ?2, ?3)")?
        .execute(params![program, generator, text])
        .map(drop)
}

fn count_tests(
    transaction: &Transaction<'_>,
    (program, generator, version): (&str, &str, &str),
    end: &SliceEnd,
    issues: u64,
) -> Result<(), rusqlite::Error> {
    let millis = u64::try_from(end.time.as_millis()).unwrap_or(u64::MAX);
    transaction
        .prepare_cached(
            "INSERT INTO statistic VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
             ON CONFLICT DO UPDATE SET tests = tests + excluded.tests,
                 failures = failures + excluded.failures, limits = limits + excluded.limits,
                 bytes = bytes + excluded.bytes, millis = millis + excluded.millis,
                 issues = issues + excluded.issues, timeouts = timeouts + excluded.timeouts",
        )?
        .execute(params![
            program,
            generator,
            version,
            signed(end.tests),
            signed(end.failures),
            signed(end.limits),
            signed(end.bytes),
            signed(millis),
            signed(issues),
            signed(end.timeouts)
        ])?;
    transaction
        .prepare_cached(
            "INSERT INTO history VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT DO UPDATE SET tests = tests + excluded.tests,
                 failures = failures + excluded.failures, issues = issues + excluded.issues",
        )?
        .execute(params![
            now() / 60_000,
            program,
            generator,
            signed(end.tests),
            signed(end.failures),
            signed(issues)
        ])
        .map(drop)
}

fn read_lane(
    transaction: &Transaction<'_>,
    program: &str,
    generator: &str,
) -> Result<Lane, rusqlite::Error> {
    let lane = transaction
        .prepare_cached("SELECT next, pending FROM lane WHERE program = ?1 AND generator = ?2")?
        .query_row([program, generator], |row| {
            let pending: String = row.get(1)?;
            Ok(Lane {
                next: count(row, 0)?,
                pending: serde_json::from_str(&pending).unwrap_or_default(),
            })
        })
        .optional()?;
    Ok(lane.unwrap_or_default())
}

fn write_lane(
    transaction: &Transaction<'_>,
    program: &str,
    generator: &str,
    lane: &Lane,
) -> Result<(), rusqlite::Error> {
    let pending = serde_json::to_string(&lane.pending).unwrap_or_default();
    transaction
        .prepare_cached("INSERT OR REPLACE INTO lane VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![program, generator, signed(lane.next), pending])
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_position_is_lost_or_taken_twice() {
        let mut lane = Lane::default();
        let first = lane.take(&[], 100);
        let second = lane.take(std::slice::from_ref(&first), 100);
        assert_eq!((first.clone(), second.clone()), (0..100, 100..200));
        let end = SliceEnd {
            unfinished: std::iter::once(40..100).collect(),
            ..SliceEnd::default()
        };
        lane.settle(&first, &end);
        let third = lane.take(std::slice::from_ref(&second), 50);
        assert_eq!(third, 40..90);
        let fourth = lane.take(&[second.clone(), third.clone()], 50);
        assert_eq!(fourth, 90..100);
        let fifth = lane.take(&[second, third, fourth], 50);
        assert_eq!(fifth, 200..250);
    }

    #[test]
    fn positions_are_run_in_their_order_by_one_slice_at_a_time() {
        let mut lane = Lane::default();
        let mut ran = vec![];
        for most in [64, 10, 30, 5, 200] {
            let taken = lane.take(&[], most);
            let middle = taken.start + (taken.end - taken.start) / 2;
            ran.extend(taken.start..middle);
            let end = SliceEnd {
                unfinished: std::iter::once(middle..taken.end).collect(),
                ..SliceEnd::default()
            };
            lane.settle(&taken, &end);
        }
        let expected: Vec<u64> = (0..ran.len() as u64).collect();
        assert_eq!(ran, expected);
    }

    #[test]
    fn positions_of_a_slice_that_runs_are_not_taken_again() {
        let mut lane = Lane::default();
        let first = lane.take(&[], 64);
        let second = lane.take(std::slice::from_ref(&first), 64);
        lane.settle(&first, &SliceEnd::default());
        let third = lane.take(std::slice::from_ref(&second), 64);
        assert_eq!((second, third), (64..128, 128..192));
    }

    #[test]
    fn the_slices_of_a_campaign_that_was_killed_are_run_again() {
        let mut lane = Lane::default();
        let taken = lane.take(&[], 100);
        // Nothing runs after the kill.
        assert_eq!(lane.take(&[], 100), taken);
    }

    #[test]
    fn a_slice_that_ended_early_leaves_no_pieces() {
        let mut lane = Lane::default();
        for _ in 0..5 {
            let taken = lane.take(&[], 1000);
            let end = SliceEnd {
                unfinished: std::iter::once(taken.start + 1..taken.end).collect(),
                ..SliceEnd::default()
            };
            lane.settle(&taken, &end);
        }
        let expected = Lane {
            next: 5,
            ..Lane::default()
        };
        assert_eq!(lane, expected);
    }
}
