//! The sequential path: the order of tests that one worker would run. Only the sequential path
//! adopts candidates and counts tests.

use super::super::cache::CachedVerdict;
use super::super::outcome::Ended;
use super::super::pass_budget::{BudgetMeter, Spent};
use super::super::prefetch::Likely;
use super::super::triage::{Candidate, Dropped, Proposal};
use super::at_work::Work;
use super::state::Coordinator;
use nubbin_edit::Edit;
use nubbin_verdict::{Fault, VerdictKind, contained};
use std::iter::Peekable;
use std::vec::IntoIter;

/// The reason why the run of a pass ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The pass had no further proposals.
    Complete,
    Spent(Spent),
    /// The [`Control`](super::super::Control) or a rollback ended the pass.
    Left,
}

/// The outcome of one proposal.
enum Step {
    Dropped,
    Tested(bool),
    /// The pass ends before a verdict.
    Ends(Ending),
}

impl Coordinator<'_> {
    /// Drives a machine to its end, or until its budget is spent.
    pub(super) fn drive(
        &mut self,
        work: &mut Work,
        budget: &mut BudgetMeter,
    ) -> Result<Ending, Ended> {
        if let Some(configurations) = &mut self.configurations {
            configurations.begin(work.machine.as_ref());
        }
        loop {
            // A pass with a bug must not end the run.
            let step = match contained(|| self.step(work, budget)) {
                Ok(step) => step?,
                Err(panic) => {
                    self.give_up(work.pass, &panic);
                    return Ok(Ending::Complete);
                }
            };
            let spent = match step {
                Step::Ends(ending) => return Ok(ending),
                Step::Dropped => {
                    self.run.statistics.skipped += 1;
                    budget.dropped();
                    None
                }
                Step::Tested(success) => {
                    self.prefetcher.record(work.pass, work.last, success);
                    work.last = success;
                    work.adopted += u64::from(success);
                    budget.tested(success, self.base.size())
                }
            };
            if let Some(spent) = spent {
                return Ok(Ending::Spent(spent));
            }
        }
    }

    /// Takes one proposal from the machine to its verdict.
    fn step(&mut self, work: &mut Work, budget: &mut BudgetMeter) -> Result<Step, Ended> {
        // Limits are checked before a proposal, so that no verdict is lost.
        self.run.check_time()?;
        if self.must_leave(work.pass)? {
            return Ok(Step::Ends(Ending::Left));
        }
        self.check_size()?;
        if self.look_at_base()? {
            return Ok(Step::Ends(Ending::Left));
        }
        let proposal = work.machine.next();
        if let Some(configurations) = &mut self.configurations {
            let counted = configurations.counted(work.machine.as_ref());
            self.run.statistics.configurations += counted;
        }
        let Some(proposal) = proposal else {
            return Ok(Step::Ends(Ending::Complete));
        };
        budget.propose(work.machine.taken());
        let Ok(candidate) = self.triage(work, &proposal) else {
            work.machine.record(false);
            return Ok(Step::Dropped);
        };
        work.failures_left = budget.failures_left(self.base.size());
        match self.verdict(work, &candidate)? {
            Some(kind) => self.settle(work, &proposal, candidate, kind.is_fail()),
            None => Ok(Step::Ends(Ending::Left)),
        }
    }

    fn triage(&mut self, work: &Work, edit: &Edit) -> Result<Candidate, Dropped> {
        let rebase = |edit: &Edit| work.applied.rebase(edit).ok();
        let proposal = Proposal {
            thorough: work.thorough,
            ..Proposal::of(work.machine.as_ref(), edit, &self.base, &rebase)
        };
        let decided = self.triage.decide(&proposal);
        let statistics = &mut self.run.statistics;
        match &decided {
            Err(Dropped::Void) => return decided,
            Err(Dropped::KnownFailure) => {
                statistics.known_failures += 1;
                return decided;
            }
            Err(Dropped::Malformed) => statistics.malformed += 1,
            Err(Dropped::NoBetter) | Ok(_) => {}
        }
        statistics.proposals += 1;
        if let Some(configurations) = &mut self.configurations {
            let is_new = configurations.is_new(work.machine.as_ref(), &work.applied, edit);
            statistics.configurations += u64::from(is_new);
        }
        decided
    }

    /// Returns the verdict on a candidate, and counts its test. Returns `None` if the pass has to
    /// end.
    fn verdict(
        &mut self,
        work: &Work,
        candidate: &Candidate,
    ) -> Result<Option<VerdictKind>, Ended> {
        let kind = match self.run.cache.ask(candidate.print) {
            Some(CachedVerdict::Before(kind)) => {
                self.run.statistics.cache_hits += 1;
                return Ok(Some(kind));
            }
            Some(CachedVerdict::Ahead(kind)) => {
                self.run.check_tests()?;
                kind
            }
            None => {
                self.run.check_tests()?;
                let Some(kind) = self.judge(work, candidate)? else {
                    return Ok(None);
                };
                self.run.keep_asked(candidate.print, kind);
                kind
            }
        };
        self.counted(work.pass, kind, &candidate.input);
        Ok(Some(kind))
    }

    /// Adopts a candidate that fails, and records the verdict in all parts that learn from it.
    fn settle(
        &mut self,
        work: &mut Work,
        proposal: &Edit,
        candidate: Candidate,
        fails: bool,
    ) -> Result<Step, Ended> {
        self.triage.record(&self.base, &candidate, fails);
        if self.run.workers.count() > 1
            && let Some(taken) = work.machine.taken()
        {
            self.prefetcher.learn(taken, fails);
        }
        if fails {
            if !candidate.is_whole {
                // No conflict is possible, since the edit has just been rebased.
                let applied = work.applied.apply(proposal);
                applied.map_err(|conflict| Ended::Fault(Fault::new(conflict)))?;
            }
            self.adopt(work.pass, candidate);
        }
        work.machine.record(fails);
        Ok(Step::Tested(fails))
    }

    /// Runs a test. Meanwhile other workers run the likely next tests.
    fn judge(&mut self, work: &Work, candidate: &Candidate) -> Result<Option<VerdictKind>, Ended> {
        let mut pending = vec![].into_iter().peekable();
        let mut is_outdated = true;
        loop {
            if let Some(kind) = self.run.cache.peek(candidate.print) {
                return Ok(Some(kind));
            }
            self.run.check_time()?;
            if self.must_leave(work.pass)? {
                return Ok(None);
            }
            // The awaited test starts before the search for other tests, which takes time.
            self.run.start_awaited(candidate.print, &candidate.input);
            if is_outdated {
                pending = self.next_tests(work, candidate);
            }
            while let Some(next) = pending.next_if(|_| self.run.workers.has_room()) {
                self.start_likely(next);
            }
            let has_learned = self.collect().map_err(Ended::Fault)?;
            // If tests take long, a new search after each verdict is worth its time.
            is_outdated = has_learned && !self.run.workers.queue();
        }
    }

    fn next_tests(&mut self, work: &Work, awaited: &Candidate) -> Peekable<IntoIter<Likely>> {
        let (prefetcher, mut around) = self.prefetching();
        let tests = prefetcher.next_tests(&mut around, work, awaited);
        tests.into_iter().peekable()
    }

    fn start_likely(&mut self, likely: Likely) {
        let (prefetcher, around) = self.prefetching();
        if let Some((print, input)) = prefetcher.render(&around, likely) {
            self.run.start(print, input);
        }
    }
}
