use super::{Atom, Difference};
use crate::engine::Ended;
use crate::input::{Input, InputError};
use nubbin_verdict::{Fault, Verdict};
use std::time::Duration;

/// What isolating came to: an input that passes and one that fails, with little between them.
#[derive(Debug)]
pub struct Isolated {
    /// The one that passes.
    pub passing: Input,
    /// The one that fails.
    pub failing: Input,
    /// What they differ in, as changes of the passing one. All of them together are needed, or
    /// the test cannot say of less; unless the run ended early.
    pub difference: Difference,
    /// Why the run ended.
    pub ended: Ended,
    /// What the test said when both were put to it once more, the passing one first; `None` where
    /// it was not asked. Anything but pass and fail means that the test is not reliable.
    pub verified: Option<[Verdict; 2]>,
    /// Counts.
    pub statistics: Statistics,
}

/// Why there is nothing to isolate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IsolateError {
    /// There is no difference to look into.
    #[error("the two inputs are equal")]
    Identical,
    /// One must pass and the other fail.
    #[error(
        "the test says `{}` of the passing input and `{}` of the failing one",
        .passing.word(), .failing.word()
    )]
    NotApart {
        /// What it says of the one that is to pass.
        passing: Verdict,
        /// What it says of the one that is to fail.
        failing: Verdict,
    },
    /// Only a single file can be compared with another.
    #[error("the failing input has {0} files: two single files can be compared")]
    SeveralFiles(usize),
    /// An input is too large.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The test cannot be run.
    #[error("the test cannot be run")]
    Fault(#[source] Fault),
    /// The run was stopped before both inputs had been tested.
    #[error("stopped before both inputs had been tested")]
    Stopped,
}

/// Counts of a run. Those of tests are of the logical path: the same for any number of workers,
/// except where it says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Tests, those of the two inputs included.
    pub tests: u64,
    /// Tests that failed.
    pub failing: u64,
    /// Tests that passed.
    pub passing: u64,
    /// Tests that could not say, time-outs included.
    pub unresolved: u64,
    /// Tests that ran into the time limit.
    pub timed_out: u64,
    /// Configurations whose verdict was known from an earlier test.
    pub cache_hits: u64,
    /// Tests that were started, also those that ran ahead of the logical path and were called off
    /// or never asked for. Depends on the number of workers and on timing.
    pub started: u64,
    /// Time on the clock since the run began.
    pub elapsed: Duration,
    /// What each comparison came to, in order.
    pub levels: Vec<Level>,
}

/// What one comparison, by lines for example, came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// What the texts were compared by.
    pub atom: Atom,
    /// Changes between the two at the beginning.
    pub changes: u32,
    /// Changes that are left.
    pub left: u32,
    /// Tests counted for it.
    pub tests: u64,
}

/// What happens in a run, in order.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// One passes, the other fails.
    Started {
        /// The one that passes.
        passing: &'a Input,
        /// The one that fails.
        failing: &'a Input,
    },
    /// The two were compared; see the last of [`Statistics::levels`].
    LevelStarted {
        /// What by.
        atom: Atom,
        /// Changes between them.
        changes: u32,
    },
    /// A test was counted.
    Tested {
        /// `fail`, `pass`, `unresolved` or `timed out`.
        verdict: &'static str,
        /// Size of the candidate in bytes.
        bytes: usize,
    },
    /// A candidate is the new passing or failing input.
    Narrowed {
        /// The new passing one, if it is that.
        passing: Option<&'a Input>,
        /// The new failing one, if it is that.
        failing: Option<&'a Input>,
        /// Changes that are left.
        left: u32,
    },
    /// The run is over.
    Ended {
        /// Why.
        ended: &'a Ended,
    },
}
