use crate::run::Run;
use nubbin_verdict::{Candidate, Verdict};

/// Is told of every run that a [`CommandOracle`](crate::CommandOracle) judged, for instance to
/// keep other failures that were met on the way.
///
/// Called from all workers at once and before the verdict goes out, so that what takes long here
/// holds up the search. Runs that were only looked at
/// ([`CommandOracle::observe`](crate::CommandOracle::observe)) are left out, and so are the runs
/// of the other command where two are compared.
pub trait Observer: Send + Sync + std::fmt::Debug {
    /// The command ran on `candidate` and did this; `verdict` is what all conditions say of it.
    ///
    /// The outputs are those that a condition reads, or both with
    /// [`Options::keep_outputs`](crate::Options::keep_outputs).
    fn judged(&self, candidate: &Candidate<'_>, run: &Run, verdict: &Verdict);
}
