//! The database of a campaign.

mod error;
mod events;
mod fuzzing;
mod issues;
mod jobs;
mod joins;
mod merge;
mod places;
mod refused;
mod schema;
mod verdicts;

pub use error::StoreError;
pub use events::StoredEvent;
pub use fuzzing::{History, Lane, Statistic};
pub use issues::{Change, IssueFilter, IssueRow};
pub use jobs::JobRow;
pub use joins::JoinError;
pub use merge::{MergeError, Merged};
pub use refused::RefusedRuns;

use crate::private_file;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The name of the database in the folder of a campaign.
const DATABASE: &str = "campaign.sqlite";
/// The name of the file that the process which runs a campaign holds locked.
const LOCK: &str = "campaign.lock";
/// The time for which a statement waits for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// The database of a campaign, a file in its folder.
///
/// Everything that belongs together is written in one transaction, so that a campaign that is
/// killed has either all of these data or none of them. Several processes may read and write; one
/// at a time may [run](Store::lock) the campaign.
///
/// ```
/// use nubbin_campaign::{Found, Identity, IssueFilter, JobKind, Severity, SliceEnd, Store, Test};
///
/// let folder = tempfile::tempdir()?;
/// let mut store = Store::create(folder.path())?;
/// let mut end = SliceEnd { tests: 10, ..SliceEnd::default() };
/// end.add(Found {
///     identity: Identity::new("signal", "SIGSEGV", vec![]),
///     severity: Severity::Medium,
///     test: Test::new("(("),
///     exit: "SIGSEGV".into(),
///     output: vec![],
///     seen: 2,
///     inputs: vec![],
/// });
/// store.record_slice("parser", "random", "1.0", (0..10, &end), JobKind::Validate)?;
/// let issues = store.issues(&IssueFilter::default())?;
/// assert_eq!(issues[0].identity.to_string(), "signal: SIGSEGV");
/// assert_eq!(store.statistics()?[0].tests, 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    folder: PathBuf,
}

