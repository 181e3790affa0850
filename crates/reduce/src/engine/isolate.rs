//! Drives [`Dd`] to its end: the one logical path of isolating, from configuration to verdict.
//!
//! As in a reduction, further workers judge what that path may ask for next, and their verdicts go
//! to the cache; so the result and the counts are the same for any number of workers.

mod ahead;

use super::cache::{Cache, Kind, Known};
use super::outcome::Ended;
use super::workers::Workers;
use crate::edit::Fingerprint;
use crate::input::Input;
use crate::isolate::{
    Answer, Atom, ChangeSet, Dd, Difference, Event, IsolateError, Isolated, Level, Options,
    Statistics,
};
use ahead::Odds;
use nubbin_verdict::{Fault, Oracle, Verdict};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Above this many bytes nothing is tested ahead of time: each candidate is as large as the input.
const LARGE: usize = 64 << 20;

/// Isolates between two inputs that are not equal, by these atoms one after the other.
pub(crate) fn isolate(
    passing: Input,
    failing: Input,
    atoms: &[Atom],
    oracle: &dyn Oracle,
    options: Options<'_>,
) -> Result<Isolated, IsolateError> {
    match options.jobs {
        None => {
            let mut workers = Workers::inline(oracle, options.stop.clone());
            Coordinator::new(passing, failing, options, &mut workers).run(atoms)
        }
        Some(jobs) => std::thread::scope(|scope| {
            let mut workers = Workers::threads(scope, oracle, jobs);
            Coordinator::new(passing, failing, options, &mut workers).run(atoms)
        }),
    }
}

struct Coordinator<'a, 'r, 'w> {
    options: Options<'a>,
    workers: &'r mut Workers<'w>,
    /// The closest two so far.
    passing: Input,
    failing: Input,
    cache: Cache,
    statistics: Statistics,
    odds: Odds,
    started: Duration,
}

/// Two texts as they were when they were compared, and what they differed in.
struct Compared {
    base: Input,
    difference: Difference,
    /// What configurations look like, so that a future that is looked at again need not be
    /// rendered again.
    prints: FxHashMap<ChangeSet, Fingerprint>,
}

impl Compared {
    fn new(base: Input, difference: Difference) -> Self {
        Compared {
            base,
            difference,
            prints: FxHashMap::default(),
        }
    }

    fn candidate(&self, changes: &ChangeSet) -> (Input, Fingerprint) {
        self.base.apply(&self.difference.edit(changes))
    }
}

impl<'a, 'r, 'w> Coordinator<'a, 'r, 'w> {
    fn new(
        passing: Input,
        failing: Input,
        options: Options<'a>,
        workers: &'r mut Workers<'w>,
    ) -> Self {
        Coordinator {
            started: (options.clock)(),
            options,
            workers,
            passing,
            failing,
            cache: Cache::default(),
            statistics: Statistics::default(),
            odds: Odds::default(),
        }
    }

    fn run(mut self, atoms: &[Atom]) -> Result<Isolated, IsolateError> {
        let (passing, failing) = (self.passing.clone(), self.failing.clone());
        let verdicts = self.judge_both().map_err(IsolateError::Fault)?;
        match verdicts.ok_or(IsolateError::Stopped)? {
            [Verdict::Pass, Verdict::Fail] => {}
            [passing, failing] => return Err(IsolateError::NotApart { passing, failing }),
        }
        self.keep(passing.fingerprint(), Kind::Pass);
        self.keep(failing.fingerprint(), Kind::Fail);
        self.emit(&Event::Started {
            passing: &passing,
            failing: &failing,
        });

        let first = atoms.first().copied().unwrap_or(Atom::Line);
        let difference = Difference::between(passing.bytes(), failing.bytes(), first);
        let mut compared = Compared::new(passing, difference);
        let mut ended = Ended::Complete;
        for level in 0..atoms.len().max(1) {
            let mut dd = Dd::new(compared.difference.len(), self.options.order);
            if let Err(why) = self.narrow(&mut compared, &mut dd) {
                ended = why;
            }
            // What is left, by the next atom, or else by the same.
            let over = !matches!(ended, Ended::Complete);
            let atom = atoms.get(level + 1).copied().filter(|_| !over);
            let finer = compared.difference.refine(
                compared.base.bytes(),
                dd.passing(),
                dd.left(),
                atom.unwrap_or(compared.difference.atom()),
            );
            compared = Compared::new(self.passing.clone(), finer);
            if atom.is_none() {
                break;
            }
        }
        self.call_off();
        let verified = self.verify(&mut ended);
        self.emit(&Event::Ended { ended: &ended });
        Ok(Isolated {
            passing: self.passing,
            failing: self.failing,
            difference: compared.difference,
            ended,
            verified,
            statistics: self.statistics,
        })
    }

