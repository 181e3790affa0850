use super::counts::TestCounts;
use super::flaky::Reproduction;
use nubbin_edit::Input;
use nubbin_verdict::{Fault, Verdict, VerdictKind};
use std::fmt;
use std::time::Duration;

/// The outcome of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The best so far at the end of the run.
    pub input: Input,
    /// The reason why the run ended.
    pub ended: Ended,
    /// The verdict of the last test of the result; `None` if the result was not tested once more. A
    /// verdict other than [`Verdict::Fail`] means that the test is flaky.
    pub verified: Option<Verdict>,
    /// The measured failures of the original, if the test is flaky.
    pub original: Option<Reproduction>,
    /// The measured failures of the result, if the test is flaky. Unless the run ended early, their
    /// rate is at least four fifths of the original's rate.
    pub reproduction: Option<Reproduction>,
    /// The counts of the run.
    pub statistics: Statistics,
}

/// The reason why a run ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum Ended {
    /// The plan has ended, since no pass has a successful proposal left.
    Complete,
    /// The test limit was reached.
    MaxTests,
    /// The time limit was reached.
    MaxTime,
    /// The size of the input is at most [`Reduction::stop_at`](super::Reduction::stop_at).
    SmallEnough,
    /// The input did not get smaller in the last
    /// [`Reduction::max_stalled`](super::Reduction::max_stalled) tests.
    Stalled,
    /// The end was requested by [`Stop`](super::Stop).
    Stopped,
    /// The test cannot be run.
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

/// The reason why a run could not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReduceError {
    /// The original does not fail.
    NotFailing {
        /// The verdict on the original.
        verdict: Verdict,
        /// The original input.
        input: Input,
    },
    /// The test cannot be run.
    Fault(Fault),
    /// The run was stopped before the original was tested.
    Stopped,
}

impl fmt::Display for ReduceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReduceError::NotFailing { verdict, .. } => {
                let word = verdict.word();
                write!(
                    f,
                    "the original input does not fail: the test says `{word}`"
                )
            }
            ReduceError::Fault(_) => f.write_str("the test cannot be run"),
            ReduceError::Stopped => {
                f.write_str("stopped before the original input had been tested")
            }
        }
    }
}

impl std::error::Error for ReduceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReduceError::Fault(fault) => Some(fault),
            _ => None,
        }
    }
}

/// The counts of a run. Tests are counted on the sequential path, so the counts are the same for
/// any number of workers unless a field states otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of tests, including the tests of the original and of the result.
    pub tests: u64,
    /// The number of additional tests of a result, included in `tests`. The number is 0 if the
    /// replays of a flaky test show how often the result fails.
    pub verifications: u64,
    /// The number of tests that failed, including the test of the original.
    pub failing: u64,
    /// The number of unresolved tests, including timeouts.
    pub unresolved: u64,
    /// The number of tests that hit the time limit.
    pub timed_out: u64,
    /// The number of candidates that did not build. These candidates are included in `unresolved`.
    pub not_built: u64,
    /// The number of candidates whose verdict was in the cache.
    pub cache_hits: u64,
    /// The number of proposals that would change the input: the number of tests without a cache.
    /// Proposals in `known_failures` are not included.
    pub proposals: u64,
    /// The number of configurations, that is, of sets of remaining units. A run with a cache by
    /// configuration would need this number of tests, as papers on hierarchical delta debugging
    /// count.
    ///
    /// If a [machine counts them](crate::work::Machine::configurations), configurations whose text
    /// equals the base are included. Otherwise the number is the number of `proposals` with a new
    /// configuration in a run of the pass. The number is 0 unless
    /// [`Reduction::count_configurations`](super::Reduction::count_configurations) is set.
    pub configurations: u64,
    /// The number of proposals that were dropped without a test.
    pub skipped: u64,
    /// The number of proposals that were dropped as known failures, since the text near them had
    /// not changed. These proposals are included in `skipped`.
    pub known_failures: u64,
    /// The number of proposals that a [`SyntaxFilter`](super::SyntaxFilter) rejected, since they
    /// did not parse as well as the best so far. These proposals are included in `skipped`.
    pub malformed: u64,
    /// The number of times that a [`Control`](super::Control) skipped a pass or left out a turn of
    /// a pass. If it is not 0, the result depends on more than the input, the test, and the seed.
    pub interventions: u64,
    /// The number of runs that only checked for flaky tests; `tests` does not include them.
    pub replays: u64,
    /// The number of rollbacks to an earlier base, because a later base failed too rarely.
    pub rollbacks: u64,
    /// The number of tests that were started, including prefetched tests that were canceled or not
    /// needed. This number depends on the number of workers and on timing.
    pub started: u64,
    /// The size of the original, in bytes.
    pub bytes_before: usize,
    /// The size of the best so far, in bytes.
    pub bytes_now: usize,
    /// The time on the clock since the run began.
    pub elapsed: Duration,
    /// The counts of each pass, in the order of first use.
    pub passes: Vec<(&'static str, PassStatistics)>,
}

/// The counts of one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PassStatistics {
    /// The number of times that the pass was opened.
    pub runs: u64,
    /// The number of tests counted for the pass.
    pub tests: u64,
    /// The number of adopted proposals.
    pub adopted: u64,
    /// The number of bytes that the adopted proposals removed; negative if the input got longer.
    pub bytes_removed: i64,
    /// The time that the pass took on the clock.
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

    fn count(&mut self, kind: VerdictKind) {
        self.tests += 1;
        self.failing += u64::from(kind == VerdictKind::Fail);
        self.unresolved += u64::from(kind.is_unresolved());
        self.timed_out += u64::from(kind == VerdictKind::TimedOut);
        self.not_built += u64::from(kind == VerdictKind::NotBuilt);
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
    /// Returns the counts without the counts of [passes](Self::passes), which need memory.
    #[must_use]
    pub fn without_passes(&self) -> Self {
        Statistics {
            passes: vec![],
            ..*self
        }
    }

    /// Returns the number of bytes removed so far, in percent of the original.
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
