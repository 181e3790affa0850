use super::cache::Kind;
use super::flaky::Reproduction;
use super::run_context::TestCounts;
use crate::input::Input;
use nubbin_verdict::{Fault, Verdict};
use std::fmt;
use std::time::Duration;

/// The outcome of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The best input found.
    pub input: Input,
    /// Why the run ended.
    pub ended: Ended,
    /// The verdict when the result was tested once more; `None` where it was not. Any other than
    /// [`Verdict::Fail`] means that the test is flaky.
    pub verified: Option<Verdict>,
    /// How often the original failed, where the test is flaky.
    pub original: Option<Reproduction>,
    /// How often the result fails, where the test is flaky. It is at least four fifths of the
    /// original's rate, unless the run ended before that could be reached.
    pub reproduction: Option<Reproduction>,
    /// Counts.
    pub statistics: Statistics,
}

/// Why a run ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum Ended {
    /// The plan has come to its end: no pass finds anything more.
    Complete,
    /// The budget of tests is used up.
    MaxTests,
    /// The budget of time is used up.
    MaxTime,
    /// The input is as small as [`Reduction::stop_at`](super::Reduction::stop_at) asked for.
    SmallEnough,
    /// The input has not got smaller for
    /// [`Reduction::max_stalled`](super::Reduction::max_stalled) tests.
    Stalled,
    /// [`Stop`](super::Stop) was requested.
    Stopped,
    /// The test could not be run any more.
    Fault(Fault),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ended::Complete => write!(f, "complete"),
            Ended::MaxTests => write!(f, "max-tests"),
            Ended::MaxTime => write!(f, "max-time"),
            Ended::SmallEnough => write!(f, "small-enough"),
            Ended::Stalled => write!(f, "stalled"),
            Ended::Stopped => write!(f, "stopped"),
            Ended::Fault(_) => write!(f, "fault"),
        }
    }
}

/// Why a run could not begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReduceError {
    /// The original does not fail.
    #[error("the original input does not fail: the test says `{}`", .verdict.word())]
    NotFailing {
        /// Its verdict.
        verdict: Verdict,
        /// The original.
        input: Input,
    },
    /// The test cannot be run.
    #[error("the test cannot be run")]
    Fault(#[source] Fault),
    /// The run was stopped before the original had been tested.
    #[error("stopped before the original input had been tested")]
    Stopped,
}

/// Counts of a run. Tests are those of the sequential path, so their counts are the same for any
/// number of workers, except where it says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Tests, that of the original included.
    pub tests: u64,
    /// Tests in which the candidate still failed, that of the original included.
    pub failing: u64,
    /// Tests that were unresolved, timeouts included.
    pub unresolved: u64,
    /// Tests that hit the time limit.
    pub timed_out: u64,
    /// Candidates whose verdict was known from an earlier test.
    pub cache_hits: u64,
    /// Proposals that would change something: the number of tests without a cache. The proposals
    /// counted in `known_failures` are not among them.
    pub proposals: u64,
    /// How many of these were the first of their configuration in the same run of the pass: the
    /// number of tests with a cache by configuration, as the papers on hierarchical delta debugging
    /// count. 0 unless [`Reduction::count_configurations`](super::Reduction::count_configurations)
    /// asks for it.
    pub configurations: u64,
    /// Proposals that were not worth a test: nothing changed, or nothing got better.
    pub skipped: u64,
    /// Proposals that were dropped as known failures, since nothing near them had changed. They are
    /// among `skipped`, too.
    pub known_failures: u64,
    /// Proposals that were not tested since they did not parse as well as the best so far, see
    /// [`SyntaxFilter`](super::SyntaxFilter). They are among `skipped`, too.
    pub malformed: u64,
    /// How often a pass was skipped, or a turn of it left out, through a
    /// [`Control`](super::Control). Where this is not 0, input, test and seed alone no longer
    /// decide the result.
    pub interventions: u64,
    /// Runs that only checked for flaky tests; not among `tests`.
    pub replays: u64,
    /// How often the run returned to an earlier input, because a later one failed too rarely.
    pub rollbacks: u64,
    /// Tests that were started, including tests that ran ahead of the sequential path and were
    /// canceled or not needed. Depends on the number of workers and on timing.
    pub started: u64,
    /// Size of the original, in bytes.
    pub bytes_before: usize,
    /// Size of the best so far, in bytes.
    pub bytes_now: usize,
    /// Time on the clock since the run began.
    pub elapsed: Duration,
    /// Per pass, in order of first use.
    pub passes: Vec<(&'static str, PassStatistics)>,
}

/// Counts of one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassStatistics {
    /// How often it was opened.
    pub runs: u64,
    /// Tests counted for it.
    pub tests: u64,
    /// How many of its proposals were adopted.
    pub adopted: u64,
    /// Bytes that they removed; negative where the pass made the input longer.
    pub bytes_removed: i64,
    /// Time on the clock.
    pub elapsed: Duration,
}

impl PassStatistics {
    pub(super) fn add(&mut self, run: &PassStatistics) {
        self.runs += run.runs;
        self.tests += run.tests;
        self.adopted += run.adopted;
        self.bytes_removed += run.bytes_removed;
        self.elapsed += run.elapsed;
    }
}

impl TestCounts for Statistics {
    fn tests(&self) -> u64 {
        self.tests
    }

    fn count(&mut self, kind: Kind) {
        self.tests += 1;
        self.failing += u64::from(kind == Kind::Fail);
        self.unresolved += u64::from(kind.is_unresolved());
        self.timed_out += u64::from(kind == Kind::TimedOut);
    }

    fn count_cache_hit(&mut self) {
        self.cache_hits += 1;
    }

    fn count_started(&mut self, tests: u64) {
        self.started += tests;
    }

    fn set_elapsed(&mut self, elapsed: Duration) {
        self.elapsed = elapsed;
    }
}

impl Statistics {
    /// Returns the same counts without those of the [passes](Self::passes), which need memory.
    #[must_use]
    pub fn without_passes(&self) -> Self {
        Statistics {
            passes: vec![],
            ..*self
        }
    }

    /// Bytes removed so far, in percent of the original.
    pub fn percent_removed(&self) -> f64 {
        match self.bytes_before {
            0 => 0.0,
            before => 100.0 * (before as f64 - self.bytes_now as f64) / before as f64,
        }
    }

    pub(super) fn pass(&mut self, id: &'static str) -> &mut PassStatistics {
        let at = self
            .passes
            .iter()
            .position(|(pass, _)| *pass == id)
            .unwrap_or_else(|| {
                self.passes.push((id, PassStatistics::default()));
                self.passes.len() - 1
            });
        &mut self.passes[at].1
    }
}
