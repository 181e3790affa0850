use super::{Answer, Atom, Difference};
use crate::{Ended, TestCounts};
use nubbin_edit::{Input, InputError};
use nubbin_verdict::{Fault, Verdict, VerdictKind};
use std::fmt;
use std::time::Duration;

/// The result of an isolation: a passing input and a failing input with a small difference.
#[derive(Debug)]
#[non_exhaustive]
pub struct Isolated {
    /// The passing input.
    pub passing: Input,
    /// The failing input.
    pub failing: Input,
    /// The difference, as changes of the passing input. Unless the run ended early, either all
    /// changes are needed, or the test is unresolved for fewer changes.
    pub difference: Difference,
    /// The reason why the run ended.
    pub ended: Ended,
    /// The verdicts of the last tests of both inputs, first the verdict on the passing input. The
    /// value is `None` if the inputs were not tested once more. Verdicts other than pass and fail
    /// mean that the test is flaky.
    pub verified: Option<[Verdict; 2]>,
    /// The counts of the run.
    pub statistics: IsolateStatistics,
}

/// The reason why an isolation is not possible.
#[derive(Debug)]
#[non_exhaustive]
pub enum IsolateError {
    /// The inputs are equal.
    Identical,
    /// The first input does not pass, or the second input does not fail.
    NotApart {
        /// The verdict on the input that should pass.
        passing: Verdict,
        /// The verdict on the input that should fail.
        failing: Verdict,
    },
    /// The failing input has several files, but only a single file can be compared; holds the
    /// number of files.
    SeveralFiles(usize),
    /// An input is too large.
    Input(InputError),
    /// The test cannot be run.
    Fault(Fault),
    /// The run was stopped before both inputs were tested.
    Stopped,
}

impl fmt::Display for IsolateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IsolateError::Identical => f.write_str("the two inputs are equal"),
            IsolateError::NotApart { passing, failing } => {
                let (passing, failing) = (passing.word(), failing.word());
                write!(
                    f,
                    "the test says `{passing}` of the passing input and `{failing}` of the failing one"
                )
            }
            IsolateError::SeveralFiles(files) => write!(
                f,
                "the failing input has {files} files: two single files can be compared"
            ),
            IsolateError::Input(error) => error.fmt(f),
            IsolateError::Fault(_) => f.write_str("the test cannot be run"),
            IsolateError::Stopped => f.write_str("stopped before both inputs had been tested"),
        }
    }
}

impl std::error::Error for IsolateError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            IsolateError::Input(error) => error.source(),
            IsolateError::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}
impl From<InputError> for IsolateError {
    fn from(error: InputError) -> Self {
        IsolateError::Input(error)
    }
}

/// The counts of a run. Tests are counted on the sequential path, so the counts are the same for
/// any number of workers unless a field states otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IsolateStatistics {
    /// The number of tests, including the tests of the two inputs.
    pub tests: u64,
    /// The number of tests that failed.
    pub failing: u64,
    /// The number of tests that passed.
    pub passing: u64,
    /// The number of unresolved tests, including timeouts.
    pub unresolved: u64,
    /// The number of tests that hit the time limit.
    pub timed_out: u64,
    /// The number of candidates that did not build. These candidates are included in `unresolved`.
    pub not_built: u64,
    /// The number of configurations whose verdict was in the cache.
    pub cache_hits: u64,
    /// The number of tests that were started, including prefetched tests that were canceled or not
    /// needed. This number depends on the number of workers and on timing.
    pub started: u64,
    /// The time on the clock since the run began.
    pub elapsed: Duration,
    /// The result of each comparison, in order.
    pub levels: Vec<Level>,
}

/// The result of one comparison, for example by lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Level {
    /// The unit by which the texts were compared.
    pub atom: Atom,
    /// The number of changes between the two texts before the comparison.
    pub changes: u32,
    /// The number of changes that are left after the comparison.
    pub left: u32,
    /// The number of tests counted for the comparison.
    pub tests: u64,
}

/// The events of a run, in order.
#[derive(Debug)]
#[non_exhaustive]
pub enum IsolateEvent<'a> {
    /// The passing input has passed, and the failing input has failed.
    Started {
        /// The passing input.
        passing: &'a Input,
        /// The failing input.
        failing: &'a Input,
    },
    /// The two inputs were compared. See the last element of [`IsolateStatistics::levels`].
    LevelStarted {
        /// The unit of the comparison.
        atom: Atom,
        /// The number of changes between the two inputs.
        changes: u32,
    },
    /// A test was counted.
    Tested {
        /// The verdict of the test.
        verdict: VerdictKind,
        /// The size of the candidate in bytes.
        bytes: usize,
    },
    /// A candidate became the new passing or failing input.
    Narrowed {
        /// The new passing input, if it has changed.
        passing: Option<&'a Input>,
        /// The new failing input, if it has changed.
        failing: Option<&'a Input>,
        /// The number of changes that are left.
        left: u32,
    },
    /// The run ended.
    Ended {
        /// The reason why the run ended.
        ended: &'a Ended,
    },
}

impl TestCounts for IsolateStatistics {
    fn tests(&self) -> u64 {
        self.tests
    }

    fn count(&mut self, kind: VerdictKind) {
        self.tests += 1;
        self.failing += u64::from(kind == VerdictKind::Fail);
        self.passing += u64::from(kind == VerdictKind::Pass);
        self.unresolved += u64::from(kind.is_unresolved());
        self.timed_out += u64::from(kind == VerdictKind::TimedOut);
        self.not_built += u64::from(kind == VerdictKind::NotBuilt);
    }

    fn count_cache_hit(&mut self) {
        self.cache_hits += 1;
    }

    fn count_started(&mut self, tests: u64) {
        self.started += tests;
    }

    fn set_elapsed(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
    }
}

impl From<VerdictKind> for Answer {
    fn from(kind: VerdictKind) -> Self {
        match kind {
            VerdictKind::Fail => Answer::Fail,
            VerdictKind::Pass => Answer::Pass,
            VerdictKind::Unresolved | VerdictKind::TimedOut | VerdictKind::NotBuilt => {
                Answer::Unresolved
            }
        }
    }
}
