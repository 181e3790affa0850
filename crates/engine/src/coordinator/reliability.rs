//! Checks for flaky tests. The checks make sure that the result of a flaky test fails about as
//! often as the original.

use super::state::Coordinator;
use crate::cache::Cache;
use crate::event::Event;
use crate::flaky::{Flaky, Reproduction, Sampling};
use crate::outcome::Ended;
use crate::run_context::LARGE_INPUT_BYTES;
use nubbin_edit::{Fingerprint, Input};
use nubbin_verdict::{Unresolved, Verdict};
use std::time::Duration;

/// Runs of the base at the first check, and of the result, with [`Flaky::Auto`].
const REPLAYS: u32 = 3;

/// Additional runs of an original that has not failed, with [`Flaky::Auto`]. A failure that occurs
/// in half of the runs is missed by all of them once in a thousand times.
const SECOND_LOOKS: u32 = 9;

/// The maximum time for replays. Replays that would take longer are not run.
const MOST_TIME: Duration = Duration::from_secs(5);

/// The number of counted tests before the first check of the base, and between two checks.
const BETWEEN: [u64; 2] = [32, 100];

/// The largest number of rollbacks at the end of the plan.
const MOST_ROLLBACKS: u32 = 5;

/// The largest number of rollbacks before the end of the plan. If even the original fails more
/// rarely now than at the beginning, each check would find a reason for a rollback.
const MOST_ROLLBACKS_ON_THE_WAY: u32 = 20;

/// The share of the size of the input kept last, above which an input is not kept for a rollback.
const SPARSE: f64 = 0.95;

/// The share as in [`SPARSE`], for inputs above [`LARGE_INPUT_BYTES`].
const SPARSE_LARGE: f64 = 0.5;

