use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;
use tonic::{Code, Status};

/// The reason why a farm cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RemoteError {
    /// The text is not the address of a farm.
    #[error("`{text}` is not the address of a farm: {why}")]
    Address {
        /// The text that is not an address.
        text: String,
        /// The reason for the error.
        why: String,
    },
    /// The farm cannot be reached.
    #[error("cannot reach the farm at `{address}`: {why}")]
    Unreachable {
        /// The address of the farm.
        address: String,
        /// The reason, from the innermost error.
        why: String,
    },
    /// The farm does not accept the token, the certificate, or the name of the instance.
    #[error("the farm refuses access: {why}")]
    Refused {
        /// The message of the farm.
        why: String,
    },
    /// The farm lacks something that the client needs.
    #[error("the farm cannot run tests: {what}")]
    Unable {
        /// The missing feature.
        what: &'static str,
    },
    /// A call of the farm failed.
    #[error("the farm failed: {why}")]
    Failed {
        /// The message of the farm.
        why: String,
    },
    /// A worker could not run the script that runs the test.
    #[error("a worker of the farm cannot run tests: {why}")]
    Worker {
        /// The reason, with the worker's standard error.
        why: String,
    },
    /// A test ran longer than the time limit of its action, although that is longer than the limit
    /// of the test.
    #[error("a worker did not finish a test within {0:?}")]
    TooLong(Duration),
    /// A file for the farm cannot be read.
    #[error("cannot read `{path}`: {why}")]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        why: String,
    },
    /// The command that prints the token failed.
    #[error("the command `{command}` gives no token: {why}")]
    Token {
        /// The command that prints the token.
        command: String,
        /// The reason for the error.
        why: String,
    },
    /// A name cannot be sent to a farm.
    #[error("`{name}` cannot be sent to a farm, which takes names in UTF-8 within one folder only")]
    Name {
        /// The name that cannot be sent.
        name: PathBuf,
    },
    /// The test does not have the same verdict on a worker as on this machine.
    #[error("{what}")]
    Differs {
        /// The input with a different verdict, and the exit of its run.
        what: String,
        /// The worker's standard error.
        stderr: String,
        /// The programs and libraries that the worker is known to lack.
        lacks: Vec<String>,
    },
    /// The run was stopped.
    #[error("stopped")]
    Stopped,
}

/// The remedy for a call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// The farm lacks a blob that it had before. Everything must be sent again.
    SendAgain,
    /// The farm has no capacity now. The client must wait.
    Wait,
    /// The farm sent an unexpected response. The client tries again, and stops using the farm if
    /// this fails as well.
    TryAgain,
    /// The farm does not accept the token, which may have expired. The client must fetch the token
    /// again.
    NewToken,
    /// The farm ended the action at its time limit.
    TooLong,
    /// The farm does not know the call, or will never accept it.
    Never,
}

/// Returns the remedy for a status.
pub(crate) fn remedy(status: &Status) -> Remedy {
    match status.code() {
        Code::FailedPrecondition | Code::NotFound => Remedy::SendAgain,
        Code::ResourceExhausted => Remedy::Wait,
        Code::Unauthenticated => Remedy::NewToken,
        Code::DeadlineExceeded => Remedy::TooLong,
        Code::Unimplemented | Code::InvalidArgument | Code::PermissionDenied | Code::OutOfRange => {
            Remedy::Never
        }
        _ => Remedy::TryAgain,
    }
}

impl RemoteError {
    /// Creates the error for a status, with the innermost cause.
    pub(crate) fn of(status: &Status) -> Self {
        let mut why = match status.message() {
            "" => format!("{:?}", status.code()),
            message => message.to_owned(),
        };
        let inner = innermost(status);
        if !inner.is_empty() && !why.contains(&inner) && !inner.contains(&why) {
            why = format!("{why}: {inner}");
        }
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => RemoteError::Refused { why },
            _ => RemoteError::Failed { why },
        }
    }
}

/// Returns the text of the innermost cause of an error, which is the most useful text about
/// connections.
pub(crate) fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut last = None;
    let mut next = error.source();
    while let Some(error) = next {
        last = Some(error.to_string());
        next = error.source();
    }
    last.unwrap_or_default()
}
