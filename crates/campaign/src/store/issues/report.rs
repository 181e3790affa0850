//! The issues that have changed since their report was written.

use crate::issue::Issue;
use crate::store::{Store, StoreError, count, signed};

impl Store {
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
