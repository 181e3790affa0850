use super::cache::Kind;
use super::flaky::Reproduction;
use super::outcome::{Ended, PassStatistics, Statistics};
use crate::edit::{Edit, Fingerprint};
use crate::input::Input;
use std::time::Duration;

/// The events of a run, in order: the only source of the terminal view, the log, and the
/// statistics.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The original failed; the plan starts.
    Started {
        /// The original.
        input: &'a Input,
        /// How long its test took.
        first_test: Duration,
    },
    /// A pass was opened.
    PassStarted {
        /// Its name.
        pass: &'static str,
        /// The tier it stands in.
        tier: &'static str,
        /// The file it works on.
        file: usize,
    },
    /// A test has ended, whether or not the sequential path will ask for it.
    Judged {
        /// The key of the candidate's verdict.
        print: Fingerprint,
        /// Its verdict.
        verdict: Kind,
    },
    /// A test was counted.
    Tested {
        /// Which pass proposed the candidate.
        pass: &'static str,
        /// `fail`, `pass`, `unresolved` or `timed out`.
        verdict: &'static str,
        /// The candidate.
        input: &'a Input,
        /// Its size in bytes.
        bytes: usize,
    },
    /// A candidate that still fails is the new best input.
    Adopted {
        /// Which pass proposed it.
        pass: &'static str,
        /// The new best.
        input: &'a Input,
        /// The edit that made it of the best before.
        edit: &'a Edit,
        /// Size of the best before, in bytes.
        bytes_before: usize,
    },
    /// A pass has come to its end, or was ended.
    PassEnded {
        /// Its name.
        pass: &'static str,
        /// The counts of this run of the pass.
        run: PassStatistics,
    },
    /// A pass has a bug: it panicked. It is left out for the rest of the run.
    PassFailed {
        /// Its name.
        pass: &'static str,
        /// The message of the panic.
        message: &'a str,
    },
    /// A pass was ended because [`Control::skip_pass`](super::Control::skip_pass) asked for it.
    PassSkipped {
        /// Its name.
        pass: &'static str,
    },
    /// A turn of a pass was left out, or ended, because
    /// [`Control::disable`](super::Control::disable) asked for it.
    PassDisabled {
        /// Its name.
        pass: &'static str,
    },
    /// A worker has begun a test. There is no such event where tests run on the thread of the
    /// reduction. These events depend on timing.
    WorkerStarted {
        /// Its number, from 0.
        worker: usize,
        /// Size of the candidate in bytes.
        bytes: usize,
    },
    /// A worker has ended the test it had begun.
    WorkerEnded {
        /// Its number, from 0.
        worker: usize,
        /// Whether there was a verdict; `false` where the test was canceled or broke.
        answered: bool,
    },
    /// The test is flaky: from now on, several runs decide about each candidate.
    Flaky {
        /// How often the original failed.
        original: Reproduction,
    },
    /// The best input failed more rarely than it should, and an earlier one is the best again.
    RolledBack {
        /// The earlier input.
        input: &'a Input,
        /// Size of the input that is given up, in bytes.
        bytes_before: usize,
    },
    /// The run is over.
    Ended {
        /// Why.
        ended: &'a Ended,
        /// The result.
        input: &'a Input,
    },
}

/// An observer of a run. It is called on the thread of the reduction, which waits for it.
pub trait Observer {
    /// Takes in an event; `statistics` include it.
    fn observe(&mut self, event: &Event<'_>, statistics: &Statistics);
}

impl<F: FnMut(&Event<'_>, &Statistics)> Observer for F {
    fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        self(event, statistics);
    }
}
