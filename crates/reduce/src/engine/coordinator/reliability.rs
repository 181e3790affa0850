//! Looks whether the test always says the same, and sees to it that the result fails as often as
//! the original where it does not.

use super::{Coordinator, Ended};
use crate::edit::Fingerprint;
use crate::engine::cache::Cache;
use crate::engine::event::Event;
use crate::engine::flaky::{Flaky, Reproduction, Sampling};
use crate::input::Input;
use nubbin_verdict::{Unresolved, Verdict};
use std::time::Duration;

/// Runs of the original beyond the first, and of the result, where nobody has said whether the
/// test is reliable.
const REPLAYS: u32 = 3;

/// Replays that would take longer than this are left out.
const PATIENCE: Duration = Duration::from_secs(5);

/// Counted tests between two looks at the best so far.
const BETWEEN: u64 = 100;

/// How often a run goes back before it leaves it at that.
const MOST_RETURNS: u32 = 5;

/// How often it does before its end: where even the original has come to fail more rarely than it
/// did, there is always a reason to.
const MOST_RETURNS_ON_THE_WAY: u32 = 20;

/// An input is kept to go back to when it has this share of the size of the one before.
const THINNED: f64 = 0.95;

/// For inputs above [`super::LARGE`].
const THINNED_LARGE: f64 = 0.5;

/// What is known of how reliable the test is.
#[derive(Default)]
pub(super) struct Reliability {
    /// Inputs that were the best once, the largest first; the original is among them.
    history: Vec<Input>,
    original: Option<Reproduction>,
    sampling: Option<Sampling>,
    /// The best input that was looked at last, and what was seen.
    looked_at: Option<(Fingerprint, Reproduction)>,
    /// Counted tests at that time.
    looked_when: u64,
    returns: u32,
    /// The best input when the plan had come to its end.
    ended_at: Option<Fingerprint>,
    /// The best input is an earlier one now: whatever is at work is about another.
    went_back: bool,
    /// Time that a run of the original took.
    one_run: Duration,
}

impl Reliability {
    /// What so many runs of the result come to.
    pub(super) fn verdict(&self, seen: Reproduction) -> Verdict {
        let kept = self.sampling.is_none_or(|sampling| sampling.is_kept(seen));
        if kept { Verdict::Fail } else { Verdict::Pass }
    }
}

