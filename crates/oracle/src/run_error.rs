//! The reasons why a test has no verdict. A fork server must start its program, and a test may need
//! a fork server. So each of the two errors can be the source of the other.

use crate::command::CommandError;
use crate::folder_error::FolderError;
use crate::forkserver::Refused;
use crate::run::Exit;
use crate::sandbox::SandboxError;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// A test could not be run: there is no verdict.
///
/// The text leaves out the system's error, which is the source of this one.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The private folder of the test could not be prepared.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The command cannot be run.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// There is no sandbox for the test.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The test needs the fork server of its program, and the server could not run it.
    #[error("the fork server of the test cannot be used")]
    Server(#[source] Box<ServerError>),
    /// The test could not be run on another machine.
    #[error(transparent)]
    Elsewhere(Box<dyn std::error::Error + Send + Sync>),
    /// The command could not be started.
    #[error("cannot start `{command}`{hint}")]
    Start {
        /// The path of the program.
        command: PathBuf,
        /// The system's error.
        source: io::Error,
        /// A cause that the system's error does not name; begins with `: `.
        hint: &'static str,
    },
    /// Waiting for the command, or reading its output, failed.
    #[error("cannot follow `{command}` while it runs")]
    Lost {
        /// The path of the program.
        command: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// A fork server could not be started or used. Verdicts are not affected: a test that the server
/// did not finish has no verdict.
///
/// The text leaves out the system's error, which is the source of this one.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The program could not be started.
    #[error(transparent)]
    Start(#[from] RunError),
    /// The program ended without a message, like a program that is not instrumented.
    #[error("the program ended with {0} and did not answer: is it built with `afl-cc`?")]
    Ended(Exit),
    /// A program that the given program started answered in its place, for example because the
    /// given program is a script.
    #[error("a program that it starts answers instead")]
    Another,
    /// The conditions are about the end of the program, which a test in its loop does not reach.
    #[error(
        "a test in its loop (`__AFL_LOOP`) has neither an exit code nor a complete standard \
         output, and the conditions are about them"
    )]
    Loop,
    /// The program runs and sent no message within this time.
    #[error("the program did not answer within {0:?}")]
    Silent(Duration),
    /// The runtime of the program reports an error.
    #[error("it refuses{0}")]
    Refused(Refused),
    /// The program uses an unknown version of the protocol, or another protocol.
    #[error("the program speaks an unknown protocol ({0:#010x})")]
    Unknown(u32),
    /// The coverage map of the program is larger than the largest of AFL++.
    #[error("the coverage map of the program has {0} bytes, which is too many")]
    Map(u32),
    /// The server sent more words than requested, so it is unknown which test a word belongs to.
    #[error("the program sends more answers than requests, so that no answer belongs to a test")]
    OutOfStep,
    /// The server ended during a test, and so did the servers that were started in its place.
    #[error("the program ended during a test, as often as the test was repeated")]
    Lost,
    /// The run was stopped before the program answered.
    #[error("the run was stopped")]
    Stopped,
    /// The system refused shared memory, a pipe, or a file.
    #[error("cannot connect to it")]
    System(#[from] io::Error),
}
