use super::flaky::Sampling;
use nubbin_edit::{Fingerprint, Input};
use nubbin_verdict::{Ask, Cancel, Fault, Oracle, Unresolved, Verdict, contained};

/// A test to be run.
pub(crate) struct Job {
    pub(super) print: Fingerprint,
    pub(super) input: Input,
    pub(super) cancel: Cancel,
    pub(super) sampling: Option<Sampling>,
}

impl Job {
    /// Runs the test unless it was canceled. The test ends early when `stop` is canceled or, if
    /// there is no `stop`, when the test itself is canceled.
    pub(super) fn run(
        self,
        slot: usize,
        oracle: &dyn Oracle,
        stop: Option<&Cancel>,
        has_begun: bool,
    ) -> Done {
        let Job {
            print,
            input,
            cancel,
            sampling,
        } = self;
        let runs = !cancel.is_cancelled();
        let cancel = stop.cloned().unwrap_or(cancel);
        let verdict = match runs {
            true => judge(oracle, &input, &Ask { slot, cancel }, sampling),
            false => Ok(Verdict::Unresolved(Unresolved::Cancelled)),
        };
        Done {
            slot,
            print,
            begun: has_begun || runs,
            verdict,
        }
    }
}

/// A test that has ended.
pub(crate) struct Done {
    pub(super) slot: usize,
    pub(super) print: Fingerprint,
    /// Whether the test had started before it was canceled.
    pub(super) begun: bool,
    pub(super) verdict: Result<Verdict, Fault>,
}

/// Asks the oracle. A panic in the oracle is a fault of the test and does not end the thread, since
/// the coordinator would wait for the worker forever.
fn judge(
    oracle: &dyn Oracle,
    input: &Input,
    ask: &Ask,
    sampling: Option<Sampling>,
) -> Result<Verdict, Fault> {
    let once = || {
        contained(|| input.with_candidate(|candidate| oracle.judge(candidate, ask)))
            .unwrap_or_else(|panic| Err(Fault::new(panic)))
    };
    match sampling {
        None => once(),
        Some(sampling) => sampling.judge(once),
    }
}
