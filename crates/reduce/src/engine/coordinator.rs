mod ahead;
mod opening;
mod path;
mod reliability;
mod upcoming;

use super::Options;
use super::cache::{Cache, Kind};
use super::configurations::Configurations;
use super::control::Left;
use super::event::Event;
use super::outcome::{Ended, Outcome, PassStatistics, ReduceError, Statistics};
use super::schedule::{Report, Schedule, Turn};
use super::scout::Scouts;
use super::screen::Screen;
use super::settled::Settled;
use super::speculate::{Likely, Odds, Prints};
use super::workers::{News, PULSE, Workers};
use crate::edit::{Edit, Fingerprint};
use crate::input::Input;
use crate::pass::Pass;
use crate::plan::Plan;
use crate::work::Machine;
use nubbin_verdict::{Fault, Unresolved, Verdict};
use opening::{Barren, Key};
use path::{End, Spell};
use reliability::Reliability;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use upcoming::{Route, Upcoming};

/// The one place that changes anything: follows the logical path from proposal to verdict.
pub(super) struct Coordinator<'r, 'a, 'w> {
    plan: Plan,
    options: &'r mut Options<'a>,
    workers: &'r mut Workers<'w>,
    base: Input,
    base_print: Fingerprint,
    cache: Cache,
    statistics: Statistics,
    /// Of edits of the base.
    prints: Prints,
    /// What is known of the list at work ahead of the logical path.
    scouts: Scouts,
    settled: Settled,
    screen: Screen<'a>,
    /// What the pass at work has proposed, where that is counted.
    configurations: Option<Configurations>,
    reliability: Reliability,
    upcoming: Upcoming,
    /// How often each pass has succeeded.
    odds: FxHashMap<&'static str, Odds>,
    /// For which a complete run found nothing, and in what: need not run again.
    barren: FxHashMap<Key, Barren>,
    /// Passes left out because they panicked.
    failed: Vec<&'static str>,
    /// Buffers of candidates that are not needed any more.
    spare: Vec<Vec<u8>>,
    /// Tests there were when the input last got smaller.
    smaller_at: u64,
    started: Duration,
}

/// Buffers kept for re-use; more are only needed for a moment.
const SPARE: usize = 8;

/// Inputs above this many bytes are not held more often than needed: one buffer is kept for
/// re-use, and only what a worker can start at once is made ahead of time.
const LARGE: usize = 8 << 20;

/// Above this, nothing is tested ahead of time until the input is smaller: the best so far, its
/// predecessor on its way to the disk, and the candidate are three times the input already.
const HUGE: usize = 64 << 20;

/// Fingerprints of futures that are remembered; most are of the last few steps.
const PRINTS: usize = 1 << 14;

/// Where tests take as long as this, a worker that waits for the coordinator loses nothing, and
/// what is to be tested next is better decided when the last verdict is there.
const SLOW: Duration = Duration::from_millis(5);

/// Tests at least this likely to be asked for come before scouts.
const NEAR: f64 = 0.5;

impl<'r, 'a, 'w> Coordinator<'r, 'a, 'w> {
    pub(super) fn new(
        input: Input,
        plan: &Plan,
        options: &'r mut Options<'a>,
        workers: &'r mut Workers<'w>,
    ) -> Self {
        let base_print = input.fingerprint();
        let started = workers.now().unwrap_or_else(|| (options.clock)());
        let statistics = Statistics {
            bytes_before: input.size(),
            bytes_now: input.size(),
            ..Statistics::default()
        };
        let mut cache = Cache::default();
        for (print, kind) in options.known.drain(..) {
            cache.keep(print, kind);
        }
        let screen = Screen::new(options.screening);
        let configurations = options.configurations.then(Configurations::default);
        Coordinator {
            plan: plan.clone(),
            options,
            workers,
            base: input,
            base_print,
            cache,
            prints: Prints::default(),
            scouts: Scouts::default(),
            settled: Settled::default(),
            screen,
            configurations,
            reliability: Reliability::default(),
            upcoming: Upcoming::default(),
            odds: FxHashMap::default(),
            statistics,
            barren: FxHashMap::default(),
            failed: vec![],
            spare: vec![],
            smaller_at: 1,
            started,
        }
    }

