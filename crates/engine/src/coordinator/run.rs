use super::super::configurations::Configurations;
use super::super::control::Left;
use super::super::event::{Event, Waiting};
use super::super::opener::{Exhausted, Key, Opened, Opener};
use super::super::options::Options;
use super::super::outcome::{Ended, Outcome, PassStatistics, ReduceError, Statistics};
use super::super::pass_budget::{BudgetMeter, Spent};
use super::super::prefetch::{Prefetcher, Route, Surroundings};
use super::super::run_context::{LARGE_INPUT_BYTES, RunContext};
use super::super::schedule::{Report, Schedule, Turn};
use super::super::suspended::{Suspended, SuspendedPasses};
use super::super::triage::{Candidate, Triage};
use super::super::workers::{PULSE, Workers};
use super::at_work::Work;
use super::measured::Reliability;
use super::search::Checked;
use super::sequential_path::Ending;
use super::state::Coordinator;
use crate::order::Measure;
use crate::plan::Plan;
use crate::work::Machine;
use crate::work::Pass;
use nubbin_edit::Input;
use nubbin_verdict::{Fault, Panicked, Unresolved, Verdict, VerdictKind, contained};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// The shortest first test after which no worker has a second test waiting. A worker then loses
/// little time between two tests, and a test is better chosen after the last verdict is known.
const SLOW: Duration = Duration::from_millis(5);

/// The size in bytes of the largest input on which a pass is opened within a moment.
const MAX_BYTES_OPENED_AT_ONCE: usize = 256 << 10;

impl<'a> Coordinator<'a> {
    pub(crate) fn new(
        input: Input,
        plan: Plan,
        mut options: Options<'a>,
        workers: Workers<'a>,
    ) -> Self {
        let statistics = Statistics {
            bytes_before: input.size(),
            bytes_now: input.size(),
            ..Statistics::default()
        };
        let mut limits = options.limits.clone();
        limits.reserved = u64::from(options.verify);
        let mut run = RunContext::new(workers, limits, statistics, options.observer.take());
        for (print, kind) in options.known.drain(..) {
            run.cache.keep(print, kind);
        }
        Coordinator {
            run,
            base: input,
            triage: Triage::new(plan.order, std::mem::take(&mut options.filter)),
            opener: Opener::new(plan, options.seed, options.control.clone()),
            suspended: SuspendedPasses::default(),
            prefetcher: Prefetcher::default(),
            reliability: Reliability::default(),
            configurations: options.configurations.then(Configurations::default),
            options,
        }
    }

    pub(crate) fn run(mut self) -> Result<Outcome, ReduceError> {
        self.run.tick();
        // The time before this point was spent on preparations.
        let begun = self.run.statistics.elapsed;
        let verdict = match self.judge_alone() {
            Ok(Verdict::Unresolved(Unresolved::Cancelled)) => return Err(ReduceError::Stopped),
            Ok(verdict) => verdict,
            Err(fault) => return Err(ReduceError::Fault(fault)),
        };
        self.run.tick();
        let first_test = self.run.statistics.elapsed.saturating_sub(begun);
        self.run.keep_time(first_test);
        let early = match self.look_at_original(&verdict) {
            Ok(true) => None,
            Ok(false) => {
                let input = self.base;
                return Err(ReduceError::NotFailing { verdict, input });
            }
            Err(Ended::Fault(fault)) => return Err(ReduceError::Fault(fault)),
            // The original has failed once, so it is the best so far.
            Err(ended) if verdict.is_fail() => Some(ended),
            Err(_) => return Err(ReduceError::Stopped),
        };
        self.run.count(VerdictKind::Fail);
        self.run.workers.set_queue(first_test < SLOW);
        let original = self.base.clone();
        self.emit(&Event::Started {
            input: &original,
            first_test,
        });
        drop(original);

        let ended = early.unwrap_or_else(|| self.search());
        let Checked {
            ended,
            original,
            reproduction,
            verified,
        } = self.check_result(ended);
        self.run.tick();
        let input = self.base.clone();
        self.emit(&Event::Ended {
            ended: &ended,
            input: &input,
        });
        Ok(Outcome {
            input,
            ended,
            verified,
            original,
            reproduction,
            statistics: self.run.statistics,
        })
    }

    /// Tests the base without the cache, while no other test runs.
    fn judge_alone(&mut self) -> Result<Verdict, Fault> {
        let [verdict] = self.run.judge_alone([&self.base])?;
        Ok(verdict)
    }

    /// Runs the plan.
    pub(super) fn follow(&mut self) -> Result<(), Ended> {
        let tiers = &self.opener.plan.tiers;
        let tiers: Vec<_> = tiers
            .iter()
            .map(|tier| (tier.repeat, tier.passes.len()))
            .collect();
        self.prefetcher.begin_plan();
        // A rollback at the end of an earlier run of the plan only needs this new schedule.
        self.reliability.rolled_back = false;
        let mut schedule = Schedule::new(tiers.iter().copied());
        self.suspended.clear();
        let mut tier = 0;
        while let Some(turn) = schedule.next() {
            if std::mem::replace(&mut tier, turn.tier) != turn.tier {
                self.suspended.clear();
            }
            let report = self.take_turn(&schedule, turn)?;
            schedule.record(report);
            if std::mem::take(&mut self.reliability.rolled_back) {
                schedule = Schedule::new(tiers.iter().copied());
            }
        }
        Ok(())
    }