    /// Follows the algorithm to its end by one kind of atom.
    fn narrow(&mut self, compared: &mut Compared, dd: &mut Dd) -> Result<(), Ended> {
        let atom = compared.difference.atom();
        let changes = compared.difference.len();
        self.statistics.levels.push(Level {
            atom,
            changes,
            left: changes,
            tests: 0,
        });
        self.emit(&Event::LevelStarted { atom, changes });
        loop {
            self.check_time()?;
            let Some(set) = dd.next() else {
                return Ok(());
            };
            let (candidate, print) = compared.candidate(&set);
            let tests_before = self.statistics.tests;
            let kind = match self.cache.ask(print) {
                Some(Known::Before(kind)) => {
                    self.statistics.cache_hits += 1;
                    kind
                }
                Some(Known::Ahead(kind)) => {
                    self.check_tests()?;
                    self.counted(kind, &candidate);
                    kind
                }
                None => {
                    self.check_tests()?;
                    let kind = self.judge(&candidate, print, compared, dd)?;
                    self.keep(print, kind);
                    self.counted(kind, &candidate);
                    kind
                }
            };
            let answer = answer(kind);
            self.odds.record(answer);
            let before = (dd.passing().clone(), dd.failing().clone());
            dd.record(answer);
            if let Some(level) = self.statistics.levels.last_mut() {
                level.left = dd.left().len();
                level.tests += self.statistics.tests - tests_before;
            }
            // Not always what was just tested: an answer may decide about one that came earlier.
            if *dd.passing() != before.0 {
                self.passing = compared.candidate(dd.passing()).0;
                self.narrowed(Side::Passing, dd.left().len());
            }
            if *dd.failing() != before.1 {
                self.failing = compared.candidate(dd.failing()).0;
                self.narrowed(Side::Failing, dd.left().len());
            }
        }
    }

    fn narrowed(&mut self, side: Side, left: u32) {
        let (passing, failing) = (self.passing.clone(), self.failing.clone());
        self.emit(&Event::Narrowed {
            passing: matches!(side, Side::Passing).then_some(&passing),
            failing: matches!(side, Side::Failing).then_some(&failing),
            left,
        });
    }

    /// The verdict on what the path asks now; meanwhile, what it is likely to ask next is judged.
    fn judge(
        &mut self,
        candidate: &Input,
        print: Fingerprint,
        compared: &mut Compared,
        dd: &Dd,
    ) -> Result<Kind, Ended> {
        if let Some(verdict) = self.workers.judge_inline(candidate) {
            self.statistics.started += 1;
            return Kind::of(&verdict.map_err(Ended::Fault)?).ok_or(Ended::Stopped);
        }
        // What is asked for starts before anything else is thought about.
        self.start(candidate, print);
        let others = self.workers.count() - 1;
        let likely = if others == 0 || candidate.size() > LARGE {
            vec![]
        } else {
            ahead::likely(dd, print, self.odds, compared, &self.cache, 2 * others + 1)
        };
        let wanted = |running| likely.iter().any(|next| next.print == running);
        self.workers
            .cancel_except(|running| running == print || wanted(running));
        self.workers.make_way(print);
        let mut pending = likely.iter().peekable();
        loop {
            if let Some(kind) = self.cache.peek(print) {
                return Ok(kind);
            }
            self.start(candidate, print);
            while let Some(next) = pending.next_if(|_| self.workers.has_room()) {
                if !self.workers.has(next.print) {
                    let (input, _) = compared.candidate(&next.set);
                    let _ = self.workers.start(next.print, input);
                }
            }
            self.collect().map_err(Ended::Fault)?;
            self.check_time()?;
        }
    }

    /// Starts what is asked for, if no worker has it already and one is free.
    fn start(&mut self, candidate: &Input, print: Fingerprint) {
        if self.workers.has_free() && !self.workers.has(print) {
            // Handed back where there was no room after all: it is tried again.
            let _ = self.workers.start(print, candidate.clone());
        }
    }

    /// Takes what the workers have finished into the cache; waits for a moment if there is nothing.
    fn collect(&mut self) -> Result<(), Fault> {
        if let Some(done) = self.workers.wait() {
            self.statistics.started += u64::from(done.begun);
            if let Some(kind) = Kind::of(&done.verdict?) {
                self.cache.keep(done.print, kind);
            }
        }
        Ok(())
    }