/// The right to run a campaign. The system gives it back when the process ends in any way.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl Store {
    /// Creates the database of a new campaign in a folder, or opens the existing database.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be created or opened.
    pub fn create(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(DATABASE);
        // Files that SQLite makes next to it have the same rights.
        match private_file::create_new(&path) {
            // Another process may have created the file a moment ago.
            Err(source) if source.kind() != ErrorKind::AlreadyExists => {
                Err(StoreError::Io { path, source })
            }
            _ => Store::open(folder),
        }
    }

    /// Opens the database in the folder of a campaign.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database is missing or damaged, or if a newer version of
    /// nubbin created it.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(DATABASE);
        if !path.is_file() {
            return Err(StoreError::Missing { path });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = || -> Result<Connection, rusqlite::Error> {
            let connection = Connection::open_with_flags(&path, flags)?;
            connection.busy_timeout(PATIENCE)?;
            // The journal survives the end of the process. A power failure may undo the last
            // transactions, but none of them partly.
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.set_prepared_statement_cache_capacity(64);
            Ok(connection)
        };
        // SQLite itself does not wait if two processes change the journal mode, as happens when
        // both open a new database.
        let begun = Instant::now();
        let mut opened = open();
        while opened.as_ref().err().is_some_and(is_busy) && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
            opened = open();
        }
        let mut connection = opened.map_err(|error| StoreError::of(&path, error))?;
        schema::migrate(&mut connection, &path)?;
        Ok(Store {
            connection,
            folder: folder.to_owned(),
        })
    }

    /// Opens the database to look at it, also on a disk that cannot be written to.
    ///
    /// # Errors
    /// Returns [`StoreError`] for the same reasons as [`Store::open`], except that the disk may be
    /// read-only.
    pub fn open_to_read(folder: &Path) -> Result<Self, StoreError> {
        let opened = Store::open(folder);
        let Err(StoreError::ReadOnly { path }) = opened else {
            return opened;
        };
        // No process can change a read-only database, so no lock is needed, and its folder has no
        // room for one.
        let mut name = String::from("file:");
        for byte in path.as_os_str().as_encoded_bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' => {
                    name.push(char::from(*byte));
                }
                _ => name += &format!("%{byte:02x}"),
            }
        }
        name += "?immutable=1";
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let opened = Connection::open_with_flags(&name, flags);
        let mut connection = opened.map_err(|error| StoreError::of(&path, error))?;
        schema::migrate(&mut connection, &path)?;
        Ok(Store {
            connection,
            folder: folder.to_owned(),
        })
    }

    /// Removes the database of a campaign that has found no issue. Returns whether the folder has
    /// no database afterwards.
    ///
    /// # Errors
    /// Returns [`StoreError`] if another process runs the campaign, or the files cannot be removed.
    pub fn discard_without_issues(folder: &Path) -> Result<bool, StoreError> {
        let store = match Store::open(folder) {
            Err(StoreError::Missing { .. }) => return Ok(true),
            opened => opened?,
        };
        let _lock = store.lock()?;
        if !store.issue_list(&IssueFilter::default())?.is_empty() {
            return Ok(false);
        }
        // SQLite removes its other files when the last connection is closed.
        drop(store);
        let path = folder.join(DATABASE);
        std::fs::remove_file(&path).map_err(|source| StoreError::Io { path, source })?;
        Ok(true)
    }

    /// Returns the folder of the campaign.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Takes the right to run the campaign.
    ///
    /// # Errors
    /// Returns [`StoreError::Running`] if another process runs it.
    pub fn lock(&self) -> Result<RunLock, StoreError> {
        let path = self.folder.join(LOCK);
        let io = |source| StoreError::Io {
            path: path.clone(),
            source,
        };
        let file = private_file::open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(RunLock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Running {
                folder: self.folder.clone(),
            }),
            Err(TryLockError::Error(error)) => Err(io(error)),
        }
    }

    /// Returns a number that changes with every change by another process.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn foreign_changes(&self) -> Result<i64, StoreError> {
        let mut statement = self.prepare("PRAGMA data_version")?;
        let version = statement.query_row([], |row| row.get(0));
        version.map_err(|error| self.error(error))
    }

    /// Looks for damage in the whole database.
    ///
    /// # Errors
    /// Returns [`StoreError::Damaged`] with a description of the damage, if there is any.
    pub fn check(&self) -> Result<(), StoreError> {
        let path = self.folder.join(DATABASE);
        let found: Result<String, _> =
            self.connection
                .query_row("PRAGMA quick_check(1)", [], |row| row.get(0));
        match found {
            Ok(text) if text == "ok" => Ok(()),
            Ok(text) => Err(StoreError::Damaged { path, why: text }),
            Err(error) => Err(StoreError::of(&path, error)),
        }
    }

    /// Returns a value that the campaign keeps under a name.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be read.
    pub fn value(&self, name: &str) -> Result<Option<String>, StoreError> {
        use rusqlite::OptionalExtension as _;
        let mut statement = self.prepare("SELECT value FROM value WHERE name = ?1")?;
        let value = statement.query_row([name], |row| row.get(0)).optional();
        value.map_err(|error| self.error(error))
    }

    /// Keeps a value under a name.
    ///
    /// # Errors
    /// Returns [`StoreError`] if the database cannot be written.
    pub fn set_value(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        const SET: &str = "INSERT INTO value VALUES (?1, ?2)
                           ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        let set = self.connection.execute(SET, [name, value]);
        set.map(drop).map_err(|error| self.error(error))
    }

    fn prepare(&self, sql: &str) -> Result<rusqlite::CachedStatement<'_>, StoreError> {
        let prepared = self.connection.prepare_cached(sql);
        prepared.map_err(|error| self.error(error))
    }

    /// Runs `change` in a transaction.
    fn change<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, rusqlite::Error>,
    ) -> Result<T, StoreError> {
        let path = self.folder.join(DATABASE);
        let begin = TransactionBehavior::Immediate;
        let changed = (self.connection.transaction_with_behavior(begin)).and_then(|transaction| {
            let changed = change(&transaction)?;
            transaction.commit()?;
            Ok(changed)
        });
        changed.map_err(|error| StoreError::of(&path, error))
    }

    fn error(&self, error: rusqlite::Error) -> StoreError {
        StoreError::of(&self.folder.join(DATABASE), error)
    }
}

/// Returns the time in milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

/// Returns whether the error means that another connection uses the database at the moment.
fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
}

/// Reads an integer that is never negative.
fn count(row: &rusqlite::Row<'_>, at: usize) -> Result<u64, rusqlite::Error> {
    let value: i64 = row.get(at)?;
    Ok(u64::try_from(value).unwrap_or(0))
}

/// Returns a number as the database keeps it.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_database_is_opened_by_several_at_once() {
        for _ in 0..100 {
            let folder = tempfile::tempdir().unwrap();
            let open = || Store::create(folder.path()).map(drop);
            std::thread::scope(|scope| {
                for thread in [(); 4].map(|()| scope.spawn(open)) {
                    thread.join().unwrap().unwrap();
                }
            });
        }
    }
}
