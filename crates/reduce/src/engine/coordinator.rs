mod ahead;
mod reliability;
mod rounds;

use super::Options;
use super::cache::{Cache, Kind, Known};
use super::configurations::Configurations;
use super::control::Left;
use super::doubt::Doubt;
use super::event::Event;
use super::outcome::{Ended, Outcome, PassStatistics, ReduceError, Statistics};
use super::schedule::{Patience, Report, Schedule, Turn};
use super::scout::Scouts;
use super::screen::Screen;
use super::settled::{Proposed, Settled};
use super::speculate::{Likely, Odds, Prints};
use super::workers::{News, PULSE, Workers};
use crate::edit::{Applied, Edit, Fingerprint, fingerprint};
use crate::input::Input;
use crate::pass::{Context, Pass};
use crate::plan::Plan;
use crate::protect;
use crate::work::{Lists, Machine};
use nubbin_verdict::{Fault, Unresolved, Verdict};
use reliability::Reliability;
use rounds::Rounds;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

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
    rounds: Rounds,
    /// Tier, pass and file for which a complete run found nothing, and in what: need not run again.
    barren: FxHashMap<(usize, usize, usize), Barren>,
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

/// Where the logical path stands while a verdict is awaited.
struct Moment<'m> {
    machine: &'m dyn Machine,
    /// What is tested, as an edit of the base.
    edit: &'m Edit,
    applied: &'m Applied,
    way: Way,
}

/// How the machine at work has done so far, and how it is to be served.
#[derive(Clone, Copy)]
struct Way {
    odds: Odds,
    /// The verdict before.
    last: bool,
    /// Everything is tried, whatever failed before.
    thorough: bool,
}

/// What a run that found nothing has looked at.
#[derive(Clone, Copy)]
struct Barren {
    base: Fingerprint,
    /// Of the file itself.
    text: Fingerprint,
}

/// How a pass has fared lately, on one file or on several one after the other.
struct Spell {
    failures: u32,
    window: Window,
}

/// What a pass has saved lately.
struct Window {
    tests: u64,
    /// Size of the input at its beginning.
    bytes: usize,
}

impl Window {
    /// Counts a test; at the end of the window says whether a share was saved in it.
    fn close(&mut self, tests: u64, share: u64, now: usize) -> Option<Yield> {
        self.tests += 1;
        if self.tests < tests {
            return None;
        }
        let saved = self.bytes.saturating_sub(now) as u64;
        let poor = saved.saturating_mul(share) < self.bytes as u64;
        let rich = saved.saturating_mul(RICH_SHARE) >= self.bytes as u64;
        *self = Window {
            tests: 0,
            bytes: now,
        };
        Some(match (poor, rich) {
            (_, true) => Yield::Rich,
            (true, false) => Yield::Poor,
            (false, false) => Yield::Good,
        })
    }
}

/// A pass that saves this share of the text in a window is not interrupted.
const RICH_SHARE: u64 = 4;

/// What was saved in a window.
enum Yield {
    Poor,
    Good,
    /// So much that nothing else is likely to save more.
    Rich,
}

/// How the run of a pass ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The pass had nothing more to propose.
    Own,
    /// It saved too little, or somebody outside wanted it to end.
    Patience,
    /// Its turn was over.
    Turn,
}

