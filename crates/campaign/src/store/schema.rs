//! The tables of the database, and the migrations from earlier versions.

use super::StoreError;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// Marks the file as a campaign: "nubc".
const APPLICATION: i64 = 0x6e75_6263;

/// The migrations from each version to the next. A released entry never changes.
const MIGRATIONS: [&str; 4] = [FIRST, SECOND, THIRD, FOURTH];

const FIRST: &str = "
CREATE TABLE value (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE issue (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    program TEXT NOT NULL,
    kind TEXT NOT NULL,
    what TEXT NOT NULL,
    frames TEXT NOT NULL,
    cluster TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open',
    severity INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    first_version TEXT NOT NULL,
    last_version TEXT NOT NULL,
    settled_version TEXT NOT NULL DEFAULT '',
    regressed INTEGER NOT NULL DEFAULT 0,
    generator TEXT NOT NULL,
    hits INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    exit TEXT NOT NULL,
    output BLOB NOT NULL,
    test BLOB NOT NULL,
    recipe TEXT,
    reduced BLOB,
    reduced_recipe TEXT,
    reduction TEXT NOT NULL DEFAULT 'none',
    reduction_tests INTEGER NOT NULL DEFAULT 0,
    note TEXT NOT NULL DEFAULT '',
    revision INTEGER NOT NULL DEFAULT 1,
    reported INTEGER NOT NULL DEFAULT 0,
    reported_seen INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX issue_by_identity ON issue (program, kind, what);
CREATE INDEX issue_by_version ON issue (program, kind, last_version);

CREATE TABLE sighting (
    issue INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
    generator TEXT NOT NULL,
    version TEXT NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (issue, generator, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict (
    issue INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
    fingerprint BLOB NOT NULL,
    fails INTEGER NOT NULL,
    PRIMARY KEY (issue, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE TABLE statistic (
    program TEXT NOT NULL,
    generator TEXT NOT NULL,
    version TEXT NOT NULL,
    tests INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    limits INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    millis INTEGER NOT NULL,
    issues INTEGER NOT NULL,
    PRIMARY KEY (program, generator, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE history (
    minute INTEGER NOT NULL,
    program TEXT NOT NULL,
    generator TEXT NOT NULL,
    tests INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    issues INTEGER NOT NULL,
    PRIMARY KEY (minute, program, generator)
) STRICT, WITHOUT ROWID;

CREATE TABLE lane (
    program TEXT NOT NULL,
    generator TEXT NOT NULL,
    next INTEGER NOT NULL,
    pending TEXT NOT NULL,
    PRIMARY KEY (program, generator)
) STRICT, WITHOUT ROWID;

CREATE TABLE member (
    id INTEGER PRIMARY KEY,
    program TEXT NOT NULL,
    generator TEXT NOT NULL,
    text BLOB NOT NULL
) STRICT;

CREATE TABLE job (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    program TEXT NOT NULL,
    issue INTEGER REFERENCES issue (id) ON DELETE CASCADE,
    priority INTEGER NOT NULL,
    added INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX job_once ON job (kind, program, ifnull(issue, 0));

CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    issue INTEGER,
    text TEXT NOT NULL,
    facts TEXT NOT NULL
) STRICT;
";

/// Sightings by reductions and validations, and tests at the time limit, are counted apart.
const SECOND: &str = "
ALTER TABLE issue ADD COLUMN met INTEGER NOT NULL DEFAULT 0;
ALTER TABLE statistic ADD COLUMN timeouts INTEGER NOT NULL DEFAULT 0;
";

/// Issues are joined by hand, and the inputs that show an issue are kept, and its first revision.
const THIRD: &str = "
ALTER TABLE issue ADD COLUMN joined_to INTEGER REFERENCES issue (id) ON DELETE SET NULL;
ALTER TABLE issue ADD COLUMN first_bad TEXT NOT NULL DEFAULT '';

CREATE TABLE input (
    issue INTEGER NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
    generator TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (issue, generator, name)
) STRICT, WITHOUT ROWID;
";

/// Tests are explained.
const FOURTH: &str = "
ALTER TABLE issue ADD COLUMN explanation TEXT;
";

/// Brings the tables to the current version.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let known = MIGRATIONS.len() as i64;
    let failed = |error| StoreError::of(path, error);
    let read = |connection: &Connection, name| -> Result<i64, rusqlite::Error> {
        connection.pragma_query_value(None, name, |row| row.get(0))
    };
    let version = read(connection, "user_version").map_err(failed)?;
    let application = read(connection, "application_id").map_err(failed)?;
    if version > 0 && application != APPLICATION {
        return Err(StoreError::Foreign {
            path: path.to_owned(),
        });
    }
    if version > known {
        return Err(StoreError::Newer {
            path: path.to_owned(),
            found: version,
            known,
        });
    }
    if version == known {
        return Ok(());
    }
    let begin = TransactionBehavior::Immediate;
    let migrated = connection
        .transaction_with_behavior(begin)
        .and_then(|transaction| {
            // Another process may have migrated the database in the meantime.
            let version = read(&transaction, "user_version")?;
            let tables = "SELECT count(*) FROM sqlite_schema";
            let tables: i64 = transaction.query_row(tables, [], |row| row.get(0))?;
            if version == 0 && tables > 0 {
                return Ok(false);
            }
            for migration in MIGRATIONS
                .iter()
                .skip(usize::try_from(version).unwrap_or(0))
            {
                transaction.execute_batch(migration)?;
            }
            // Copies of the folder share this identifier.
            transaction.execute(
                "INSERT OR IGNORE INTO value VALUES ('id', lower(hex(randomblob(16))))",
                [],
            )?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", known)?;
            transaction.commit()?;
            Ok(true)
        });
    match migrated.map_err(failed)? {
        true => Ok(()),
        false => Err(StoreError::Foreign {
            path: path.to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{IssueFilter, Store};

    #[test]
    fn a_campaign_of_an_earlier_version_keeps_its_issues_and_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaign.sqlite");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch(FIRST).unwrap();
        connection
            .execute_batch(
                "INSERT INTO issue (program, kind, what, frames, cluster, severity, seen, first_seen,
                     last_seen, first_version, last_version, generator, exit, output, test)
                 VALUES ('p', 'signal', 'SIGSEGV', '[]', 'c', 1, 3, 0, 0, '1', '1', 'g', 'SIGSEGV',
                     x'', x'28');
                 INSERT INTO statistic VALUES ('p', 'g', '1', 10, 3, 2, 100, 5, 1);",
            )
            .unwrap();
        connection
            .pragma_update(None, "application_id", APPLICATION)
            .unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        drop(connection);
        let store = Store::open(folder.path()).unwrap();
        let issues = store.issues(&IssueFilter::default()).unwrap();
        assert_eq!((issues[0].seen, issues[0].met), (3, 0));
        assert_eq!(issues[0].explanation, None);
        let rows = store.statistics().unwrap();
        assert_eq!((rows[0].limits, rows[0].timeouts), (2, 0));
        drop(store);
        // The first opening migrates the campaign.
        Store::open(folder.path()).unwrap();
    }
}
