use crate::run::Run;
use nubbin_verdict::{Candidate, Verdict};

/// Decides before each test whether the candidate is valid input.
///
/// A candidate that is not is [unresolved](nubbin_verdict::Unresolved::Invalid), and the test is
/// not run. All workers call it, so a slow check slows the search down.
pub trait Validity: Send + Sync + std::fmt::Debug {
    /// Whether the candidate is valid.
    fn is_valid(&self, candidate: &Candidate<'_>) -> bool;
}

/// Receives every run that a [`CommandOracle`](crate::CommandOracle) judged, for instance to save
/// other failures that occur.
///
/// All workers call it before they return the verdict, so a slow observer slows the search down. It
/// does not receive runs that were only observed
/// ([`CommandOracle::observe`](crate::CommandOracle::observe)), nor runs of the command to compare
/// with.
pub trait Observer: Send + Sync + std::fmt::Debug {
    /// Receives the run of the command on `candidate`, and the verdict of all conditions.
    ///
    /// The outputs are those that a condition reads, or both with
    /// [`Options::keep_outputs`](crate::Options::keep_outputs).
    fn judged(&self, candidate: &Candidate<'_>, run: &Run, verdict: &Verdict);
}