/// What came of one proposal.
enum Step {
    /// Not worth a test.
    Void,
    Tested(bool),
    /// Somebody outside wants the pass to end.
    Left,
}

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
            rounds: Rounds::default(),
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
            let ended = self.follow_in_rounds().err().unwrap_or(Ended::Complete);
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
        // What an earlier round went back from is dealt with by beginning anew.
        self.took_back();
        let mut schedule = new_schedule();
        while let Some(turn) = schedule.next() {
            let tier = &plan.tiers[turn.tier];
            let pass = tier.passes[turn.pass].as_ref();
            let mut report = Report::default();
            self.options.control.begin_turn();
            let again = turn.last && !self.plan.thorough && !pass.tries_everything();
            let left_out = again || self.gives_way(pass.id());
            let files = if left_out {
                vec![]
            } else {
                self.files_for(pass, &turn)
            };
            let mut spell = Spell {
                failures: 0,
                window: Window {
                    tests: 0,
                    bytes: self.base.size(),
                },
            };
            for file in files {
                if self.failed.contains(&pass.id()) {
                    break;
                }
                let key = (turn.tier, turn.pass, file);
                let seen = Barren {
                    base: self.base_print,
                    text: self.text_print(pass, file),
                };
                let known = self.barren.get(&key);
                if known.is_some_and(|known| {
                    known.base == seen.base || turn.again && known.text == seen.text
                }) {
                    continue;
                }
                let ran = self.run_pass(pass, tier.name, file, turn, &mut spell)?;
                if ran.complete && !ran.progress && !ran.skipped {
                    self.barren.insert(key, seen);
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

    /// The biggest file first: that is where most is to be had. Files in which the pass has found
    /// nothing, and which are as they were, come last.
    fn files_for(&self, pass: &dyn Pass, turn: &Turn) -> Vec<usize> {
        if pass.whole_input() {
            return self
                .base
                .present()
                .next()
                .map(|file| file.number)
                .into_iter()
                .collect();
        }
        let mut files: Vec<_> = self
            .base
            .present()
            .map(|f| {
                let known = self.barren.get(&(turn.tier, turn.pass, f.number));
                let settled = known.is_some_and(|known| known.text == fingerprint(f.text));
                (settled, Reverse(f.text.len()), f.number)
            })
            .collect();
        files.sort_unstable();
        files.into_iter().map(|(_, _, number)| number).collect()
    }

    /// What tells whether a file has changed, for a pass.
    fn text_print(&self, pass: &dyn Pass, file: usize) -> Fingerprint {
        match self.base.file(file) {
            Some(file) if !pass.whole_input() && self.base.file_count() > 1 => {
                fingerprint(file.text)
            }
            _ => self.base_print,
        }
    }

    fn run_pass(
        &mut self,
        pass: &dyn Pass,
        tier: &'static str,
        file: usize,
        turn: Turn,
        spell: &mut Spell,
    ) -> Result<Report, Ended> {
        let nothing = Report::default();
        if self.base.size() > LARGE {
            // Opening a pass needs room for its tables.
            self.spare.clear();
        }
        let opened_on = self.base.clone();
        let Some(at) = opened_on.file(file) else {
            return Ok(nothing);
        };
        let lists = Lists {
            algorithm: self.plan.algorithm.clone(),
            insist: self.plan.insist,
            seed: self.options.seed,
        };
        let context = Context {
            input: &opened_on,
            lists: &lists,
        };
        let opened = catch_unwind(AssertUnwindSafe(|| {
            let work = pass.open(&at, &context)?;
            Some(protect::guard(&opened_on, work.start(&lists)))
        }));
        let machine = match opened {
            Ok(Some(machine)) => machine,
            Ok(None) => return Ok(nothing),
            Err(panic) => {
                self.give_up(pass.id(), &*panic);
                return Ok(nothing);
            }
        };
        drop(opened_on);
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

    /// Drives a machine to its end, or until patience is at its end.
    fn drive(
        &mut self,
        pass: &'static str,
        mut machine: Box<dyn Machine>,
        turn: Turn,
        spell: &mut Spell,
        adopted: &mut u64,
    ) -> Result<End, Ended> {
        if let Some(configurations) = &mut self.configurations {
            configurations.begin();
        }
        let mut applied = Applied::default();
        let mut doubt = Doubt::default();
        let mut odds = Odds::default();
        let mut last = false;
        loop {
            // A pass with a bug must not take the run with it.
            let step = catch_unwind(AssertUnwindSafe(|| {
                let way = Way {
                    odds,
                    last,
                    thorough: turn.thorough,
                };
                self.step(pass, machine.as_mut(), &mut applied, &mut doubt, way)
            }));
            match step {
                Ok(Ok(None)) => return Ok(End::Own),
                Ok(Ok(Some(Step::Void))) => {
                    self.statistics.skipped += 1;
                    doubt.record(false);
                }
                Ok(Ok(Some(Step::Left))) => return Ok(End::Patience),
                Ok(Ok(Some(Step::Tested(success)))) => {
                    odds.record(last, success);
                    doubt.record(success);
                    last = success;
                    *adopted += u64::from(success);
                    spell.failures = if success { 0 } else { spell.failures + 1 };
                    let end = match turn.patience {
                        Patience::Endless => None,
                        Patience::Failures(most) => {
                            (spell.failures >= most).then_some(End::Patience)
                        }
                        Patience::Yield {
                            tests,
                            share,
                            doubt: least,
                            failures,
                            turn,
                        } => {
                            let now = self.base.size();
                            let is_little = |bytes: u64| bytes * least < now as u64;
                            let is_decided = least > 0 && doubt.bytes().is_some_and(is_little);
                            match spell.window.close(tests, share, now) {
                                Some(Yield::Poor) => Some(End::Patience),
                                _ if is_decided || spell.failures >= failures => {
                                    Some(End::Patience)
                                }
                                Some(Yield::Good) if turn => Some(End::Turn),
                                _ => None,
                            }
                        }
                    };
                    if let Some(end) = end {
                        return Ok(end);
                    }
                }
                Ok(Err(ended)) => return Err(ended),
                Err(panic) => {
                    self.give_up(pass, &*panic);
                    return Ok(End::Own);
                }
            }
        }
    }

    /// One proposal from machine to verdict; `None` when the machine has ended.
    fn step(
        &mut self,
        pass: &'static str,
        machine: &mut dyn Machine,
        applied: &mut Applied,
        doubt: &mut Doubt,
        way: Way,
    ) -> Result<Option<Step>, Ended> {
        // Here, where no verdict is in hand: one that has been given is never thrown away.
        self.check_time()?;
        if self.must_leave(pass)? {
            return Ok(Some(Step::Left));
        }
        self.check_size()?;
        if self.look_at_base()? {
            return Ok(Some(Step::Left));
        }
        let Some(proposal) = machine.next() else {
            return Ok(None);
        };
        if let Some(taken) = machine.taken() {
            doubt.ask(taken);
        }
        let known_by = machine.known_by();
        let edit = match known_by {
            Some(_) => Ok(proposal.of_all(self.base.bytes().len())),
            None => applied.rebase(&proposal),
        };
        let edit = match edit {
            Ok(edit) if !edit.is_none() => edit,
            _ => {
                machine.record(false);
                return Ok(Some(Step::Void));
            }
        };
        if !way.thorough && known_by.is_none() {
            let rebase = |edit: &Edit| applied.rebase(edit).ok();
            let proposed = machine.taken().map(|taken| Proposed {
                taken,
                rebase: &rebase,
            });
            if self.settled.knows(self.base.bytes(), &edit, proposed) {
                self.statistics.settled += 1;
                machine.record(false);
                return Ok(Some(Step::Void));
            }
        }
        self.statistics.proposals += 1;
        if let Some(configurations) = &mut self.configurations {
            let is_new = configurations.is_new(applied, &proposal);
            self.statistics.configurations += u64::from(is_new);
        }
        let buffer = self.spare.pop().unwrap_or_default();
        let (candidate, print) = self.base.apply_in(&edit, buffer);
        if print == self.base_print || !self.is_below_base(&candidate) {
            self.recycle(candidate);
            machine.record(false);
            return Ok(Some(Step::Void));
        }
        let content = print;
        // Before the cache: a verdict from ahead of the path must not decide.
        if known_by.is_none() && self.is_malformed(&candidate, content) {
            self.statistics.malformed += 1;
            self.recycle(candidate);
            machine.record(false);
            return Ok(Some(Step::Void));
        }
        let print = known_by.unwrap_or(content);
        let fails = match self.cache.ask(print) {
            Some(Known::Before(kind)) => {
                self.statistics.cache_hits += 1;
                kind.is_fail()
            }
            Some(Known::Ahead(kind)) => {
                self.check_tests()?;
                self.counted(pass, kind, &candidate);
                kind.is_fail()
            }
            None => {
                self.check_tests()?;
                let moment = Moment {
                    machine,
                    edit: &edit,
                    applied,
                    way,
                };
                let Some(kind) = self.judge(pass, &candidate, print, &moment)? else {
                    self.recycle(candidate);
                    return Ok(Some(Step::Left));
                };
                self.cache.keep(print, kind);
                self.cache.ask(print);
                self.counted(pass, kind, &candidate);
                kind.is_fail()
            }
        };
        if known_by.is_none() {
            let base = (&self.base, self.base_print);
            self.screen.learn(base, (&candidate, content), fails);
        }
        if self.workers.count() > 1
            && let Some(taken) = machine.taken()
        {
            self.scouts.record(taken.units, fails);
        }
        if !fails {
            if known_by.is_none() {
                self.settled.failed(self.base.bytes(), &edit);
            }
            self.recycle(candidate);
            machine.record(false);
            return Ok(Some(Step::Tested(false)));
        }
        if known_by.is_none() {
            self.settled.adopted(self.base.bytes(), &edit);
            // Cannot conflict: the edit has just been rebased.
            if let Err(conflict) = applied.apply(&proposal) {
                return Err(Ended::Fault(Fault::new(conflict)));
            }
        }
        self.adopt(pass, &edit, candidate, content);
        machine.record(true);
        Ok(Some(Step::Tested(true)))
    }

    /// The verdict on what the logical path asks now; `None` where the pass is to end. While it is
    /// awaited, further workers judge what the path is likely to ask next.
    fn judge(
        &mut self,
        pass: &'static str,
        candidate: &Input,
        print: Fingerprint,
        moment: &Moment<'_>,
    ) -> Result<Option<Kind>, Ended> {
        if let Some(verdict) = self.workers.judge_inline(candidate) {
            self.statistics.started += 1;
            let verdict = verdict.map_err(Ended::Fault)?;
            let kind = Kind::of(&verdict).ok_or(Ended::Stopped)?;
            self.emit(&Event::Judged {
                print,
                verdict: kind,
            });
            return Ok(Some(kind));
        }
        // What is asked for starts before anything else is thought about.
        if self.workers.has_free() {
            self.start(print, candidate.clone());
        }
        let mut pending = self.look_ahead(print, moment).into_iter().peekable();
        let mut learnt = false;
        loop {
            if let Some(kind) = self.cache.peek(print) {
                pending
                    .filter_map(|likely| likely.input)
                    .for_each(|input| self.recycle(input));
                return Ok(Some(kind));
            }
            // Where tests take their time, it pays to think again after each.
            if std::mem::take(&mut learnt) && !self.workers.queue() {
                pending
                    .filter_map(|likely| likely.input)
                    .for_each(|input| self.recycle(input));
                pending = self.look_ahead(print, moment).into_iter().peekable();
            }
            if self.workers.has_free() {
                self.start(print, candidate.clone());
            }
            while let Some(next) = pending.next_if(|_| self.workers.has_room()) {
                let Likely {
                    print, edit, input, ..
                } = next;
                if !self.workers.has(print) {
                    let input = input.unwrap_or_else(|| self.base.apply(&edit).0);
                    self.start(print, input);
                }
            }
            learnt = self.collect().map_err(Ended::Fault)?;
            self.check_time()?;
            if self.must_leave(pass)? {
                return Ok(None);
            }
        }
    }

    /// Starts a test, if no worker has it already and one has room.
    fn start(&mut self, print: Fingerprint, input: Input) {
        if self.workers.has(print) {
            return;
        }
        if let Err(input) = self.workers.start(print, input) {
            self.recycle(input);
        }
        self.tell_news();
    }

    /// Takes what the workers have finished into the cache; waits for a moment if there is nothing.
    /// Says whether there was a verdict.
    fn collect(&mut self) -> Result<bool, Fault> {
        if let Some(done) = self.workers.wait() {
            self.tell_news();
            let verdict = done.verdict;
            self.recycle(done.input);
            self.statistics.started += u64::from(done.begun);
            let kind = Kind::of(&verdict?);
            self.scouts.returned(done.print, kind.map(Kind::is_fail));
            if let Some(kind) = kind {
                self.cache.keep(done.print, kind);
                self.emit(&Event::Judged {
                    print: done.print,
                    verdict: kind,
                });
                return Ok(true);
            }
        }
        Ok(false)
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
        let old = std::mem::replace(&mut self.base, candidate);
        let old_size = old.size();
        self.recycle(old);
        let Some((bytes_before, whole)) = self.surpasses(old_size) else {
            return;
        };
        let edit = whole.as_ref().unwrap_or(edit);
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
