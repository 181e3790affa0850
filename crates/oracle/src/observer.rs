use crate::run::Run;
use nubbin_verdict::{Candidate, Verdict};

/// Receives every run that a [`CommandOracle`](crate::CommandOracle) judged, for instance to
/// keep other failures that were met on the way.
///
/// Called from all workers at once and before the verdict is returned, so a slow observer slows the
/// search down. Runs that were only observed
/// ([`CommandOracle::observe`](crate::CommandOracle::observe)) are left out, and so are the runs
/// of the other command where two are compared.
pub trait Observer: Send + Sync + std::fmt::Debug {
    /// Called with the run of the command on `candidate`; `verdict` is that of all conditions.
    ///
    /// The outputs are those that a condition reads, or both with
    /// [`Options::keep_outputs`](crate::Options::keep_outputs).
    fn judged(&self, candidate: &Candidate<'_>, run: &Run, verdict: &Verdict);
}
