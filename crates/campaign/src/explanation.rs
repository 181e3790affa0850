use crate::pattern::TestPattern;
use crate::reduce::Task;

/// An explanation could not be run.
#[derive(Debug, thiserror::Error)]
#[error("issue {issue} cannot be explained")]
pub struct ExplanationError {
    /// The number of the issue.
    pub issue: i64,
    /// The reason.
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

/// An explainer of tests.
pub trait Explain: Send + Sync {
    /// Finds out which parts of the smallest test of an issue matter. Returns `None` if the test
    /// does not show the issue.
    ///
    /// # Errors
    /// Returns [`ExplanationError`] if the program cannot be run.
    fn explain(&self, task: &Task<'_>) -> Result<Option<TestPattern>, ExplanationError>;
}
