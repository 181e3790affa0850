//! Which tests the sequential path is likely to ask for next.
//!
//! A machine that waits for a verdict has two futures. Forked and told either verdict, it proposes
//! its next test, and so on: a tree of futures that is never built, walked along its most probable
//! paths only. Other workers run the tests met on the way, in that order.
//!
//! Their verdicts are facts about candidates, so they go to the cache like any other. They adopt
//! nothing: a success that the sequential path does not get to would skip units that the path to it
//! assumed to fail, which costs more tests later than it saves now.
//!
//! Source: the bisection tree of halfempty (Ormandy, 2018), with measured rates in place of the
//! assumption that every test fails.

use super::super::cache::Cache;
use super::super::futures::{Future, Futures};
use super::super::success_rate::SuccessRate;
use super::super::triage::{Fingerprints, Proposal, Triage};
use super::list_probe::ListProbes;
use crate::edit::{Applied, Edit, Fingerprint};
use crate::input::Input;
use crate::work::Machine;
use std::collections::VecDeque;

/// How often a pass succeeds, after a success and after a failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct PassRates {
    after_success: SuccessRate,
    after_failure: SuccessRate,
}

impl Default for PassRates {
    fn default() -> Self {
        let rate = |rate| SuccessRate::new(rate, 0.9, 0.03..=0.97);
        PassRates {
            after_success: rate(0.5),
            after_failure: rate(0.15),
        }
    }
}

impl PassRates {
    pub(super) fn record(&mut self, last: bool, now: bool) {
        match last {
            true => self.after_success.record(now),
            false => self.after_failure.record(now),
        }
    }

    fn success(&self, last: bool) -> f64 {
        match last {
            true => self.after_success.rate(),
            false => self.after_failure.rate(),
        }
    }
}

/// A test that may be asked for.
pub(in crate::engine) struct Likely {
    pub(in crate::engine) print: Fingerprint,
    /// How likely the sequential path is to ask for it.
    pub(in crate::engine) probability: f64,
    /// The text it is an edit of: the base, or one of the lines.
    pub(in crate::engine) of: Fingerprint,
    /// The candidate, as an edit of that.
    pub(in crate::engine) edit: Edit,
    /// The candidate, where it was rendered on the way.
    pub(in crate::engine) input: Option<Input>,
}

/// The present, from which the futures start: a test whose verdict is awaited.
pub(super) struct Present<'a> {
    /// The machine that asked for the test, the verdict not yet recorded.
    pub(super) machine: &'a dyn Machine,
    /// The candidate, as an edit of the base.
    pub(super) edit: &'a Edit,
    pub(super) print: Fingerprint,
    /// The verdict before.
    pub(super) last: bool,
    pub(super) rates: PassRates,
    /// Failures in a row after which the pass ends.
    pub(super) failures_left: u32,
    /// From the input the machine was opened on to the base.
    pub(super) applied: &'a Applied,
    pub(super) cache: &'a Cache,
    pub(super) probes: &'a ListProbes,
    /// Whether known failures are tried again.
    pub(super) thorough: bool,
    /// The passes to come. The pass at work is stage 0 of the line on the base.
    pub(super) lines: &'a [Line<'a>],
    /// The number of that line.
    pub(super) line: usize,
    /// Finds the line that continues a stage of another line from a text.
    pub(super) turn_off: &'a dyn Fn(usize, usize, Fingerprint) -> Option<usize>,
}

/// The passes that follow on a text as long as none of them succeeds.
pub(super) struct Line<'a> {
    pub(super) text: &'a Input,
    /// From 1 on.
    pub(super) stages: Option<&'a VecDeque<Stage>>,
    /// Whether more passes follow the last of them.
    pub(super) is_open: bool,
}

impl Line<'_> {
    fn stage(&self, number: usize) -> Option<&Stage> {
        self.stages?.get(number.checked_sub(1)?)
    }
}

/// A pass to come, opened.
pub(super) struct Stage {
    pub(super) machine: Box<dyn Machine>,
    /// How often its pass has succeeded so far.
    pub(super) rates: PassRates,
    /// Whether it tries known failures again.
    pub(super) thorough: bool,
    /// Failures in a row after which it ends.
    pub(super) failures_left: u32,
}

impl Present<'_> {
    /// A proposal of a future, as an edit of the base.
    fn edit(&self, future: &State, proposal: &Edit) -> Option<Edit> {
        match future.stage {
            0 => self.applied.rebase(proposal).ok(),
            // The machine was opened on the text of its line.
            _ => Some(proposal.clone()),
        }
    }

    /// Whether a future tries known failures again.
    fn is_thorough(&self, future: &State) -> bool {
        let stage = self.lines[future.line].stage(future.stage);
        stage.map_or(self.thorough, |stage| stage.thorough)
    }

    /// The probability that the present test of a future succeeds.
    fn success(&self, future: &State) -> f64 {
        if let Some(stage) = self.lines[future.line].stage(future.stage) {
            return stage.rates.success(future.last);
        }
        future
            .machine
            .taken()
            .and_then(|taken| self.probes.odds(taken.units))
            .unwrap_or_else(|| self.rates.success(future.last))
    }
}

/// A future of the run: where it is, and what it has adopted since the present.
struct State {
    line: usize,
    /// The place of its pass in the line.
    stage: usize,
    /// Failures in a row after which that ends.
    failures_left: u32,
    machine: Box<dyn Machine>,
    /// The edit of its line's text that this future has adopted.
    assumed: Edit,
    /// The fingerprint of the text after that edit; nothing where passes are not opened on such
    /// texts.
    text: Option<Fingerprint>,
    last: bool,
}