    /// Runs a pass on all its files.
    fn take_turn(&mut self, schedule: &Schedule, turn: Turn) -> Result<Report, Ended> {
        let tier = &self.opener.plan.tiers[turn.tier];
        let (tier, shared) = (tier.name, tier.passes[turn.pass].clone());
        let pass = shared.as_ref();
        let mut report = Report::default();
        self.opener.control.begin_turn();
        let mut files = self.opener.files_for(&self.base, &turn);
        if !files.is_empty() && self.gives_way(pass.id()) {
            files.clear();
        }
        let mut budget = BudgetMeter::new(turn.budget, self.base.size());
        while let Some(file) = files.pop_front() {
            if self.opener.has_failed(pass) {
                break;
            }
            if self.opener.is_exhausted(&self.base, &turn, file) {
                continue;
            }
            let key = Key::new(&turn, file);
            let suspended = match turn.resumes {
                true => self.suspended.take(key),
                false => None,
            };
            let route = Route {
                schedule: schedule.clone(),
                turn,
                files: files.clone(),
                report,
            };
            let opened = self
                .prefetcher
                .set_out(route, file, self.base.fingerprint());
            let begun = match suspended {
                Some(suspended) => Some(suspended),
                None => {
                    let opened_on = Exhausted::on(&self.base, pass, file);
                    let machine = self.open(&shared, file, opened)?;
                    if machine.is_none() {
                        self.opener.exhaust(key, opened_on);
                    }
                    machine.map(|machine| Suspended::new(machine, opened_on))
                }
            };
            let ran = match begun {
                Some(begun) => self.run_pass((pass, tier, file), begun, turn, &mut budget)?,
                None => Report::default(),
            };
            report.add(ran);
            if self.gives_way(pass.id()) {
                report.parked = true;
            }
            if report.parked || self.reliability.rolled_back {
                break;
            }
        }
        Ok(report)
    }

    /// Opens a pass on the base, unless it was opened ahead. Returns `None` if the pass has no
    /// proposals for the file, or panics.
    fn open(
        &mut self,
        pass: &Arc<dyn Pass>,
        file: usize,
        opened: Option<Option<Box<dyn Machine>>>,
    ) -> Result<Option<Box<dyn Machine>>, Ended> {
        if let Some(opened) = opened {
            return Ok(opened);
        }
        // A pass that asks an external program ends together with this program when the run stops.
        let is_long = self.base.size() > MAX_BYTES_OPENED_AT_ONCE && !pass.info().asks_outside;
        let aside = (is_long && self.run.workers.are_threads())
            .then(|| self.opener.open_aside(&self.base, pass.clone(), file))
            .flatten();
        let opened = match aside {
            Some(opened) => self.await_opening(pass.id(), &opened)?,
            None => contained(|| self.opener.open(&self.base, pass.as_ref(), file)),
        };
        Ok(opened.unwrap_or_else(|panic| {
            self.give_up(pass.id(), &panic);
            None
        }))
    }

