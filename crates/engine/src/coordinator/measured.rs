use crate::flaky::{Reproduction, Sampling};
use nubbin_edit::{Fingerprint, Input};
use nubbin_verdict::Verdict;
use std::time::Duration;

/// The state of the checks for flaky tests.
#[derive(Default)]
pub(super) struct Reliability {
    /// Earlier bases, from the original on, largest first.
    pub(super) history: Vec<Input>,
    pub(super) original: Option<Reproduction>,
    pub(super) sampling: Option<Sampling>,
    /// The base that was measured last, and its number of failures.
    pub(super) looked_at: Option<(Fingerprint, Reproduction)>,
    /// The number of counted tests at the last check of the base.
    pub(super) looked_when: u64,
    pub(super) rollbacks: u32,
    /// The base at which the plan last ended.
    pub(super) ended_at: Option<Fingerprint>,
    /// Whether the base was rolled back, so that the pass at work has proposals for another input.
    pub(super) rolled_back: bool,
    /// The time of one run of the original.
    pub(super) one_run: Duration,
}

impl Reliability {
    /// Returns the verdict that follows from the runs of the result.
    pub(super) fn verdict(&self, seen: Reproduction) -> Verdict {
        let kept = self.sampling.is_none_or(|sampling| sampling.is_kept(seen));
        if kept { Verdict::Fail } else { Verdict::Pass }
    }

    /// Returns the measured failures of the base, if the base was measured.
    pub(super) fn measured(&self, base: Fingerprint) -> Option<Reproduction> {
        let (print, seen) = self.looked_at?;
        (print == base).then_some(seen)
    }
}