/// The tests that are likely to be asked for.
pub(super) struct Found {
    /// The most likely first.
    pub(super) tests: Vec<Likely>,
    /// The most likely place where one more open pass would give more tests.
    pub(super) end: Option<End>,
}

/// A place where a line ends, or where another one could begin.
pub(super) struct End {
    pub(super) line: usize,
    pub(super) stage: usize,
    /// How likely it is that the sequential path comes there.
    pub(super) probability: f64,
    /// The edit of the line's text that succeeds, and the fingerprint after it, where another line
    /// begins.
    pub(super) found: Option<(Edit, Fingerprint)>,
}

impl State {
    /// Continues with the next pass, where that has been opened.
    fn turn_to_next(self, present: &Present<'_>, probability: f64) -> Result<State, Option<End>> {
        let is_found = !self.assumed.is_none();
        let next = match (is_found, self.text) {
            (false, _) => Some((self.line, self.stage)),
            (true, None) => return Err(None),
            (true, Some(text)) => {
                let line = (present.turn_off)(self.line, self.stage, text);
                line.map(|line| (line, 0))
            }
        };
        let Some((line, stage)) = next else {
            return Err(Some(End {
                line: self.line,
                stage: self.stage,
                probability,
                found: self.text.map(|print| (self.assumed, print)),
            }));
        };
        let on = &present.lines[line];
        let Some(next) = on.stage(stage + 1) else {
            return Err(on.is_open.then_some(End {
                line,
                stage,
                probability,
                found: None,
            }));
        };
        Ok(State {
            line,
            stage: stage + 1,
            failures_left: next.failures_left,
            machine: next.machine.fork(),
            assumed: Edit::none(),
            text: Some(on.text.fingerprint()),
            last: false,
        })
    }

    /// Its candidate fails and is adopted: the line's text changes by `tested`.
    fn succeed(&mut self, tested: Edit, text: Option<Fingerprint>) {
        self.machine.record(true);
        self.last = true;
        self.assumed = tested;
        self.text = text;
    }

    /// Its candidate does not fail.
    fn miss(&mut self) {
        self.machine.record(false);
        self.last = false;
        self.failures_left = self.failures_left.saturating_sub(1);
    }
}

/// The means to make candidates of proposals.
pub(super) struct Making<'m, 'a> {
    pub(super) triage: &'m mut Triage<'a>,
    pub(super) fingerprints: &'m mut Fingerprints,
}

/// The `count` tests most likely to be asked for after the present one. `steps` bounds how far the
/// futures are followed: known verdicts and dropped proposals are walked through.
pub(super) fn likely(
    present: &Present<'_>,
    count: usize,
    steps: usize,
    make: &mut Making<'_, '_>,
) -> Found {
    let mut tests: Vec<Likely> = Vec::with_capacity(count);
    let mut end = None;
    let mut futures = Futures::new(steps);
    let root = State {
        line: present.line,
        stage: 0,
        failures_left: present.failures_left,
        machine: present.machine.fork(),
        assumed: Edit::none(),
        text: Some(present.lines[present.line].text.fingerprint()),
        last: present.last,
    };
    let success = present.success(&root);
    let content = present
        .machine
        .known_by()
        .is_none()
        .then_some(present.print);
    part(
        &mut futures,
        (1.0, success),
        root,
        present.edit.clone(),
        content,
    );
    while tests.len() < count
        && let Some(mut next) = futures.next()
    {
        let (probability, future) = (next.probability, &mut next.state);
        let edit = match future.failures_left {
            0 => None,
            _ => future.machine.next(),
        };
        let Some(edit) = edit else {
            match next.state.turn_to_next(present, probability) {
                Ok(state) => futures.put_back(Future { state, ..next }),
                Err(here) => end = end.or(here),
            }
            continue;
        };
        let text = present.lines[future.line].text;
        let rebase = |edit: &Edit| present.edit(future, edit);
        let proposal = Proposal {
            assumed: Some(&future.assumed),
            thorough: present.is_thorough(future),
            ..Proposal::of(future.machine.as_ref(), &edit, text, &rebase)
        };
        let decided = make.triage.decide_ahead(&proposal, make.fingerprints);
        let Ok(candidate) = decided else {
            future.machine.record(false);
            futures.put_back(next);
            continue;
        };
        let print = candidate.print;
        let content = (!candidate.is_whole).then_some(candidate.content);
        if let Some(kind) = present.cache.peek(print) {
            match kind.is_fail() {
                true => future.succeed(candidate.edit, content),
                false => future.miss(),
            }
            futures.put_back(next);
            continue;
        }
        if print != present.print && !tests.iter().any(|likely| likely.print == print) {
            tests.push(Likely {
                print,
                probability,
                of: text.fingerprint(),
                edit: candidate.edit.clone(),
                input: candidate.input,
            });
        }
        let success = present.success(future);
        part(
            &mut futures,
            (probability, success),
            next.state,
            candidate.edit,
            content,
        );
    }
    Found { tests, end }
}

/// Splits a future at a test whose verdict is unknown.
fn part(
    futures: &mut Futures<State>,
    (probability, success): (f64, f64),
    mut fails: State,
    tested: Edit,
    text: Option<Fingerprint>,
) {
    let mut succeeds = State {
        machine: fails.machine.fork(),
        assumed: Edit::none(),
        text: None,
        ..fails
    };
    succeeds.succeed(tested, text);
    futures.add(probability * success, succeeds);
    fails.miss();
    futures.add(probability * (1.0 - success), fails);
}
