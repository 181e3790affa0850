use crate::fuzz::Found;
use crate::issue::Issue;
use crate::program::Program;
use nubbin_verdict::Cancel;
use std::time::Duration;

/// A reduction could not be run.
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
    /// The program that shows it.
    pub program: &'a Program,
    /// The issue. Its smallest test is where the reduction begins.
    pub issue: &'a Issue,
    /// The slot to run tests in.
    pub slot: usize,
    /// The number of tests that should run at the same time.
    pub at_once: usize,
    /// The verdicts of an earlier reduction that was interrupted, by the fingerprints of the
    /// candidates: whether they fail.
    pub known: Vec<(u128, bool)>,
    /// The end of the campaign.
    pub stop: &'a Cancel,
    /// The maximum number of tests.
    pub max_tests: u64,
    /// The maximum duration.
    pub max_time: Option<Duration>,
    /// Receives what the reduction comes to.
    pub progress: &'a dyn Progress,
}

/// Receives what a reduction comes to, so that it is kept if the campaign ends.
pub trait Progress: Sync {
    /// A candidate was tested.
    fn verdict(&self, fingerprint: u128, fails: bool);

    /// A smaller test shows the issue.
    fn smaller(&self, test: &[u8], recipe: Option<&str>);

    /// Another failure was met.
    fn other(&self, found: Found);
}

/// The end of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The smallest test, if one is smaller than that of the issue.
    pub test: Option<Vec<u8>>,
    /// The choices that it is made of.
    pub recipe: Option<String>,
    /// The number of tests.
    pub tests: u64,
    /// Whether it came to its end, and was not stopped.
    pub is_done: bool,
    /// Whether the test of the issue shows it at all.
    pub fails: bool,
}

/// A reducer of tests, chosen by what made them.
pub trait Reduce: Send + Sync {
    /// Reduces the test of an issue while it shows the same failure.
    ///
    /// # Errors
    /// [`ReduceError`] if the program cannot be run.
    fn reduce(&self, task: &Task<'_>) -> Result<Reduced, ReduceError>;
}
