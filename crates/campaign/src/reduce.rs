use crate::fuzz::Found;
use crate::issue::Issue;
use crate::program::Program;
use nubbin_verdict::Cancel;
use std::time::Duration;

/// The error for a reduction that could not be run.
#[derive(Debug, thiserror::Error)]
#[error("issue {issue} cannot be reduced")]
pub struct ReduceError {
    /// The number of the issue.
    pub issue: i64,
    /// The reason.
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

/// An issue to reduce.
pub struct Task<'a> {
    /// The program that shows the issue.
    pub program: &'a Program,
    /// The issue. The reduction starts with its smallest test.
    pub issue: &'a Issue,
    /// The slot to run tests in.
    pub slot: usize,
    /// The number of tests that should run at the same time.
    pub at_once: usize,
    /// The verdicts of an earlier interrupted reduction: the fingerprints of candidates, and
    /// whether the candidates fail.
    pub known: Vec<(u128, bool)>,
    /// Is set when the campaign ends.
    pub stop: &'a Cancel,
    /// The maximum number of tests of the reduction.
    pub max_tests: u64,
    /// The maximum duration of the reduction.
    pub max_time: Option<Duration>,
    /// Receives the progress of the reduction.
    pub progress: &'a dyn Progress,
}

/// Receives the progress of a reduction, so that the progress is kept if the campaign ends.
pub trait Progress: Sync {
    /// Records the verdict of a candidate.
    fn verdict(&self, fingerprint: u128, fails: bool);

    /// Records a smaller test that shows the issue.
    fn smaller(&self, test: &[u8], recipe: Option<&str>);

    /// Records another failure that was found.
    fn other(&self, found: Found);
}

/// The result of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The smallest test, if it is smaller than the issue's.
    pub test: Option<Vec<u8>>,
    /// The choices from which the smallest test is generated, as JSON.
    pub recipe: Option<String>,
    /// The number of tests that the reduction ran.
    pub tests: u64,
    /// Whether the reduction has ended, by itself or at a limit, and was not interrupted.
    pub is_done: bool,
    /// Whether a limit on its tests or its time ended the reduction.
    pub is_limited: bool,
    /// Whether the test of the issue shows the issue.
    pub fails: bool,
}

/// A reducer of tests. The generator of the tests chooses the reducer.
pub trait Reduce: Send + Sync {
    /// Reduces the test of an issue while it shows the same failure.
    ///
    /// # Errors
    /// Returns [`ReduceError`] if the program cannot be run.
    fn reduce(&self, task: &Task<'_>) -> Result<Reduced, ReduceError>;
}
