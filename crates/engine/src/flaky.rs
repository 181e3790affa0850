//! Flaky tests: tests that give different verdicts for the same input.
//!
//! A failure that depends on chance (a race, an address, a hash seed) shows in some runs only. A
//! candidate that was tested once and passed may still have the failure. A candidate that failed
//! once may fail a hundred times more rarely than the original, which is worse. So several runs
//! decide about each candidate if the test is flaky:
//!
//! * A candidate is *rejected* when it has not failed in so many runs that a failure as frequent as
//!   in the original would have shown with a probability of [`SEEN`].
//! * A candidate is *accepted* when it has failed as often as is *demanded*, within the number of
//!   runs that this takes at [`KEPT`] of the original's rate.
//!
//! No affordable number of runs distinguishes 10 % from 6 % for each of a thousand candidates. So
//! some accepted candidates fail more rarely than they should. The engine therefore measures the
//! base at intervals, and at the end. If the base fails too rarely, the run rolls back to the last
//! input that fails as often as it should, demands one more failure of every candidate, and
//! continues.
//!
//! Sources: the repetition, the rollback, and the higher demand come from Shrink Ray's statistical
//! mode (D. MacIver, 2026). The numbers of runs are ours.

use nubbin_verdict::{Fault, Unresolved, Verdict};

/// The share of the original's failure rate that a result has to reach.
pub(super) const KEPT: f64 = 0.8;

/// The probability that a candidate with the failure fails once before it is rejected.
const SEEN: f64 = 0.75;

/// The number of failures demanded of a candidate at first.
const DEMAND: u32 = 3;

/// The largest number of runs of one candidate.
const MOST_RUNS: u32 = 200;

/// The number of failures that a measurement needs. The relative error is about one divided by its
/// square root.
const MEASURED: u32 = 24;

/// The largest number of runs to measure a rate.
const MOST_MEASURED: u32 = 400;

/// The ways to treat a flaky test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flaky {
    /// The test is taken as not flaky: no input is tested twice.
    #[default]
    Off,
    /// The test is taken as not flaky until a repeated run gives another verdict. Then several runs
    /// decide about each candidate.
    ///
    /// Every hundred tests, the best so far is run once more. At the end, the result is run three
    /// more times. At the beginning, an original that has not failed is run up to nine more times,
    /// if that takes at most five seconds.
    Auto,
    /// The test is taken as flaky: several runs decide about each candidate from the beginning.
    On,
}

/// The number of runs without a single failure after which no failure is expected.
const GIVEN_UP: u32 = 60;

/// The number of failures of an input in a number of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reproduction {
    /// The number of runs in which the input failed.
    pub failures: u32,
    /// The number of all runs.
    pub runs: u32,
}

impl Reproduction {
    /// Returns the average number of failures in a run.
    pub fn rate(self) -> f64 {
        if self.runs == 0 {
            return 0.0;
        }
        f64::from(self.failures) / f64::from(self.runs)
    }

    /// Returns whether there are enough runs to know the failure rate.
    pub(super) fn is_measured(self) -> bool {
        let never = self.failures == 0 && self.runs >= GIVEN_UP;
        never || self.failures >= MEASURED || self.runs >= MOST_MEASURED
    }

    pub(super) fn join(&mut self, more: Reproduction) {
        self.failures += more.failures;
        self.runs += more.runs;
    }

    pub(super) fn add(&mut self, failed: bool) {
        self.runs += 1;
        self.failures += u32::from(failed);
    }
}

/// The rule by which several runs of a flaky test decide about a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sampling {
    /// The average number of failures of the original in a run.
    rate: f64,
    /// The number of failures that a candidate must have.
    demand: u32,
}

impl Sampling {
    pub(super) fn new(original: Reproduction) -> Self {
        Sampling {
            rate: original.rate().clamp(0.01, 1.0),
            demand: DEMAND,
        }
    }

    /// Requires one more failure, since a candidate was accepted that fails too rarely.
    pub(super) fn demand_more(&mut self) {
        self.demand += 1;
    }

    /// Returns whether an input fails often enough.
    pub(super) fn is_kept(self, input: Reproduction) -> bool {
        input.rate() >= KEPT * self.rate
    }