impl Coordinator<'_, '_, '_> {
    /// The original failed, or, as `first` says, did not: is that all there is to say?
    pub(super) fn look_at_original(&mut self, first: &Verdict) -> Result<bool, Ended> {
        let fails = first.is_fail();
        self.reliability.one_run = self.statistics.elapsed;
        self.reliability.history.push(self.base.clone());
        match self.options.flaky {
            Flaky::Off => return Ok(fails),
            Flaky::Auto => {
                let most = if self.affords(REPLAYS) { REPLAYS } else { 0 };
                if !self.any_differs(fails, most)? {
                    return Ok(fails);
                }
            }
            Flaky::On => {}
        }
        match self.turn_statistical() {
            // There is no time left for a search: the original is its result.
            Err(Ended::MaxTime) => return Ok(fails),
            turned => turned?,
        }
        Ok(self
            .reliability
            .original
            .is_some_and(|seen| seen.failures > 0))
    }

    fn affords(&self, runs: u32) -> bool {
        self.reliability.one_run * runs <= PATIENCE
    }

    /// Whether one of so many runs of the best input says otherwise.
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
        self.statistics.replays += u64::from(seen);
        ran?;
        match is_stopped {
            true => Err(Ended::Stopped),
            false => Ok(differs),
        }
    }

    /// From now on, a candidate is judged by several runs.
    fn turn_statistical(&mut self) -> Result<(), Ended> {
        let Some(original) = self.reliability.history.first().cloned() else {
            return Ok(());
        };
        // Everything is held against this one: it is measured twice as well.
        let mut seen = self.measure(&original)?;
        seen.join(self.measure(&original)?);
        self.reliability.original = Some(seen);
        let sampling = Sampling::new(seen);
        self.reliability.sampling = Some(sampling);
        self.workers.set_sampling(Some(sampling));
        self.emit(&Event::Unreliable { original: seen });
        Ok(())
    }

    /// Now and then: is the best so far still as good as it was? Says whether the run went back.
    pub(super) fn look_at_base(&mut self) -> Result<bool, Ended> {
        let due = self.reliability.looked_when + BETWEEN <= self.statistics.tests;
        let has_looked_enough = self.reliability.returns >= MOST_RETURNS_ON_THE_WAY;
        if !due || has_looked_enough || matches!(self.options.flaky, Flaky::Off) {
            return Ok(false);
        }
        self.reliability.looked_when = self.statistics.tests;
        if self.reliability.sampling.is_none() {
            if !self.any_differs(true, 1)? {
                return Ok(false);
            }
            self.turn_statistical()?;
        }
        self.go_back_if_need_be()
    }

    /// At the end. Says whether the run goes on after all.
    pub(super) fn look_at_result(&mut self) -> Result<bool, Ended> {
        if matches!(self.options.flaky, Flaky::Off) {
            return Ok(false);
        }
        if self.reliability.sampling.is_none() {
            if !self.affords(REPLAYS) || !self.any_differs(true, REPLAYS)? {
                return Ok(false);
            }
            self.turn_statistical()?;
        }
        if self.go_back_if_need_be()? {
            return Ok(self.reliability.returns <= MOST_RETURNS);
        }
        // What was rejected by chance gets another one, as long as that comes to something.
        let is_new = self.reliability.ended_at != Some(self.base_print);
        self.reliability.ended_at = Some(self.base_print);
        if is_new {
            self.forget();
        }
        Ok(is_new)
    }

    /// All that was found out about candidates.
    fn forget(&mut self) {
        self.cache = Cache::default();
        self.prints.clear();
        self.barren.clear();
        self.settled = super::Settled::default();
    }

    fn go_back_if_need_be(&mut self) -> Result<bool, Ended> {
        let Some(sampling) = self.reliability.sampling else {
            return Ok(false);
        };
        let known = self
            .reliability
            .looked_at
            .filter(|seen| seen.0 == self.base_print);
        if known.is_some() {
            return Ok(false);
        }
        if let (Some(seen), Some(first)) =
            (self.reliability.original, self.reliability.history.first())
            && first.fingerprint() == self.base_print
        {
            // What everything is held against. By chance a second look may say less, but there is
            // nothing to go back to.
            self.reliability.looked_at = Some((self.base_print, seen));
            return Ok(false);
        }
        let base = self.base.clone();
        let seen = self.measure_well(&base, sampling)?;
        self.reliability.looked_at = Some((self.base_print, seen));
        if sampling.is_kept(seen) {
            return Ok(false);
        }
        self.go_back(sampling)?;
        Ok(true)
    }

    /// To the smallest input of the past that fails as often as it should: by doubling steps into
    /// the past, then by halving.
    fn go_back(&mut self, sampling: Sampling) -> Result<(), Ended> {
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
            && last.fingerprint() == self.base_print
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
        self.return_to(input, seen);
        Ok(())
    }

    fn return_to(&mut self, input: Input, seen: Reproduction) {
        let bytes_before = self.base.size();
        self.base = input;
        self.base_print = self.base.fingerprint();
        self.statistics.bytes_now = self.base.size();
        // What failed may have done so by chance, and what passed was judged too mildly or too
        // strictly; all of it is asked anew.
        self.forget();
        let reliability = &mut self.reliability;
        reliability.looked_at = Some((self.base_print, seen));
        reliability.returns += 1;
        reliability.went_back = true;
        if let Some(sampling) = &mut reliability.sampling {
            sampling.demand_more();
            self.workers.set_sampling(Some(*sampling));
        }
        self.statistics.returns += 1;
        let input = self.base.clone();
        self.emit(&Event::WentBack {
            input: &input,
            bytes_before,
        });
    }

    /// Whether the run went back since this was asked last.
    pub(super) fn took_back(&mut self) -> bool {
        std::mem::take(&mut self.reliability.went_back)
    }

    pub(super) fn has_gone_back(&self) -> bool {
        self.reliability.went_back
    }

    /// Remembers the best input, to be able to go back to it.
    pub(super) fn remember(&mut self) {
        if matches!(self.options.flaky, Flaky::Off) {
            return;
        }
        let share = if self.base.size() > super::LARGE {
            THINNED_LARGE
        } else {
            THINNED
        };
        let last = self.reliability.history.last().map_or(0, Input::size);
        if self.base.size() as f64 <= last as f64 * share {
            self.reliability.history.push(self.base.clone());
        }
    }

    /// How often the original and the result fail, where that was measured.
    pub(super) fn reproductions(&self) -> (Option<Reproduction>, Option<Reproduction>) {
        let reliability = &self.reliability;
        let result = reliability
            .looked_at
            .filter(|seen| seen.0 == self.base_print);
        let result = result
            .map(|seen| seen.1)
            .filter(|_| reliability.original.is_some());
        (reliability.original, result)
    }

    /// How often an input fails, by as many runs as it takes.
    fn measure(&mut self, input: &Input) -> Result<Reproduction, Ended> {
        let mut seen = Reproduction::default();
        let before = self.workers.set_sampling(None);
        let measured = self.run_until(input, None, |verdict| {
            seen.add(verdict.is_fail());
            seen.is_measured()
        });
        self.workers.set_sampling(before);
        self.statistics.replays += u64::from(seen.runs);
        measured.map(|()| seen)
    }

    /// As [`Self::measure`], and once more where that leaves a doubt: of several inputs that are
    /// looked at, one is lucky, and one is not.
    fn measure_well(&mut self, input: &Input, sampling: Sampling) -> Result<Reproduction, Ended> {
        let mut seen = self.measure(input)?;
        if sampling.is_in_doubt(seen) {
            seen.join(self.measure(input)?);
        }
        Ok(seen)
    }

    /// Runs one input again and again, on all workers and at most so often, until `enough` says so. Nothing
    /// else runs meanwhile.
    fn run_until(
        &mut self,
        input: &Input,
        most: Option<u32>,
        enough: impl FnMut(&Verdict) -> bool,
    ) -> Result<(), Ended> {
        self.quiet();
        let ran = self.run_again(input, most, enough);
        // What still runs is no candidate.
        self.quiet();
        ran
    }

    fn run_again(
        &mut self,
        input: &Input,
        most: Option<u32>,
        mut enough: impl FnMut(&Verdict) -> bool,
    ) -> Result<(), Ended> {
        let mut number = 0;
        loop {
            self.check_time()?;
            let verdict = if let Some(verdict) = self.workers.judge_inline(input) {
                self.statistics.started += 1;
                verdict
            } else {
                while self.workers.has_free() && most.is_none_or(|most| number < most) {
                    // Each is a test of its own, whatever the content.
                    number += 1;
                    let print = Fingerprint(u128::from(number));
                    if self.workers.start(print, input.clone()).is_err() {
                        break;
                    }
                }
                let Some(done) = self.workers.wait() else {
                    continue;
                };
                self.statistics.started += u64::from(done.begun);
                done.verdict
            };
            let verdict = verdict.map_err(Ended::Fault)?;
            if enough(&verdict) {
                return Ok(());
            }
        }
    }

    /// Ends whatever runs ahead.
    fn quiet(&mut self) {
        self.workers.cancel_except(|_| false);
        while self.workers.any_running() {
            // Nobody waits for these: what they say, even that they broke, changes nothing.
            if let Some(done) = self.workers.wait() {
                self.statistics.started += u64::from(done.begun);
            }
        }
        self.tell_news();
    }
}
