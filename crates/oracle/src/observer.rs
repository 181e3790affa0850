use crate::run::Run;
use nubbin_verdict::{Candidate, Verdict};

/// Decides before each test whether the candidate is valid input.
///
/// An invalid candidate is [unresolved](nubbin_verdict::Unresolved::Invalid), and its test is not
/// run. All workers call it, so a slow check slows the search down.
pub trait Validity: Send + Sync + std::fmt::Debug {
    /// Returns whether the candidate is valid input.
    fn is_valid(&self, candidate: &Candidate<'_>) -> bool;
}

/// Receives every run that a [`CommandOracle`](crate::CommandOracle) judged, for instance to save
/// other failures that occur.
///
/// All workers call it before they return the verdict, so a slow observer slows the search down.
/// The observer does not receive runs that were only observed
/// ([`CommandOracle::observe`](crate::CommandOracle::observe)), nor runs of the command to compare
/// with.
pub trait Observer: Send + Sync + std::fmt::Debug {
    /// Receives the run of the command on `candidate`, and the verdict of all conditions.
    ///
    /// The run has the outputs that a condition reads, or both outputs with
    /// [`Options::keep_outputs`](crate::Options::keep_outputs).
    fn judged(&self, candidate: &Candidate<'_>, run: &Run, verdict: &Verdict);
}