    /// Returns whether more runs might change the result of [`Self::is_kept`].
    pub(super) fn is_in_doubt(self, input: Reproduction) -> bool {
        let share = input.rate() / self.rate;
        (0.9 * KEPT..1.0).contains(&share)
    }

    /// Returns the number of runs without a failure after which a candidate is rejected.
    fn runs_to_see(self) -> u32 {
        if self.rate >= SEEN {
            return 1;
        }
        (((1.0 - SEEN).ln() / (1.0 - self.rate).ln()).ceil() as u32).clamp(1, MOST_RUNS)
    }

    /// Returns the number of runs in which the demanded failures have to occur.
    fn runs_to_accept(self) -> u32 {
        let runs = f64::from(self.demand) / (KEPT * self.rate);
        (runs.ceil() as u32).clamp(self.demand, MOST_RUNS)
    }

    /// Judges one candidate by several runs.
    pub(super) fn judge(
        self,
        mut run: impl FnMut() -> Result<Verdict, Fault>,
    ) -> Result<Verdict, Fault> {
        let (mut failures, mut last) = (0, Verdict::Pass);
        let (see, accept) = (self.runs_to_see(), self.runs_to_accept());
        for runs in 1..=accept.max(see) {
            match run()? {
                Verdict::Fail => failures += 1,
                called_off @ Verdict::Unresolved(Unresolved::Cancelled) => return Ok(called_off),
                other => last = other,
            }
            if failures >= self.demand {
                return Ok(Verdict::Fail);
            }
            let is_hopeless = failures + (accept.max(runs) - runs) < self.demand;
            if is_hopeless || failures == 0 && runs >= see {
                break;
            }
        }
        Ok(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_minimize::random::SplitMix64;

    fn sampling(rate: u32) -> Sampling {
        Sampling::new(Reproduction {
            failures: rate,
            runs: 100,
        })
    }

    /// Returns the number of accepted candidates of 1,000, and the runs for each.
    fn accepted(sampling: Sampling, rate: f64) -> (u32, f64) {
        let mut chance = SplitMix64::new(1);
        let (mut accepted, mut runs) = (0, 0);
        for _ in 0..1000 {
            let verdict = sampling.judge(|| {
                runs += 1;
                Ok(if chance.unit() < rate {
                    Verdict::Fail
                } else {
                    Verdict::Pass
                })
            });
            accepted += u32::from(verdict.unwrap() == Verdict::Fail);
        }
        (accepted, f64::from(runs) / 1000.0)
    }

    #[test]
    fn most_candidates_as_good_as_the_original_are_accepted_and_few_worse_ones() {
        for (rate, good, bad, runs_good, runs_none) in [
            (90, 900, 300, 4.0, 1.5),
            (50, 600, 350, 7.0, 2.5),
            (10, 450, 300, 35.0, 14.0),
        ] {
            let sampling = sampling(rate);
            let rate = f64::from(rate) / 100.0;
            let (as_good, runs) = accepted(sampling, rate);
            assert!(as_good >= good, "{rate}: {as_good}");
            assert!(runs <= runs_good, "{rate}: {runs} runs");
            let (half, _) = accepted(sampling, rate / 2.0);
            assert!(half <= bad, "{rate}: {half} of half the rate");
            let (none, runs) = accepted(sampling, 0.0);
            assert_eq!(none, 0);
            assert!(runs <= runs_none, "{rate}: {runs} runs for nothing");
        }
    }

    #[test]
    fn fewer_candidates_are_accepted_by_chance_when_more_failures_are_demanded() {
        let (mut strict, loose) = (sampling(50), sampling(50));
        for _ in 0..5 {
            strict.demand_more();
        }
        assert!(accepted(strict, 0.2).0 < accepted(loose, 0.2).0 / 2);
        assert!(accepted(strict, 0.5).0 > 600);
    }

    #[test]
    fn a_canceled_or_broken_test_ends_the_runs() {
        let cancelled = Verdict::Unresolved(Unresolved::Cancelled);
        let verdict = sampling(10).judge(|| Ok(cancelled.clone()));
        assert_eq!(verdict.unwrap(), cancelled);
        assert!(sampling(10).judge(|| Err(Fault::new("broken"))).is_err());
    }
}