    /// Waits until a pass is open, or has to end.
    fn await_opening(
        &mut self,
        pass: &'static str,
        opened: &Receiver<Opened>,
    ) -> Result<Opened, Ended> {
        let mut wait = self.run.begin_wait();
        loop {
            match opened.recv_timeout(PULSE) {
                Ok(opened) => return Ok(opened),
                Err(RecvTimeoutError::Disconnected) => return Ok(Ok(None)),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.run.check_time()?;
            if self.opener.control.left(pass).is_some() {
                return Ok(Ok(None));
            }
            let what = Waiting::Opening { pass };
            self.run.waits(&mut wait, what);
        }
    }

    fn run_pass(
        &mut self,
        (pass, tier, file): (&dyn Pass, &'static str, usize),
        begun: Suspended,
        turn: Turn,
        budget: &mut BudgetMeter,
    ) -> Result<Report, Ended> {
        let tries_everything = pass.info().tries_everything;
        let pass = pass.id();
        self.emit(&Event::PassStarted { pass, tier, file });
        let before = self.run.statistics.clone();
        self.triage.begin_pass(tries_everything);
        let mut work = Work {
            pass,
            machine: begun.machine,
            applied: begun.applied,
            thorough: turn.thorough,
            last: false,
            failures_left: u32::MAX,
            adopted: 0,
        };
        budget.begin_file(begun.undecided);
        let driven = self.drive(&mut work, budget);
        let undecided = budget.end_file();
        self.run.tick();
        let now = &self.run.statistics;
        let run = PassStatistics {
            runs: 1,
            tests: now.tests - before.tests,
            adopted: work.adopted,
            bytes_removed: before.bytes_now as i64 - now.bytes_now as i64,
            elapsed: now.elapsed - before.elapsed,
        };
        let skipped = now.known_failures > before.known_failures;
        let has_size = self.opener.plan.order.chain().contains(&Measure::Bytes);
        self.run.statistics.pass(pass).add(&run);
        self.emit(&Event::PassEnded { pass, run });
        let ending = driven?;
        let key = Key::new(&turn, file);
        if ending == Ending::Complete && work.adopted == 0 && !skipped {
            self.opener.exhaust(key, begun.opened_on);
        }
        // A machine may be as large as the input, so only machines on small inputs are kept.
        let is_spent = matches!(ending, Ending::Spent(_));
        if turn.resumes && is_spent && self.base.size() <= LARGE_INPUT_BYTES {
            let suspended = Suspended {
                machine: work.machine,
                applied: work.applied,
                undecided,
                opened_on: begun.opened_on,
            };
            self.suspended.keep(key, suspended);
        }
        Ok(Report {
            progress: work.adopted > 0,
            resized: run.bytes_removed != 0 || !has_size,
            parked: ending != Ending::Complete,
            paid: ending == Ending::Spent(Spent::Turn),
            skipped,
        })
    }

    /// Returns the prefetcher, and the state of the run that it uses.
    pub(super) fn prefetching(&mut self) -> (&mut Prefetcher, Surroundings<'_, 'a>) {
        let around = Surroundings {
            run: &mut self.run,
            base: &self.base,
            opener: &self.opener,
            suspended: &self.suspended,
            triage: &mut self.triage,
        };
        (&mut self.prefetcher, around)
    }

    /// Receives the verdict of an ended test, and waits for one pulse at most. Returns whether a
    /// verdict was received.
    pub(super) fn collect(&mut self) -> Result<bool, Fault> {
        let Some((done, kind)) = self.run.collect() else {
            return Ok(false);
        };
        done.verdict?;
        self.prefetcher
            .returned(done.print, kind.map(VerdictKind::is_fail));
        if let Some(verdict) = kind {
            let print = done.print;
            self.emit(&Event::Judged { print, verdict });
        }
        Ok(kind.is_some())
    }

    /// Adopts a candidate as the new base.
    pub(super) fn adopt(&mut self, pass: &'static str, candidate: Candidate) {
        self.prefetcher.adopted();
        let bytes_before = self.base.size();
        self.base = candidate.input;
        match candidate.is_whole {
            true => self.suspended.clear(),
            false => self.suspended.adopted(&candidate.edit),
        }
        self.run.statistics.bytes_now = self.base.size();
        if self.base.size() < bytes_before {
            self.run.progressed();
        }
        self.remember();
        let input = self.base.clone();
        self.emit(&Event::Adopted {
            pass,
            input: &input,
            edit: &candidate.edit,
            bytes_before,
        });
    }

    /// Counts a test of a candidate.
    pub(super) fn counted(&mut self, pass: &'static str, kind: VerdictKind, candidate: &Input) {
        self.run.count(kind);
        self.emit(&Event::Tested {
            pass,
            verdict: kind,
            input: candidate,
            bytes: candidate.size(),
        });
    }

    pub(super) fn check_size(&self) -> Result<(), Ended> {
        match self.options.stop_at {
            Some(most) if self.run.statistics.bytes_now <= most => Err(Ended::SmallEnough),
            _ => Ok(()),
        }
    }

    /// Waits while the run is paused, and returns whether the pass has to end.
    pub(super) fn must_leave(&mut self, pass: &'static str) -> Result<bool, Ended> {
        while self.opener.control.is_paused() {
            self.run.workers.cancel_waiting();
            if self.run.workers.any_running() {
                self.collect().map_err(Ended::Fault)?;
            } else {
                self.opener.control.wait(PULSE);
            }
            self.run.check_time()?;
        }
        Ok(self.opener.control.left(pass).is_some())
    }

    /// Returns whether the [`Control`](super::super::Control) ends a pass, and reports it if so.
    fn gives_way(&mut self, pass: &'static str) -> bool {
        let Some(left) = self.opener.control.left(pass) else {
            return false;
        };
        self.run.statistics.interventions += 1;
        self.emit(&match left {
            Left::Skipped => Event::PassSkipped { pass },
            Left::Disabled => Event::PassDisabled { pass },
        });
        true
    }

    /// Reports a pass that has panicked, and leaves it out for the rest of the run.
    pub(super) fn give_up(&mut self, pass: &'static str, panic: &Panicked) {
        let place = panic.place.as_ref().map(|place| format!(" ({place})"));
        let message = panic.message.clone() + &place.unwrap_or_default();
        self.opener.fail(pass);
        self.emit(&Event::PassFailed {
            pass,
            message: &message,
        });
    }

    pub(super) fn emit(&mut self, event: &Event<'_>) {
        self.run
            .emit(|observer, statistics| observer.observe(event, statistics));
    }
}
