use crate::signal;
use nubbin_verdict::Unresolved;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// The end of the first process of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// By itself, with this exit code.
    Code(i32),
    /// Through the signal of this number.
    Signal(i32),
}

impl Exit {
    /// The exit code; none after a signal.
    pub fn code(self) -> Option<i32> {
        match self {
            Exit::Code(code) => Some(code),
            Exit::Signal(_) => None,
        }
    }

    /// Whether it ended through the signal, or with the exit code (128 + number) with which a
    /// shell reports that a program it ran did, or with that of the exception that stands for the
    /// signal on Windows.
    pub fn is_signal(self, number: i32) -> bool {
        match self {
            Exit::Signal(signal) => signal == number,
            Exit::Code(code) => code == 128 + number || signal::of_exit_code(code) == Some(number),
        }
    }

    pub(crate) fn of(status: ExitStatus) -> Self {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Exit::Signal(signal);
        }
        // The standard library has no other reason for a missing code than a signal.
        Exit::Code(status.code().unwrap_or(-1))
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Exit::Code(code) => {
                // Those of exceptions are known in this form.
                match u32::try_from(code) {
                    Ok(code) => write!(f, "exit code {code}")?,
                    Err(_) => write!(f, "exit code {:#X}", code.cast_unsigned())?,
                }
                let Some(number) = signal::of_exit_code(code) else {
                    return Ok(());
                };
                write!(f, " ({})", signal::name(number))
            }
            Exit::Signal(number) => write!(f, "{}", signal::name(number)),
        }
    }
}

/// The result of one run of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// How it ended; [`Exit::Signal`] of the kill where it was cut short.
    pub exit: Exit,
    /// Set where the runner ended it, or where it ran into a limit by itself:
    /// [`Unresolved::TimedOut`], [`Unresolved::OutputLimit`], [`Unresolved::OverLimit`] or
    /// [`Unresolved::Cancelled`].
    pub cut_short: Option<Unresolved>,
    /// Standard output, where it was kept, up to the limit on output.
    pub stdout: Option<Vec<u8>>,
    /// Standard error, where it was kept, up to the limit on output.
    pub stderr: Option<Vec<u8>>,
    /// The time from the start to the end of the first process.
    pub elapsed: Duration,
    /// Names of the candidate's files: places in them move while it is reduced, so they are no
    /// part of a failure signature.
    pub inputs: Vec<PathBuf>,
}

impl Run {
    /// The exit code that a shell reports for a program that cannot be run.
    pub(crate) fn refused(code: i32) -> Self {
        Run {
            exit: Exit::Code(code),
            cut_short: None,
            stdout: None,
            stderr: None,
            elapsed: Duration::ZERO,
            inputs: Vec::new(),
        }
    }

    /// Whether it was ended at the time limit.
    pub fn timed_out(&self) -> bool {
        matches!(self.cut_short, Some(Unresolved::TimedOut(_)))
    }

    /// Standard output; empty where it was not kept.
    pub fn stdout(&self) -> &[u8] {
        self.stdout.as_deref().unwrap_or_default()
    }

    /// Standard error; empty where it was not kept.
    pub fn stderr(&self) -> &[u8] {
        self.stderr.as_deref().unwrap_or_default()
    }
}
