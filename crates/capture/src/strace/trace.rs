//! A command under strace.

use super::log;
use crate::access::Access;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The reason why strace cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    #[error("strace is not installed")]
    Missing,
    #[error("strace cannot trace processes on this machine: {0}")]
    Forbidden(String),
}

/// A trace that is written to a file.
#[derive(Debug)]
pub(crate) struct Trace {
    log: PathBuf,
}

impl Trace {
    /// Creates a trace with its file in the given folder, if strace can trace a first program.
    /// Containers often forbid it.
    pub(crate) fn new(folder: &Path) -> Result<Self, Refused> {
        let trace = Trace {
            log: folder.join("trace"),
        };
        let mut words = trace.words(&["true".into()]).into_iter();
        let mut command = Command::new(words.next().unwrap_or_default());
        let ran = command.args(words).stdin(Stdio::null()).output();
        match ran {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Refused::Missing),
            Err(error) => Err(Refused::Forbidden(error.to_string())),
            Ok(ran) if ran.status.success() && trace.log.exists() => Ok(trace),
            Ok(ran) => {
                let said = String::from_utf8_lossy(&ran.stderr);
                let said = said.lines().next().unwrap_or("it failed");
                Err(Refused::Forbidden(said.to_owned()))
            }
        }
    }

    /// Returns the command line that runs a command and writes the trace.
    pub(crate) fn words(&self, command: &[OsString]) -> Vec<OsString> {
        // With `-qq`, strace prints no line for the end of a process. Signals are not needed.
        let options = [
            "-f",
            "-qq",
            "-y",
            "-e",
            log::CALLS,
            "-e",
            "signal=none",
            "-o",
        ];
        let mut words = vec![OsString::from("strace")];
        words.extend(options.map(OsString::from));
        words.extend([self.log.clone().into(), "--".into()]);
        words.extend(command.iter().cloned());
        words
    }

    /// Returns the uses of files of a command that was run in the folder `here`.
    pub(crate) fn read(&self, here: &Path) -> io::Result<Vec<Access>> {
        Ok(log::read(&std::fs::read(&self.log)?, here))
    }
}
