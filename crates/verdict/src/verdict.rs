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
    /// The reducer did not need the answer any more and called the test off.
    Cancelled,
    /// The candidate is not valid input, as a check before the test found.
    Invalid,
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unresolved::TimedOut(limit) => write!(f, "timed out after {limit:?}"),
            Unresolved::Abstained => write!(f, "the test said that it cannot tell"),
            Unresolved::OutputLimit => write!(f, "the test wrote too much output"),
            Unresolved::Cancelled => write!(f, "called off"),
            Unresolved::Invalid => write!(f, "not valid input"),
        }
    }
}
