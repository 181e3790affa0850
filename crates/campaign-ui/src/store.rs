//! Errors and hints for a database that cannot be used.

use crate::exit::Exit;
use crate::problem::Problem;
use nubbin_campaign::{Store, StoreError};
use std::path::Path;

/// Opens the database of a campaign, or makes the one of a new campaign.
pub(super) fn open(folder: &Path) -> Result<Store, Problem> {
    Store::create(folder).map_err(|error| problem(&error))
}

/// Returns the problem of a database.
pub(super) fn problem(error: &StoreError) -> Problem {
    let (exit, hint) = match error {
        StoreError::Missing { .. } => (
            Exit::Input,
            "`nubbin campaign new DIR` creates a campaign, and `nubbin campaign run DIR` its \
             database",
        ),
        StoreError::Foreign { .. } => (Exit::Input, "move the file away"),
        StoreError::Newer { .. } => (Exit::Input, "update nubbin"),
        StoreError::Damaged { .. } => (
            Exit::Input,
            "move it away and `nubbin campaign import` what `sqlite3 campaign.sqlite .recover` \
             saves, or go on with a copy of the folder",
        ),
        StoreError::Full { .. } => (Exit::Output, "make room on the disk"),
        StoreError::ReadOnly { .. } => (
            Exit::Output,
            "copy the folder to a location that can be written to",
        ),
        StoreError::Running { .. } => (
            Exit::Output,
            "stop that one; issues can be looked at and changed while it runs",
        ),
        _ => (
            Exit::Output,
            "is the folder on a disk that can be written to?",
        ),
    };
    let problem = Problem::new(exit, error.to_string());
    match std::error::Error::source(error) {
        Some(source) => problem.because(source),
        None => problem,
    }
    .hint(hint)
}
