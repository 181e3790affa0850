use super::context::ReduceContext;
use super::measured::Reliability;
use crate::configurations::Configurations;
use crate::opener::Opener;
use crate::options::Options;
use crate::prefetch::Prefetcher;
use crate::suspended::SuspendedPasses;
use crate::triage::Triage;
use nubbin_edit::Input;

/// Follows the sequential path from proposal to verdict, and adopts.
pub(crate) struct Coordinator<'a> {
    pub(super) run: ReduceContext<'a>,
    pub(super) options: Options<'a>,
    pub(super) base: Input,
    pub(super) opener: Opener,
    pub(super) triage: Triage<'a>,
    pub(super) suspended: SuspendedPasses,
    pub(super) prefetcher: Prefetcher,
    pub(super) reliability: Reliability,
    /// The configurations of the pass at work, if configurations are counted.
    pub(super) configurations: Option<Configurations>,
}
