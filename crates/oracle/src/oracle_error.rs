use crate::command::CommandError;
use crate::folder_error::FolderError;
use crate::predicate::PredicateError;
use crate::run_error::RunError;

/// An oracle could not be built, or a test could not be run.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The command cannot be used.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The conditions cannot be used.
    #[error(transparent)]
    Predicate(#[from] PredicateError),
    /// The private folder cannot be made.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The test could not be run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// There is no input.
    #[error("no input file")]
    NoInput,
}
