use std::fmt;
use std::time::Duration;

/// What one test said of one candidate.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The failure is still there: the candidate is interesting.
    Fail,
    /// The failure is gone.
    Pass,
    /// The test could not say. A reducer treats it like [`Verdict::Pass`]; statistics and logs
    /// keep the reason, since many unresolved tests mean that a better view of the input is due.
    Unresolved(Unresolved),
}

impl Verdict {
    /// Whether the failure is still there.
    pub fn is_fail(&self) -> bool {
        matches!(self, Verdict::Fail)
    }

    /// One word for logs: `fail`, `pass` or `unresolved`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Fail => "fail",
            Verdict::Pass => "pass",
            Verdict::Unresolved(_) => "unresolved",
        }
    }
}

/// Why a test could not say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Unresolved {
    /// It ran longer than this limit and was ended.
    TimedOut(Duration),
    /// It said so itself, with the exit code that means "cannot say" (125, as in `git bisect run`).
    Abstained,
    /// It wrote more output than it may.
    OutputLimit,
    /// It took more of something else than it may, and was ended.
    OverLimit(Limit),
    /// The reducer did not need the answer any more and called the test off.
    Cancelled,
    /// The candidate is not valid input, as a check before the test found.
    Invalid,
}

/// What a test may take no more of than it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// Memory of all its processes together.
    Memory,
    /// Time on processors of all its processes together.
    Cpu,
    /// Processes at one time.
    Processes,
    /// The size of one file.
    FileSize,
    /// Room on disk for all it wrote.
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
            Unresolved::Abstained => write!(f, "the test said that it cannot tell"),
            Unresolved::OutputLimit => write!(f, "the test wrote too much output"),
            Unresolved::OverLimit(limit) => write!(f, "the test ran into its limit on {limit}"),
            Unresolved::Cancelled => write!(f, "called off"),
            Unresolved::Invalid => write!(f, "not valid input"),
        }
    }
}
