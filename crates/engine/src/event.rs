use super::flaky::Reproduction;
use super::outcome::{Ended, PassStatistics, Statistics};
use nubbin_edit::{Edit, Fingerprint, Input};
use nubbin_verdict::VerdictKind;
use std::time::Duration;

/// The events of a run, in order. The events are the only source of the terminal view, the log, and
/// the statistics.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The original failed, and the plan starts.
    Started {
        /// The original input.
        input: &'a Input,
        /// The time that the test of the original took.
        first_test: Duration,
    },
    /// A pass was opened.
    PassStarted {
        /// The name of the pass.
        pass: &'static str,
        /// The tier of the pass.
        tier: &'static str,
        /// The number of the file on which the pass works.
        file: usize,
    },
    /// A test ended, on the sequential path or as a prefetched test.
    Judged {
        /// The key of the candidate's verdict.
        print: Fingerprint,
        /// The verdict of the test.
        verdict: VerdictKind,
    },
    /// A test was counted.
    Tested {
        /// The pass that proposed the candidate.
        pass: &'static str,
        /// The verdict of the test.
        verdict: VerdictKind,
        /// The candidate that was tested.
        input: &'a Input,
        /// The size of the candidate in bytes.
        bytes: usize,
    },
    /// A candidate has failed and is the new best so far.
    Adopted {
        /// The pass that proposed the candidate.
        pass: &'static str,
        /// The new best so far.
        input: &'a Input,
        /// The edit that turned the previous best so far into the new one.
        edit: &'a Edit,
        /// The size of the previous best so far, in bytes.
        bytes_before: usize,
    },
    /// A pass ended.
    PassEnded {
        /// The name of the pass.
        pass: &'static str,
        /// The counts of this run of the pass.
        run: PassStatistics,
    },
    /// A pass has panicked because of a bug. The pass is left out for the rest of the run.
    PassFailed {
        /// The name of the pass.
        pass: &'static str,
        /// The message of the panic.
        message: &'a str,
    },
    /// A pass was stopped because [`Control::skip_pass`](super::Control::skip_pass) asked for it.
    PassSkipped {
        /// The name of the pass.
        pass: &'static str,
    },
    /// A turn of a pass was left out, or ended, because
    /// [`Control::disable`](super::Control::disable) asked for it.
    PassDisabled {
        /// The name of the pass.
        pass: &'static str,
    },
    /// A worker has begun a test. The events of workers depend on timing.
    WorkerStarted {
        /// The number of the worker, from 0.
        worker: usize,
        /// The size of the candidate in bytes.
        bytes: usize,
    },
    /// A worker finished its test.
    WorkerEnded {
        /// The number of the worker, from 0.
        worker: usize,
        /// Whether the test has a verdict; `false` if it was canceled or could not be run.
        answered: bool,
    },
    /// The run has waited for some seconds. The times of these events depend on timing.
    Waiting {
        /// The cause of the wait.
        what: Waiting,
        /// The time of the wait so far.
        time: Duration,
    },
    /// The test is flaky. From this event on, several runs decide about each candidate.
    Flaky {
        /// The measured failures of the original.
        original: Reproduction,
    },
    /// The best so far failed too rarely, so the run has returned to an earlier input.
    RolledBack {
        /// The earlier input, which is the base again.
        input: &'a Input,
        /// The size of the input that failed too rarely, in bytes.
        bytes_before: usize,
    },
    /// The result was tested once more.
    Verified {
        /// The result of the run.
        input: &'a Input,
        /// The verdict of the test.
        verdict: VerdictKind,
    },
    /// The run ended.
    Ended {
        /// The reason why the run ended.
        ended: &'a Ended,
        /// The result of the run.
        input: &'a Input,
    },
}

/// The cause of a long wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Waiting {
    /// The run waits for a test to end.
    Test,
    /// The run waits for a pass that is being opened on a large input.
    Opening {
        /// The name of the pass.
        pass: &'static str,
    },
}

/// An observer of a run. The observer is called on the thread of the reduction, which waits until
/// the call returns.
pub trait Observer {
    /// Receives an event. `statistics` already include it.
    fn observe(&mut self, event: &Event<'_>, statistics: &Statistics);
}

impl<F: FnMut(&Event<'_>, &Statistics)> Observer for F {
    fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        self(event, statistics);
    }
}
