use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// The database of a campaign cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no campaign in the folder.
    #[error("`{path}` does not exist")]
    Missing {
        /// The path of the database.
        path: PathBuf,
    },
    /// The file is a database of something else.
    #[error("`{path}` is not the database of a campaign")]
    Foreign {
        /// The path of the database.
        path: PathBuf,
    },
    /// A newer nubbin wrote the database.
    #[error("`{path}` has version {found}, and this nubbin reads up to {known}")]
    Newer {
        /// The path of the database.
        path: PathBuf,
        /// The version of the file.
        found: i64,
        /// The newest version that is known.
        known: i64,
    },
    /// The database is damaged.
    #[error("`{path}` is damaged: {why}")]
    Damaged {
        /// The path of the database.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// There is no room on the disk.
    #[error("there is no room for `{path}`")]
    Full {
        /// The path of the database.
        path: PathBuf,
    },
    /// The database may not be written to.
    #[error("`{path}` cannot be written to")]
    ReadOnly {
        /// The path of the database.
        path: PathBuf,
    },
    /// Another process runs the campaign.
    #[error("another process runs the campaign in `{folder}`")]
    Running {
        /// The folder of the campaign.
        folder: PathBuf,
    },
    /// A file cannot be made or locked.
    #[error("cannot use `{path}`")]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// The database cannot be read or written for another reason.
    #[error("cannot use `{path}`")]
    Sql {
        /// The path of the database.
        path: PathBuf,
        /// The reason.
        source: rusqlite::Error,
    },
}

impl StoreError {
    pub(super) fn of(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        // SQLite cannot create the file that processes share, since the disk is full.
        const NO_SHARED_FILE: i32 = 4874;
        let extended = source.sqlite_error().map(|error| error.extended_code);
        if extended == Some(NO_SHARED_FILE) {
            return StoreError::Full { path };
        }
        match source.sqlite_error_code() {
            Some(ErrorCode::CannotOpen) if path.exists() => StoreError::ReadOnly { path },
            Some(ErrorCode::DiskFull) => StoreError::Full { path },
            Some(ErrorCode::ReadOnly) => StoreError::ReadOnly { path },
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => StoreError::Damaged {
                path,
                why: source.to_string(),
            },
            _ => StoreError::Sql { path, source },
        }
    }

    /// Returns whether the disk is full, which may change.
    pub fn is_full(&self) -> bool {
        matches!(self, StoreError::Full { .. })
    }
}