    /// Calls off what runs, and waits for it to end.
    fn call_off(&mut self) {
        self.workers.cancel_except(|_| false);
        while self.workers.any_running() {
            // The search is over: what these tests say, even that they broke, changes nothing.
            let _ = self.collect();
        }
    }

    /// What the test says of both sides, past the cache; `None` when it was stopped.
    fn judge_both(&mut self) -> Result<Option<[Verdict; 2]>, Fault> {
        let (passing, failing) = (self.passing.clone(), self.failing.clone());
        let verdicts = match self.workers.judge_inline(&failing) {
            Some(verdict) => {
                self.statistics.started += 2;
                let failing = verdict?;
                let passing = self.workers.judge_inline(&passing);
                passing.transpose()?.map(|passing| [passing, failing])
            }
            None => self.judge_beside(&passing, &failing)?,
        };
        let Some([pass, fail]) = verdicts else {
            return Ok(None);
        };
        let (Some(of_passing), Some(of_failing)) = (Kind::of(&pass), Kind::of(&fail)) else {
            return Ok(None);
        };
        self.counted(of_failing, &failing);
        self.counted(of_passing, &passing);
        Ok(Some([pass, fail]))
    }

    /// Both at the same time, where there are two workers.
    fn judge_beside(
        &mut self,
        passing: &Input,
        failing: &Input,
    ) -> Result<Option<[Verdict; 2]>, Fault> {
        let print = failing.fingerprint();
        for input in [failing, passing] {
            let started = self.workers.start(input.fingerprint(), input.clone());
            if started.is_err() {
                return Err(Fault::new("no worker is free"));
            }
        }
        let (mut pass, mut fail) = (None, None);
        while pass.is_none() || fail.is_none() {
            if self.options.stop.is_requested() {
                self.workers.cancel_except(|_| false);
            }
            let Some(done) = self.workers.wait() else {
                continue;
            };
            self.statistics.started += u64::from(done.begun);
            let verdict = done.verdict.inspect_err(|_| {
                // Nobody waits for the other any more.
                self.workers.cancel_except(|_| false);
            })?;
            if done.print == print {
                fail = Some(verdict);
            } else {
                pass = Some(verdict);
            }
        }
        Ok(pass.zip(fail).map(|(pass, fail)| [pass, fail]))
    }

    fn verify(&mut self, ended: &mut Ended) -> Option<[Verdict; 2]> {
        if !self.options.verify || matches!(ended, Ended::Stopped | Ended::Fault(_)) {
            return None;
        }
        match self.judge_both() {
            Ok(Some(verdicts)) => Some(verdicts),
            Ok(None) => {
                *ended = Ended::Stopped;
                None
            }
            Err(fault) => {
                *ended = Ended::Fault(fault);
                None
            }
        }
    }

    /// Keeps a verdict that the path has asked for.
    fn keep(&mut self, print: Fingerprint, kind: Kind) {
        self.cache.keep(print, kind);
        self.cache.ask(print);
    }

    fn counted(&mut self, kind: Kind, candidate: &Input) {
        let statistics = &mut self.statistics;
        statistics.tests += 1;
        match kind {
            Kind::Fail => statistics.failing += 1,
            Kind::Pass => statistics.passing += 1,
            Kind::Unresolved => statistics.unresolved += 1,
            Kind::TimedOut => {
                statistics.unresolved += 1;
                statistics.timed_out += 1;
            }
        }
        self.emit(&Event::Tested {
            verdict: kind.word(),
            bytes: candidate.size(),
        });
    }

    fn check_tests(&self) -> Result<(), Ended> {
        match self.options.max_tests {
            Some(max) if self.statistics.tests >= max => Err(Ended::MaxTests),
            _ => Ok(()),
        }
    }

    fn check_time(&self) -> Result<(), Ended> {
        if self.options.stop.is_requested() {
            return Err(Ended::Stopped);
        }
        let elapsed = (self.options.clock)() - self.started;
        if self.options.max_time.is_some_and(|max| elapsed >= max) {
            return Err(Ended::MaxTime);
        }
        Ok(())
    }

    fn emit(&mut self, event: &Event<'_>) {
        self.statistics.elapsed = (self.options.clock)() - self.started;
        if let Some(observer) = &mut self.options.observer {
            observer(event, &self.statistics);
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Side {
    Passing,
    Failing,
}

fn answer(kind: Kind) -> Answer {
    match kind {
        Kind::Fail => Answer::Fail,
        Kind::Pass => Answer::Pass,
        Kind::Unresolved | Kind::TimedOut => Answer::Unresolved,
    }
}