impl Coordinator<'_> {
    /// Checks the original, whose first verdict is known. Returns whether the original fails.
    pub(super) fn look_at_original(&mut self, first: &Verdict) -> Result<bool, Ended> {
        let fails = first.is_fail();
        self.reliability.one_run = self.run.statistics.elapsed;
        self.reliability.history.push(self.base.clone());
        match self.options.flaky {
            Flaky::Off => return Ok(fails),
            // Replays wait until the input is smaller, because its tests are faster then.
            Flaky::Auto if fails => return Ok(true),
            Flaky::Auto => {
                let runs = self.affordable(SECOND_LOOKS);
                if !self.any_differs(false, runs)? {
                    return Ok(false);
                }
            }
            Flaky::On => {}
        }
        match self.turn_statistical() {
            // No time is left for a search, so the original is the result.
            Err(Ended::MaxTime) => return Ok(fails),
            turned => turned?,
        }
        Ok(self
            .reliability
            .original
            .is_some_and(|seen| seen.failures > 0))
    }

    /// Returns the number of replays, at most `most`. It is 0 where [`REPLAYS`] would take too
    /// long.
    fn affordable(&self, most: u32) -> u32 {
        let fits = |runs: &u32| self.reliability.one_run * *runs <= MOST_TIME;
        (REPLAYS..=most).rev().find(fits).unwrap_or(0)
    }

    /// Runs the base up to `runs` times, and returns whether a run has another verdict.
    fn any_differs(&mut self, fails: bool, runs: u32) -> Result<bool, Ended> {
        if runs == 0 {
            return Ok(false);
        }
        let base = self.base.clone();
        let (mut seen, mut differs, mut is_stopped) = (0, false, false);
        let ran = self.run_until(&base, Some(runs), |verdict| {
            seen += 1;
            is_stopped = *verdict == Verdict::Unresolved(Unresolved::Cancelled);
            differs = verdict.is_fail() != fails;
            differs || seen == runs
        });
        self.run.statistics.replays += u64::from(seen);
        ran?;
        match is_stopped {
            true => Err(Ended::Stopped),
            false => Ok(differs),
        }
    }

    /// Measures the original, and lets several runs decide about each candidate from now on.
    fn turn_statistical(&mut self) -> Result<(), Ended> {
        if let Some(seen) = self.measure_original()? {
            self.decide_by_several(seen);
        }
        Ok(())
    }

    fn measure_original(&mut self) -> Result<Option<Reproduction>, Ended> {
        let Some(original) = self.reliability.history.first().cloned() else {
            return Ok(None);
        };
        // All candidates are compared with the original, so its rate has to be more precise.
        let mut seen = self.measure(&original)?;
        seen.join(self.measure(&original)?);
        Ok(Some(seen))
    }

    fn decide_by_several(&mut self, seen: Reproduction) {
        self.reliability.original = Some(seen);
        let sampling = Sampling::new(seen);
        self.reliability.sampling = Some(sampling);
        self.run.workers.set_sampling(Some(sampling));
        self.emit(&Event::Flaky { original: seen });
    }

    /// Starts to treat the test as flaky, since the result passed when it was tested once more. All
    /// checks before may have agreed by chance.
    ///
    /// Returns whether the search should continue. The search should end if the original no longer
    /// fails either, since then no earlier input is better.
    pub(super) fn learn_from_result(&mut self, verified: &Verdict) -> Result<bool, Ended> {
        let is_late = matches!(verified, Verdict::Unresolved(Unresolved::TimedOut(_)));
        let is_known = self.reliability.sampling.is_some() || self.options.flaky != Flaky::Auto;
        if verified.is_fail() || is_late || is_known {
            return Ok(false);
        }
        match self.measure_original()? {
            Some(seen) if seen.failures > 0 => self.decide_by_several(seen),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns whether the test is flaky, as far as is known or as `replays` runs of the base show.
    fn is_flaky(&mut self, replays: u32) -> Result<bool, Ended> {
        if self.reliability.sampling.is_none() {
            if !self.any_differs(true, replays)? {
                return Ok(false);
            }
            self.turn_statistical()?;
        }
        Ok(true)
    }

    /// Checks, [`BETWEEN`] tests after the last check, that the base fails as often as required.
    /// Returns whether the base was rolled back.
    pub(super) fn look_at_base(&mut self) -> Result<bool, Ended> {
        let is_first = self.reliability.looked_when == 0;
        let between = BETWEEN[usize::from(!is_first)];
        let due = self.reliability.looked_when + between <= self.run.statistics.tests;
        let has_looked_enough = self.reliability.rollbacks >= MOST_ROLLBACKS_ON_THE_WAY;
        if !due || has_looked_enough || matches!(self.options.flaky, Flaky::Off) {
            return Ok(false);
        }
        self.reliability.looked_when = self.run.statistics.tests;
        let replays = if is_first {
            self.affordable(REPLAYS)
        } else {
            1
        };
        Ok(self.is_flaky(replays)? && self.roll_back_if_needed()?)
    }

    /// Checks the result when the plan has ended. Returns whether the run continues.
    pub(super) fn look_at_result(&mut self) -> Result<bool, Ended> {
        if matches!(self.options.flaky, Flaky::Off) {
            return Ok(false);
        }
        if !self.is_flaky(self.affordable(REPLAYS))? {
            return Ok(false);
        }
        if self.roll_back_if_needed()? {
            return Ok(self.reliability.rollbacks <= MOST_ROLLBACKS);
        }
        // Candidates may have been rejected by chance, and are tried again while the base changes.
        let is_new = self.reliability.ended_at != Some(self.base.fingerprint());
        self.reliability.ended_at = Some(self.base.fingerprint());
        if is_new {
            self.forget();
        }
        Ok(is_new)
    }

    /// Forgets all verdicts, and everything that was learned from them.
    fn forget(&mut self) {
        self.run.cache = Cache::default();
        self.prefetcher.forget();
        self.opener.forget();
        self.suspended.clear();
        self.triage.forget();
    }

    fn roll_back_if_needed(&mut self) -> Result<bool, Ended> {
        let Some(sampling) = self.reliability.sampling else {
            return Ok(false);
        };
        let print = self.base.fingerprint();
        if self.reliability.measured(print).is_some() {
            return Ok(false);
        }
        if let (Some(seen), Some(first)) =
            (self.reliability.original, self.reliability.history.first())
            && first.fingerprint() == print
        {
            // A second measurement may be lower by chance, but no earlier input exists.
            self.reliability.looked_at = Some((print, seen));
            return Ok(false);
        }
        let base = self.base.clone();
        let seen = self.measure_well(&base, sampling)?;
        self.reliability.looked_at = Some((print, seen));
        if sampling.is_kept(seen) {
            return Ok(false);
        }
        self.roll_back(sampling)?;
        Ok(true)
    }

    /// Returns to a small earlier base that fails as often as it should. The search steps
    /// back, doubles its steps, and then bisects.
    fn roll_back(&mut self, sampling: Sampling) -> Result<(), Ended> {
        let is_good = |this: &mut Self, at: usize| {
            let input = this.reliability.history[at].clone();
            let seen = if at == 0 {
                this.reliability.original.unwrap_or_default()
            } else {
                this.measure_well(&input, sampling)?
            };
            Ok::<_, Ended>((sampling.is_kept(seen) || at == 0).then_some(seen))
        };
        if let Some(last) = self.reliability.history.last()
            && last.fingerprint() == self.base.fingerprint()
        {
            self.reliability.history.pop();
        }
        let (mut bad, mut step) = (self.reliability.history.len(), 1);
        let (mut good, mut seen) = loop {
            let at = bad.saturating_sub(step);
            if let Some(seen) = is_good(self, at)? {
                break (at, seen);
            }
            bad = at;
            step *= 2;
        };
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            match is_good(self, middle)? {
                Some(found) => (good, seen) = (middle, found),
                None => bad = middle,
            }
        }
        let input = self.reliability.history[good].clone();
        self.reliability.history.truncate(good + 1);
        self.restore(input, seen);
        Ok(())
    }

    fn restore(&mut self, input: Input, seen: Reproduction) {
        let bytes_before = self.base.size();
        self.base = input;
        self.run.statistics.bytes_now = self.base.size();
        // Candidates may have failed by chance, or were judged too strictly, so all are tested
        // again.
        self.forget();
        let reliability = &mut self.reliability;
        reliability.looked_at = Some((self.base.fingerprint(), seen));
        reliability.rollbacks += 1;
        reliability.rolled_back = true;
        if let Some(sampling) = &mut reliability.sampling {
            sampling.demand_more();
            self.run.workers.set_sampling(Some(*sampling));
        }
        self.run.statistics.rollbacks += 1;
        let input = self.base.clone();
        self.emit(&Event::RolledBack {
            input: &input,
            bytes_before,
        });
    }

    /// Keeps the base for a rollback, if it is much smaller than the last input that was kept.
    pub(super) fn remember(&mut self) {
        if matches!(self.options.flaky, Flaky::Off) {
            return;
        }
        let share = if self.base.size() > LARGE_INPUT_BYTES {
            SPARSE_LARGE
        } else {
            SPARSE
        };
        let last = self.reliability.history.last().map_or(0, Input::size);
        if self.base.size() as f64 <= last as f64 * share {
            self.reliability.history.push(self.base.clone());
        }
    }

    /// Returns the measured failures of the original and of the result.
    pub(super) fn reproductions(&self) -> (Option<Reproduction>, Option<Reproduction>) {
        let original = self.reliability.original;
        let result = self.reliability.measured(self.base.fingerprint());
        (original, result.filter(|_| original.is_some()))
    }

    /// Measures how often an input fails, with as many runs as the measurement needs.
    fn measure(&mut self, input: &Input) -> Result<Reproduction, Ended> {
        let mut seen = Reproduction::default();
        let before = self.run.workers.set_sampling(None);
        let measured = self.run_until(input, None, |verdict| {
            seen.add(verdict.is_fail());
            seen.is_measured()
        });
        self.run.workers.set_sampling(before);
        self.run.statistics.replays += u64::from(seen.runs);
        measured.map(|()| seen)
    }

    /// Measures an input as [`Self::measure`] does, and measures it once more if the rate is near
    /// the limit. If several inputs are measured, some rates are above the limit only randomly.
    fn measure_well(&mut self, input: &Input, sampling: Sampling) -> Result<Reproduction, Ended> {
        let mut seen = self.measure(input)?;
        if sampling.is_in_doubt(seen) {
            seen.join(self.measure(input)?);
        }
        Ok(seen)
    }

    /// Runs one input on all workers until `enough` returns true, and at most `most` times. No
    /// other test runs meanwhile.
    fn run_until(
        &mut self,
        input: &Input,
        most: Option<u32>,
        mut enough: impl FnMut(&Verdict) -> bool,
    ) -> Result<(), Ended> {
        self.run.cancel_all();
        let mut number = 0;
        let ended = loop {
            if let Err(ended) = self.run.check_time() {
                break Err(ended);
            }
            while self.run.workers.has_free() && most.is_none_or(|most| number < most) {
                // Each run is a test of its own, so it has a fingerprint of its own.
                number += 1;
                let print = Fingerprint(u128::from(number));
                self.run.start(print, input.clone());
            }
            let Some(done) = self.run.wait() else {
                continue;
            };
            match done.verdict {
                Ok(verdict) if enough(&verdict) => break Ok(()),
                Ok(_) => {}
                Err(fault) => break Err(Ended::Fault(fault)),
            }
        };
        // The tests that still run have no verdicts for the cache.
        self.run.cancel_all();
        ended
    }
}
