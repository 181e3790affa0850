//! The process that traces a test. The tracer is a separate process, since traced processes end
//! with their tracer, and the tracer waits for any child.

use crate::exit::Exit;
use nubbin_oracle::Stack;
use std::ffi::OsString;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitCode, ExitStatus};

/// The exit code with which a shell reports that a command cannot be run.
const CANNOT_RUN: u8 = 126;

/// Runs the command of the arguments, which come after the path of the report, and ends as it does.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut arguments = arguments;
    let (Some(report), Some(program)) = (arguments.next(), arguments.next()) else {
        return Exit::Usage.into();
    };
    #[expect(clippy::disallowed_methods, reason = "the file is there, in memory")]
    let opened = std::fs::File::options().write(true).open(report);
    let Ok(mut report) = opened else {
        return CANNOT_RUN.into();
    };
    let Ok(traced) = nubbin_stack::trace(Command::new(program).args(arguments)) else {
        return CANNOT_RUN.into();
    };
    if let Some(crash) = traced.crash {
        let stack = Stack::new(crash.signal, &crash.to_string());
        // If the report cannot be written, the run counts as one without a crash.
        let _ = report.write_all(stack.report().as_bytes());
    }
    end_as(traced.status)
}

/// Ends this process in the way of another one.
fn end_as(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal()
        && let Some(signal) = rustix::process::Signal::from_named_raw(signal)
    {
        // The standard library handles the first SIGSEGV, but not the second one. Core dumps are
        // disabled.
        for _ in 0..2 {
            let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
        }
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.unwrap_or(CANNOT_RUN).into()
}
