//! The verdicts of reductions that were interrupted.

use super::{Store, StoreError};
use rusqlite::params;

impl Store {
    /// Keeps verdicts of the reduction of an issue.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn record_verdicts(
        &mut self,
        issue: i64,
        verdicts: &[(u128, bool)],
    ) -> Result<(), StoreError> {
        self.change(|transaction| {
            let mut statement =
                transaction.prepare_cached("INSERT OR IGNORE INTO verdict VALUES (?1, ?2, ?3)")?;
            for (fingerprint, fails) in verdicts {
                statement.execute(params![issue, &fingerprint.to_be_bytes()[..], fails])?;
            }
            Ok(())
        })
    }

    /// Returns the verdicts of the reduction of an issue.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn verdicts(&self, issue: i64) -> Result<Vec<(u128, bool)>, StoreError> {
        let mut statement =
            self.prepare("SELECT fingerprint, fails FROM verdict WHERE issue = ?1")?;
        let rows = statement.query_map([issue], |row| {
            let bytes: Vec<u8> = row.get(0)?;
            let bytes: [u8; 16] = bytes.try_into().unwrap_or_default();
            Ok((u128::from_be_bytes(bytes), row.get(1)?))
        });
        rows.and_then(Iterator::collect)
            .map_err(|error| self.error(error))
    }
}
