use super::{Store, StoreError, now};
use crate::schedule::JobKind;
use rusqlite::{Transaction, params};
use serde::Serialize;

/// A job that waits or runs. A finished job is removed, so a campaign that was killed repeats the
/// jobs that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JobRow {
    /// The number of the job.
    pub id: i64,
    /// The kind of the job.
    pub kind: JobKind,
    /// The program.
    pub program: String,
    /// The issue; `None` for an update.
    pub issue: Option<i64>,
    /// Whether the user has asked for it, so that it comes first.
    pub priority: bool,
    /// The time at which it was added last, in milliseconds since 1970.
    pub added: i64,
}

impl Store {
    /// Adds a job. If the same job already exists, its priority is raised. Returns its number.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn add_job(
        &mut self,
        kind: JobKind,
        program: &str,
        issue: Option<i64>,
        priority: bool,
    ) -> Result<i64, StoreError> {
        self.change(|transaction| add(transaction, kind, program, issue, priority))
    }

    /// Removes a job that has finished, unless it was added once more since it began.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn remove_job(&mut self, job: &JobRow) -> Result<(), StoreError> {
        self.change(|transaction| {
            transaction
                .prepare_cached("DELETE FROM job WHERE id = ?1 AND added = ?2")?
                .execute([job.id, job.added])
                .map(drop)
        })
    }

    /// Returns all jobs. Jobs of the user come first, and then jobs in the order in which they were
    /// added.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn jobs(&self) -> Result<Vec<JobRow>, StoreError> {
        let mut statement = self.prepare(
            "SELECT id, kind, program, issue, priority, added FROM job ORDER BY priority DESC, id",
        )?;
        let rows = statement.query_map([], |row| {
            let kind: String = row.get(1)?;
            Ok(JobRow {
                id: row.get(0)?,
                kind: JobKind::of_name(&kind),
                program: row.get(2)?,
                issue: row.get(3)?,
                priority: row.get(4)?,
                added: row.get(5)?,
            })
        });
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }
}

pub(super) fn add(
    transaction: &Transaction<'_>,
    kind: JobKind,
    program: &str,
    issue: Option<i64>,
    priority: bool,
) -> Result<i64, rusqlite::Error> {
    transaction
        .prepare_cached(
            "INSERT INTO job (kind, program, issue, priority, added) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT DO UPDATE SET priority = max(priority, excluded.priority),
                 added = max(added + 1, excluded.added)
             RETURNING id",
        )?
        .query_row(
            params![kind.name(), program, issue, priority, now()],
            |row| row.get(0),
        )
}
