//! The logical path: a machine, from proposal to verdict, until it has nothing more to propose or has
//! been served for long enough.

use super::Coordinator;
use crate::edit::{Applied, Edit, Fingerprint};
use crate::engine::cache::{Kind, Known};
use crate::engine::doubt::Doubt;
use crate::engine::event::Event;
use crate::engine::outcome::Ended;
use crate::engine::schedule::{Patience, Turn};
use crate::engine::settled::Proposed;
use crate::engine::speculate::Odds;
use crate::input::Input;
use crate::work::Machine;
use nubbin_verdict::Fault;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the logical path waits for.
pub(super) struct Awaited<'m> {
    pub(super) candidate: &'m Input,
    pub(super) print: Fingerprint,
    /// As an edit of the base.
    pub(super) edit: &'m Edit,
    pub(super) way: Way,
}

/// How the machine at work has done so far, and how it is to be served.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub(super) odds: Odds,
    /// The verdict before.
    pub(super) last: bool,
    /// Everything is tried, whatever failed before.
    pub(super) thorough: bool,
    /// Failures in a row after which the pass ends.
    pub(super) patience: u32,
}

/// How a pass has fared lately, on one file or on several one after the other.
pub(super) struct Spell {
    failures: u32,
    window: Window,
}

impl Spell {
    /// Begins with an input of so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Spell {
            failures: 0,
            window: Window { tests: 0, bytes },
        }
    }

    /// Failures in a row from now on after which a pass ends, if it has not come to its end before.
    pub(super) fn failures_left(&self, turn: &Turn, base: &Input) -> u32 {
        match turn.patience {
            Patience::Endless => u32::MAX,
            Patience::Failures(most) => most.saturating_sub(self.failures),
            Patience::Yield {
                tests,
                share,
                failures,
                turn,
                ..
            } => {
                let in_a_row = failures.saturating_sub(self.failures);
                let saved = self.window.bytes.saturating_sub(base.size()) as u64;
                let poor = saved.saturating_mul(share) < self.window.bytes as u64;
                let of_window = tests.saturating_sub(self.window.tests);
                match poor || turn {
                    true => in_a_row.min(u32::try_from(of_window).unwrap_or(u32::MAX)),
                    false => in_a_row,
                }
            }
        }
    }
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
pub(super) enum End {
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

impl Coordinator<'_, '_, '_> {
    /// Drives a machine to its end, or until patience is at its end.
    pub(super) fn drive(
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
        let mut last = false;
        loop {
            // A pass with a bug must not take the run with it.
            let step = catch_unwind(AssertUnwindSafe(|| {
                let way = Way {
                    odds: *self.odds.entry(pass).or_default(),
                    last,
                    thorough: turn.thorough,
                    patience: spell.failures_left(&turn, &self.base),
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
                    self.odds.entry(pass).or_default().record(last, success);
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
        self.ask(pass, machine, applied, &proposal, way).map(Some)
    }

    /// One proposal, as an edit of the present base.
    fn ask(
        &mut self,
        pass: &'static str,
        machine: &mut dyn Machine,
        applied: &mut Applied,
        proposal: &Edit,
        way: Way,
    ) -> Result<Step, Ended> {
        let known_by = machine.known_by();
        let edit = match known_by {
            Some(_) => Ok(proposal.of_all(self.base.bytes().len())),
            None => applied.rebase(proposal),
        };
        let edit = match edit {
            Ok(edit) if !edit.is_none() => edit,
            _ => {
                machine.record(false);
                return Ok(Step::Void);
            }
        };
        let is_tried = known_by.is_some() || way.thorough;
        if !is_tried && self.is_settled(machine, applied, &edit) {
            self.statistics.settled += 1;
            machine.record(false);
            return Ok(Step::Void);
        }
        self.statistics.proposals += 1;
        if let Some(configurations) = &mut self.configurations {
            let is_new = configurations.is_new(applied, proposal);
            self.statistics.configurations += u64::from(is_new);
        }
        let buffer = self.spare.pop().unwrap_or_default();
        let (candidate, print) = self.base.apply_in(&edit, buffer);
        if print == self.base_print || !self.is_below_base(&candidate) {
            self.recycle(candidate);
            machine.record(false);
            return Ok(Step::Void);
        }
        let content = print;
        // Before the cache: a verdict from ahead of the path must not decide.
        if known_by.is_none() && self.is_malformed(&candidate, content) {
            self.statistics.malformed += 1;
            self.recycle(candidate);
            machine.record(false);
            return Ok(Step::Void);
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
                let awaited = Awaited {
                    candidate: &candidate,
                    print,
                    edit: &edit,
                    way,
                };
                let Some(kind) = self.judge(pass, machine, applied, &awaited)? else {
                    self.recycle(candidate);
                    return Ok(Step::Left);
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
            return Ok(Step::Tested(false));
        }
        if known_by.is_none() {
            self.settled.adopted(self.base.bytes(), &edit);
            // Cannot conflict: the edit has just been rebased.
            if let Err(conflict) = applied.apply(proposal) {
                return Err(Ended::Fault(Fault::new(conflict)));
            }
        }
        self.adopt(pass, &edit, candidate, content);
        machine.record(true);
        Ok(Step::Tested(true))
    }

    /// Whether an edit of the base is not tried again yet.
    fn is_settled(&self, machine: &dyn Machine, applied: &Applied, edit: &Edit) -> bool {
        let rebase = |edit: &Edit| applied.rebase(edit).ok();
        let proposed = machine.taken().map(|taken| Proposed {
            taken,
            rebase: &rebase,
        });
        self.settled.knows(self.base.bytes(), edit, proposed)
    }

    /// The verdict on what the logical path asks now; `None` where somebody outside wants the pass to end.
    /// While it is awaited, further workers judge what the path is likely to ask next.
    fn judge(
        &mut self,
        pass: &'static str,
        machine: &dyn Machine,
        applied: &Applied,
        awaited: &Awaited<'_>,
    ) -> Result<Option<Kind>, Ended> {
        let &Awaited {
            candidate, print, ..
        } = awaited;
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
        let mut pending = self
            .look_ahead(machine, applied, awaited)
            .into_iter()
            .peekable();
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
                pending = self
                    .look_ahead(machine, applied, awaited)
                    .into_iter()
                    .peekable();
            }
            if self.workers.has_free() {
                self.start(print, candidate.clone());
            }
            while let Some(next) = pending.next_if(|_| self.workers.has_room()) {
                self.start_likely(next);
            }
            learnt = self.collect().map_err(Ended::Fault)?;
            self.check_time()?;
            if self.must_leave(pass)? {
                return Ok(None);
            }
        }
    }
}
