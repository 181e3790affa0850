use super::cache::Kind;
use super::flaky::Reproduction;
use super::outcome::{Ended, PassStatistics, Statistics};
use crate::edit::{Edit, Fingerprint};
use crate::input::Input;
use std::time::Duration;

/// What happens in a run, in order: the one source of the terminal view, the log and the
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
    /// A test has ended, whether or not the logical path will ask for it.
    Judged {
        /// What was tested.
        print: Fingerprint,
        /// What the test said.
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
        /// What made it of the best before.
        edit: &'a Edit,
        /// Size of the best before, in bytes.
        bytes_before: usize,
    },
    /// A pass has come to its end, or was ended.
    PassEnded {
        /// Its name.
        pass: &'static str,
        /// What this one run of it did.
        run: PassStatistics,
    },
    /// A pass has a bug: it panicked. It is left out for the rest of the run.
    PassFailed {
        /// Its name.
        pass: &'static str,
        /// What it said.
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
    /// A worker has begun a test. Not told where tests are judged on the thread that runs the
    /// reduction. What workers do depends on timing.
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
        /// Whether there was an answer; `false` where the test was called off or broke.
        answered: bool,
    },
    /// The test does not always say the same: from now on, candidates are judged by several runs.
    Flaky {
        /// How often the original failed.
        original: Reproduction,
    },
    /// The best input failed more rarely than it should: an earlier one is the best again.
    RolledBack {
        /// That one.
        input: &'a Input,
        /// Size of the one that is given up, in bytes.
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

/// Is told what happens, on the thread that runs the reduction. Keep it short.
pub trait Observer {
    /// Something happened; `statistics` are up to date with it.
    fn observe(&mut self, event: &Event<'_>, statistics: &Statistics);
}

impl<F: FnMut(&Event<'_>, &Statistics)> Observer for F {
    fn observe(&mut self, event: &Event<'_>, statistics: &Statistics) {
        self(event, statistics);
    }
}
