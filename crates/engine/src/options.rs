use super::control::Control;
use super::event::Observer;
use super::flaky::Flaky;
use super::run_context::Limits;
use super::syntax_filter::SyntaxFilter;
use nubbin_edit::Fingerprint;
use nubbin_verdict::VerdictKind;

/// The options of a reduction. See the methods of [`Reduction`](super::Reduction).
#[derive(Default)]
pub(super) struct Options<'a> {
    pub(super) limits: Limits<'a>,
    pub(super) seed: u64,
    /// The size in bytes at which the run ends.
    pub(super) stop_at: Option<usize>,
    pub(super) observer: Option<&'a mut dyn Observer>,
    pub(super) control: Control,
    pub(super) verify: bool,
    pub(super) flaky: Flaky,
    pub(super) configurations: bool,
    pub(super) known: Vec<(Fingerprint, VerdictKind)>,
    pub(super) filter: SyntaxFilter<'a>,
}
