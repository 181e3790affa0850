use std::fmt;
use std::time::Duration;

/// The outcome of one test of one candidate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The failure is still there: the candidate is interesting.
    Fail,
    /// The failure is absent.
    Pass,
    /// The test could not decide. A reducer treats it like [`Verdict::Pass`]. Statistics and logs
    /// keep the reason, since many unresolved tests suggest another way to divide the input.
    Unresolved(Unresolved),
}

impl Verdict {
    /// Returns whether the failure is still present.
    pub fn is_fail(&self) -> bool {
        matches!(self, Verdict::Fail)
    }

    /// Returns one word for logs: `fail`, `pass`, or `unresolved`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Fail => "fail",
            Verdict::Pass => "pass",
            Verdict::Unresolved(_) => "unresolved",
        }
    }
}

/// The reason why a test could not decide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Unresolved {
    /// The test ran longer than this limit and was stopped.
    TimedOut(Duration),
    /// The test exited with the code that means "cannot tell" (125, as in `git bisect run`).
    Abstained,
    /// The test wrote more output than its limit.
    OutputLimit,
    /// The test exceeded another limit and was stopped.
    OverLimit(Limit),
    /// The reducer canceled the test because it no longer needed the verdict.
    Cancelled,
    /// A check before the test found that the candidate is not valid input.
    Invalid,
    /// The build before the test failed.
    NotBuilt {
        /// Whether the build was stopped at its time limit.
        timed_out: bool,
    },
    /// The test compares two runs, and one of them ended in another way when it was repeated.
    DiffersFromItself,
    /// A command that checks every failing candidate refused this one.
    Refused,
}

/// A resource of which a test may use a limited amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// The memory of all its processes together.
    Memory,
    /// The processor time of all its processes together.
    Cpu,
    /// The number of processes at one time.
    Processes,
    /// The size of one file.
    FileSize,
    /// The disk space of all files it wrote.
    Disk,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Memory => "memory",
            Limit::Cpu => "processor time",
            Limit::Processes => "processes",
            Limit::FileSize => "file size",
            Limit::Disk => "disk",
        })
    }
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unresolved::TimedOut(limit) => write!(f, "timed out after {limit:?}"),
            Unresolved::Abstained => write!(f, "the test reported that it cannot tell"),
            Unresolved::OutputLimit => write!(f, "the test exceeded its output limit"),
            Unresolved::OverLimit(limit) => write!(f, "the test exceeded its limit on {limit}"),
            Unresolved::Cancelled => write!(f, "the test was canceled"),
            Unresolved::Invalid => write!(f, "the candidate is not valid input"),
            Unresolved::NotBuilt { timed_out: false } => write!(f, "the candidate did not build"),
            Unresolved::NotBuilt { timed_out: true } => {
                write!(f, "the candidate did not build within the time limit")
            }
            Unresolved::DiffersFromItself => {
                write!(f, "a command gave another result when it was run again")
            }
            Unresolved::Refused => write!(f, "the check of failing candidates refused it"),
        }
    }
}
