//! The fork server of a slot, and the errors of its tests.

use crate::command::TestCommand;
use crate::forkserver::Server;
use crate::output::Keep;
use crate::run_error::{RunError, ServerError};

/// A running fork server, and the settings with which it was started.
#[derive(Debug)]
pub(super) struct Served {
    pub(super) server: Server,
    pub(super) test: TestCommand,
    pub(super) keep: Keep,
    /// The device and number of its folder, which is another one after it was removed.
    pub(super) folder: Option<(u64, u64)>,
}

/// A test in a fork server could not be run.
#[derive(Debug)]
pub(crate) enum ServeError {
    /// The server is the reason. A started program may have an outcome.
    Server(ServerError),
    /// No test can be run.
    Run(RunError),
}

impl From<ServerError> for ServeError {
    fn from(error: ServerError) -> Self {
        ServeError::Server(error)
    }
}

impl From<RunError> for ServeError {
    fn from(error: RunError) -> Self {
        ServeError::Run(error)
    }
}