    pub(super) fn run(mut self) -> Result<Outcome, ReduceError> {
        let verdict = match self.judge_alone() {
            Ok(Verdict::Unresolved(Unresolved::Cancelled)) => return Err(ReduceError::Stopped),
            Ok(verdict) => verdict,
            Err(fault) => return Err(ReduceError::Fault(fault)),
        };
        self.tick();
        let first_test = self.statistics.elapsed;
        let early = match self.look_at_original(&verdict) {
            Ok(true) => None,
            Ok(false) => {
                let input = self.base;
                return Err(ReduceError::NotFailing { verdict, input });
            }
            Err(Ended::Fault(fault)) => return Err(ReduceError::Fault(fault)),
            // It has failed once: then it is the best so far.
            Err(ended) if verdict.is_fail() => Some(ended),
            Err(_) => return Err(ReduceError::Stopped),
        };
        self.count(Kind::Fail);
        self.workers.set_queue(first_test < SLOW);
        let original = self.base.clone();
        self.emit(&Event::Started {
            input: &original,
            first_test,
        });
        drop(original);

        let mut ended = loop {
            if let Some(ended) = early {
                break ended;
            }
            let ended = self.follow().err().unwrap_or(Ended::Complete);
            if matches!(ended, Ended::Stopped | Ended::Fault(_)) {
                break ended;
            }
            match self.look_at_result() {
                // With a budget used up, going back is all that can be done.
                Ok(true) if matches!(ended, Ended::Complete) => {}
                // It went back, and is too large again.
                Ok(true) if matches!(ended, Ended::SmallEnough) && self.check_size().is_ok() => {}
                Ok(_) => break ended,
                Err(ended) => break ended,
            }
        };
        self.workers.cancel_except(|_| false);
        while self.workers.any_running() {
            // The run is over: what these tests say, even that they broke, changes nothing.
            let _ = self.collect();
        }
        let stopped = matches!(ended, Ended::Stopped | Ended::Fault(_));
        let (original, reproduction) = self.reproductions();
        let verified = if let Some(seen) = reproduction {
            Some(self.reliability.verdict(seen))
        } else if self.options.verify && !stopped {
            match self.judge_alone() {
                Ok(verdict) => match Kind::of(&verdict) {
                    Some(kind) => {
                        self.count(kind);
                        Some(verdict)
                    }
                    None => {
                        ended = Ended::Stopped;
                        None
                    }
                },
                Err(fault) => {
                    ended = Ended::Fault(fault);
                    None
                }
            }
        } else {
            None
        };
        self.tick();
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
            statistics: self.statistics,
        })
    }

    /// Runs the plan.
    fn follow(&mut self) -> Result<(), Ended> {
        let plan = self.plan.clone();
        let new_schedule = || {
            Schedule::new(
                plan.tiers
                    .iter()
                    .map(|tier| (tier.repeat, tier.passes.len())),
            )
        };
        // The plan may be another one now.
        self.upcoming = Upcoming::default();
        // What an earlier round went back from is dealt with by beginning anew.
        self.took_back();
        let mut schedule = new_schedule();
        while let Some(turn) = schedule.next() {
            let tier = &plan.tiers[turn.tier];
            let pass = tier.passes[turn.pass].as_ref();
            let mut report = Report::default();
            self.options.control.begin_turn();
            let left_out = self.is_left_out(pass, &turn) || self.gives_way(pass.id());
            let mut files: VecDeque<usize> = match left_out {
                true => VecDeque::new(),
                false => self.files_for(self.here(), pass, &turn).into(),
            };
            let mut spell = Spell::new(self.base.size());
            while let Some(file) = files.pop_front() {
                if self.failed.contains(&pass.id()) {
                    break;
                }
                if self.is_barren(self.here(), pass, &turn, file) {
                    continue;
                }
                let seen = Barren {
                    base: self.base_print,
                    text: self.here().print_of(pass, file),
                };
                let route = Route {
                    schedule: schedule.clone(),
                    turn,
                    files: files.clone(),
                    report,
                };
                let opened = self.upcoming.set_out(route, file, self.base_print);
                let ran = self.run_pass(pass, tier.name, file, turn, opened, &mut spell)?;
                if ran.complete && !ran.progress && !ran.skipped {
                    self.barren.insert(Key::new(&turn, file), seen);
                }
                report.progress |= ran.progress;
                report.complete &= ran.complete;
                report.paid |= ran.paid;
                report.skipped |= ran.skipped;
                if self.gives_way(pass.id()) {
                    report.complete = false;
                }
                if !report.complete || self.has_gone_back() {
                    break;
                }
            }
            schedule.record(report);
            if self.took_back() {
                schedule = new_schedule();
            }
        }
        Ok(())
    }

    fn run_pass(
        &mut self,
        pass: &dyn Pass,
        tier: &'static str,
        file: usize,
        turn: Turn,
        opened: Option<Option<Box<dyn Machine>>>,
        spell: &mut Spell,
    ) -> Result<Report, Ended> {
        let nothing = Report::default();
        if self.base.size() > LARGE {
            // Opening a pass needs room for its tables.
            self.spare.clear();
        }
        let opened = match opened {
            Some(opened) => Ok(opened),
            None => catch_unwind(AssertUnwindSafe(|| self.open(self.here(), pass, file))),
        };
        let machine = match opened {
            Ok(Some(machine)) => machine,
            Ok(None) => return Ok(nothing),
            Err(panic) => {
                self.give_up(pass.id(), &*panic);
                return Ok(nothing);
            }
        };
        self.emit(&Event::PassStarted {
            pass: pass.id(),
            tier,
            file,
        });
        let before = self.statistics.clone();
        let mut adopted = 0;
        self.screen.begin(pass.tries_everything());
        let driven = self.drive(pass.id(), machine, turn, spell, &mut adopted);
        self.tick();
        let run = PassStatistics {
            runs: 1,
            tests: self.statistics.tests - before.tests,
            adopted,
            bytes_removed: before.bytes_now as i64 - self.statistics.bytes_now as i64,
            elapsed: self.statistics.elapsed - before.elapsed,
        };
        self.statistics.pass(pass.id()).add(&run);
        self.emit(&Event::PassEnded {
            pass: pass.id(),
            run,
        });
        let end = driven?;
        Ok(Report {
            progress: adopted > 0,
            complete: end == End::Own,
            paid: end == End::Turn,
            skipped: self.statistics.settled > before.settled,
        })
    }

    /// Starts a test, if no worker has it already and one has room.
    fn start(&mut self, print: Fingerprint, input: Input) {
        if self.workers.has(print) {
            return;
        }
        match self.workers.start(print, input) {
            Ok(()) => {}
            Err(input) => self.recycle(input),
        }
        self.tell_news();
    }

    /// Takes what the workers have finished into the cache; waits for a moment if there is nothing.
    /// Says whether there was a verdict.
    fn collect(&mut self) -> Result<bool, Fault> {
        let Some(done) = self.workers.wait() else {
            return Ok(false);
        };
        self.tell_news();
        self.statistics.started += u64::from(done.begun);
        let kind = Kind::of(&done.verdict?);
        self.scouts.returned(done.print, kind.map(Kind::is_fail));
        if let Some(kind) = kind {
            self.cache.keep(done.print, kind);
            self.emit(&Event::Judged {
                print: done.print,
                verdict: kind,
            });
        }
        self.recycle(done.input);
        Ok(kind.is_some())
    }

    /// Starts what is likely to be asked for, if no worker has it.
    fn start_likely(&mut self, likely: Likely) {
        if !self.workers.has(likely.print) {
            let Likely {
                print,
                of,
                edit,
                input,
                ..
            } = likely;
            let input = input.or_else(|| {
                let text = match of == self.base_print {
                    true => &self.base,
                    false => self.upcoming.text(of)?,
                };
                Some(text.apply(&edit).0)
            });
            // Nobody looks on from there any more.
            let Some(input) = input else {
                return;
            };
            self.start(print, input);
        }
    }

    /// Judges the best input with nothing else going on, past the cache.
    fn judge_alone(&mut self) -> Result<Verdict, Fault> {
        let base = self.base.clone();
        if let Some(verdict) = self.workers.judge_inline(&base) {
            self.statistics.started += 1;
            return verdict;
        }
        let print = self.base_print;
        if self.workers.start(print, base).is_err() {
            return Err(Fault::new("no worker is free"));
        }
        self.tell_news();
        loop {
            if self.options.stop.is_requested() {
                self.workers.cancel_except(|_| false);
            }
            if let Some(done) = self.workers.wait() {
                self.tell_news();
                self.statistics.started += u64::from(done.begun);
                return done.verdict;
            }
        }
    }

    fn adopt(&mut self, pass: &'static str, edit: &Edit, candidate: Input, print: Fingerprint) {
        self.base_print = print;
        self.prints.clear();
        self.upcoming.found();
        let old = std::mem::replace(&mut self.base, candidate);
        let bytes_before = old.size();
        self.recycle(old);
        self.statistics.bytes_now = self.base.size();
        if self.base.size() < bytes_before {
            self.smaller_at = self.statistics.tests;
        }
        self.remember();
        let input = self.base.clone();
        self.emit(&Event::Adopted {
            pass,
            input: &input,
            edit,
            bytes_before,
        });
    }

    /// Whether a candidate is not worth a test since it is worse formed than the base.
    fn is_malformed(&mut self, candidate: &Input, print: Fingerprint) -> bool {
        self.screen
            .refuses((&self.base, self.base_print), (candidate, print))
    }

    fn is_below_base(&self, candidate: &Input) -> bool {
        self.plan.order.is_below(candidate, &self.base)
    }

    fn counted(&mut self, pass: &'static str, kind: Kind, candidate: &Input) {
        self.count(kind);
        self.emit(&Event::Tested {
            pass,
            verdict: kind.word(),
            input: candidate,
            bytes: candidate.size(),
        });
    }

    fn count(&mut self, kind: Kind) {
        self.tick();
        self.statistics.tests += 1;
        match kind {
            Kind::Fail => self.statistics.failing += 1,
            Kind::Pass => {}
            Kind::Unresolved => self.statistics.unresolved += 1,
            Kind::TimedOut => {
                self.statistics.unresolved += 1;
                self.statistics.timed_out += 1;
            }
        }
    }

    fn check_tests(&self) -> Result<(), Ended> {
        let tests = self.statistics.tests;
        let used_up = |most: Option<u64>, since| most.is_some_and(|most| tests - since >= most);
        if used_up(self.options.max_tests, 0) {
            return Err(Ended::MaxTests);
        }
        if used_up(self.options.max_stalled, self.smaller_at) {
            return Err(Ended::Stalled);
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), Ended> {
        match self.options.stop_at {
            Some(most) if self.statistics.bytes_now <= most => Err(Ended::SmallEnough),
            _ => Ok(()),
        }
    }

    fn check_time(&self) -> Result<(), Ended> {
        if self.options.stop.is_requested() {
            return Err(Ended::Stopped);
        }
        let elapsed = self.now() - self.started;
        if self.options.max_time.is_some_and(|max| elapsed >= max) {
            return Err(Ended::MaxTime);
        }
        Ok(())
    }

    /// Heeds the control: waits while the run is paused, and says whether the pass is to end.
    fn must_leave(&mut self, pass: &'static str) -> Result<bool, Ended> {
        while self.options.control.is_paused() {
            self.workers.cancel_waiting();
            if self.workers.any_running() {
                self.collect().map_err(Ended::Fault)?;
            } else {
                self.options.control.wait(PULSE);
            }
            self.check_time()?;
        }
        Ok(self.options.control.left(pass).is_some())
    }

    /// Whether a pass gives way to whoever steers the run; says so, and counts it.
    fn gives_way(&mut self, pass: &'static str) -> bool {
        let Some(left) = self.options.control.left(pass) else {
            return false;
        };
        self.statistics.interventions += 1;
        self.emit(&match left {
            Left::Skipped => Event::PassSkipped { pass },
            Left::Disabled => Event::PassDisabled { pass },
        });
        true
    }

    /// Tells what workers have begun and ended.
    fn tell_news(&mut self) {
        while let Some(news) = self.workers.news() {
            self.emit(&match news {
                News::Begun { worker, bytes } => Event::WorkerStarted { worker, bytes },
                News::Ended { worker, answered } => Event::WorkerEnded { worker, answered },
            });
        }
    }

    fn give_up(&mut self, pass: &'static str, panic: &(dyn std::any::Any + Send)) {
        let message = panic
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("it did not say why");
        self.failed.push(pass);
        self.emit(&Event::PassFailed { pass, message });
    }

    fn recycle(&mut self, input: Input) {
        let most = if self.base.size() > LARGE { 1 } else { SPARE };
        if self.spare.len() < most
            && let Some(buffer) = input.into_buffer()
            // A buffer from when the input was large is not worth its memory now.
            && buffer.capacity() / 4 <= self.base.bytes().len() + LARGE / 8
        {
            self.spare.push(buffer);
        }
    }

    fn now(&self) -> Duration {
        self.workers.now().unwrap_or_else(|| (self.options.clock)())
    }

    fn tick(&mut self) {
        self.statistics.elapsed = self.now() - self.started;
    }

    fn emit(&mut self, event: &Event<'_>) {
        self.tick();
        if let Some(observer) = self.options.observer.as_deref_mut() {
            observer.observe(event, &self.statistics);
        }
    }
}
