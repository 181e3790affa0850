use crate::forkserver::Coverage;
use crate::signal;
use crate::stack::Stack;
use nubbin_verdict::Unresolved;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// The exit of the first process of a test: an exit code or a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// The process exited by itself with this exit code.
    Code(i32),
    /// The process was killed by the signal of this number.
    Signal(i32),
}

impl Exit {
    /// The exit code; `None` after a signal.
    pub fn code(self) -> Option<i32> {
        match self {
            Exit::Code(code) => Some(code),
            Exit::Signal(_) => None,
        }
    }

    /// Returns whether the process was killed by the signal, exited with the exit code by which a
    /// shell reports the signal (128 + number), or exited with the exception that corresponds to
    /// the signal on Windows.
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
        // In the standard library, only a signal is a reason for a missing code.
        Exit::Code(status.code().unwrap_or(-1))
    }
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Exit::Code(code) => {
                // The codes of Windows exceptions are negative, and are usually written in
                // hexadecimal.
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
    /// The exit of the first process. For a killed run, it is the signal that killed it.
    pub exit: Exit,
    /// The reason why the run was stopped early or hit a limit: [`Unresolved::TimedOut`],
    /// [`Unresolved::OutputLimit`], [`Unresolved::OverLimit`], or [`Unresolved::Cancelled`].
    pub cut_short: Option<Unresolved>,
    /// Whether a process of the run was stopped, for example by SIGSTOP, when the time was
    /// up. Linux only.
    pub has_stopped: bool,
    /// Whether the run was stopped since an output matched
    /// [`Options::until`](crate::Options::until). Its exit is then the signal that killed it, and
    /// has no meaning.
    pub is_matched: bool,
    /// Standard output if it was kept, up to the output limit.
    pub stdout: Option<Vec<u8>>,
    /// Standard error if it was kept, up to the output limit.
    pub stderr: Option<Vec<u8>>,
    /// The small texts that the test wrote in its folder, in the order of their names, if
    /// they were kept. Scripts often send the messages of a compiler to a file.
    pub written: Vec<Vec<u8>>,
    /// The time from the start to the end of the first process.
    pub elapsed: Duration,
    /// The processor time of all processes of the run, if it was measured. Linux only.
    pub cpu: Option<Duration>,
    /// The names of the candidate's files. Positions in them change during a reduction, so a
    /// failure signature leaves them out.
    pub inputs: Vec<PathBuf>,
    /// The edges that the run took, if they were requested. Only a run in a fork server has
    /// them.
    pub coverage: Option<Coverage>,
    /// Whether the process of the run had run other tests before, in the loop of a fork server.
    pub is_in_loop: bool,
    /// The stack at the signal that ended a process of the run, if it was traced.
    pub stack: Option<Stack>,
    /// The numbers of the edges that a run of [`CommandOracle::covered`] took.
    ///
    /// [`CommandOracle::covered`]: crate::CommandOracle::covered
    pub taken: Option<Vec<u64>>,
}

impl Run {
    /// Creates the run of a program that cannot be run, with the exit code that a shell reports.
    pub(crate) fn refused(code: i32) -> Self {
        Run {
            exit: Exit::Code(code),
            cut_short: None,
            has_stopped: false,
            is_matched: false,
            stdout: None,
            stderr: None,
            written: Vec::new(),
            elapsed: Duration::ZERO,
            cpu: None,
            inputs: Vec::new(),
            coverage: None,
            is_in_loop: false,
            stack: None,
            taken: None,
        }
    }

    /// Creates a run for a program that was not started because its test was canceled.
    pub fn cancelled() -> Self {
        Run {
            cut_short: Some(Unresolved::Cancelled),
            ..Run::refused(0)
        }
    }

    /// The run of a candidate that is not an input of the test.
    pub(crate) fn invalid() -> Self {
        Run {
            cut_short: Some(Unresolved::Invalid),
            ..Run::refused(0)
        }
    }

    /// Returns whether the run was stopped at the time limit.
    pub fn timed_out(&self) -> bool {
        matches!(self.cut_short, Some(Unresolved::TimedOut(_)))
    }

    /// Standard output; empty if it was not kept.
    pub fn stdout(&self) -> &[u8] {
        self.stdout.as_deref().unwrap_or_default()
    }

    /// Standard error; empty if it was not kept.
    pub fn stderr(&self) -> &[u8] {
        self.stderr.as_deref().unwrap_or_default()
    }
}
