//! Speculation: the search for tests for which the sequential path is likely to ask next.
//!
//! A machine that waits for a verdict has two futures. Two forks of the machine receive one verdict
//! each and propose their next test, and so on. This gives a tree of futures, of which the search
//! follows the most probable paths only. Other workers run their tests in order of probability.
//!
//! Their verdicts go to the cache like all others. These verdicts never lead to an adoption. The
//! path to a success far ahead assumes that some units have to stay, so an adoption there would
//! skip these units, which costs more tests later than it saves now.
//!
//! Source: the bisection tree of halfempty (Ormandy, 2018), with measured rates in place of the
//! assumption that every test fails.

use super::super::cache::Cache;
use super::super::coordinator::Work;
use super::super::futures::{Future, Futures};
use super::super::triage::{Candidate, Fingerprints, Proposal, Triage};
use super::list_probe::ListProbes;
use super::upcoming::{End, PassRates, Stage, Upcoming};
use crate::work::Machine;
use nubbin_edit::{Edit, Fingerprint, Input};
use std::rc::Rc;

/// A test for which the sequential path may ask.
pub(crate) struct Likely {
    pub(crate) print: Fingerprint,
    /// The probability that the sequential path asks for the test.
    pub(crate) probability: f64,
    /// The fingerprint of the text that the test edits: the base, or the text of a line.
    pub(crate) of: Fingerprint,
    /// The candidate, as an edit of that text.
    pub(crate) edit: Edit,
    /// The candidate, if the search has rendered it.
    pub(crate) input: Option<Input>,
}

/// The search for likely next tests, starting at a test whose verdict has not arrived.
pub(super) struct Speculation<'s, 'a> {
    /// The pass at work, which is stage 0 of the line on the base. Its machine waits for the
    /// verdict.
    pub(super) work: &'s Work,
    pub(super) awaited: &'s Candidate,
    /// The rates of the pass at work.
    pub(super) rates: PassRates,
    pub(super) cache: &'s Cache,
    pub(super) probes: &'s ListProbes,
    pub(super) upcoming: &'s Upcoming,
    /// The number of the line on the base.
    pub(super) present: usize,
    /// The maximum number of passes that are opened ahead in one line.
    pub(super) most_open: usize,
    pub(super) triage: &'s mut Triage<'a>,
    pub(super) fingerprints: &'s mut Fingerprints,
}

/// A machine of futures. A clone is a fork.
struct Forked(Box<dyn Machine>);

impl Clone for Forked {
    fn clone(&self) -> Self {
        Forked(self.0.fork())
    }
}

/// A future of the run: a place in the plan, and the edit that was adopted since the present.
struct State {
    line: usize,
    /// The number of the pass in the line.
    stage: usize,
    /// The number of further failures in a row after which the pass ends.
    failures_left: u32,
    /// The machine. The two futures of a test share it, since few futures are ever visited.
    machine: Rc<Forked>,
    /// The answer to the last proposal of the machine, which the machine has not received.
    answer: Option<bool>,
    /// The edit of the line's text that this future has adopted.
    assumed: Edit,
    /// The fingerprint of the text after `assumed`; `None` if no pass may be opened on the text.
    text: Option<Fingerprint>,
    last: bool,
}

impl State {
    /// Assumes that the candidate fails and is adopted: the line's text changes by `tested`.
    fn succeed(&mut self, tested: Edit, text: Option<Fingerprint>) {
        self.answer = Some(true);
        self.last = true;
        self.assumed = tested;
        self.text = text;
    }

    /// Assumes that the candidate does not fail.
    fn miss(&mut self) {
        self.answer = Some(false);
        self.last = false;
        self.failures_left = self.failures_left.saturating_sub(1);
    }

    /// Returns the next proposal of the machine, which first receives the answer to its last one.
    fn propose(&mut self) -> Option<Edit> {
        if self.failures_left == 0 {
            return None;
        }
        let machine = &mut Rc::make_mut(&mut self.machine).0;
        if let Some(answer) = self.answer.take() {
            machine.record(answer);
        }
        machine.next()
    }
}

impl<'s> Speculation<'s, '_> {
    /// Returns the `count` most likely next tests, the most likely first, and the most likely point
    /// at which another open pass would give more tests.
    ///
    /// `steps` limits the steps on futures, since known verdicts and dropped proposals need steps
    /// without a test. `is_late` ends the search earlier. The search decides only which tests run
    /// ahead, so its end changes no result.
    pub(super) fn likely(
        self,
        count: usize,
        steps: usize,
        is_late: &dyn Fn() -> bool,
    ) -> (Vec<Likely>, Option<End>) {
        let (work, upcoming) = (self.work, self.upcoming);
        let mut tests: Vec<Likely> = Vec::with_capacity(count);
        let mut end = None;
        let mut futures = Futures::new(steps);
        let base = &upcoming.line(self.present).text;
        let root = State {
            line: self.present,
            stage: 0,
            failures_left: work.failures_left,
            machine: Rc::new(Forked(work.machine.fork())),
            answer: None,
            assumed: Edit::none(),
            text: Some(base.fingerprint()),
            last: work.last,
        };
        let content = Upcoming::content(self.awaited, base);
        self.part(&mut futures, 1.0, root, self.awaited.edit.clone(), content);
        while tests.len() < count
            && !is_late()
            && let Some(mut next) = futures.next()
        {
            let (probability, future) = (next.probability, &mut next.state);
            let Some(edit) = future.propose() else {
                match self.turn_to_next(next.state, probability) {
                    Ok(state) => futures.put_back(Future { state, ..next }),
                    Err(here) => end = end.or(here),
                }
                continue;
            };
            let (text, stage) = (&upcoming.line(future.line).text, self.stage(future));
            let applied = stage.map_or(&work.applied, |stage| &stage.applied);
            let rebase = |edit: &Edit| applied.rebase(edit).ok();
            let proposal = Proposal {
                assumed: Some(&future.assumed),
                thorough: stage.map_or(work.thorough, |stage| stage.route.turn.thorough),
                ..Proposal::of(future.machine.0.as_ref(), &edit, text, &rebase)
            };
            let decided = self.triage.decide_ahead(&proposal, self.fingerprints);
            let Ok(candidate) = decided else {
                future.answer = Some(false);
                futures.put_back(next);
                continue;
            };
            let print = candidate.print;
            let content = Upcoming::content(&candidate, text);
            if let Some(kind) = self.cache.peek(print) {
                match kind.is_fail() {
                    true => future.succeed(candidate.edit, content),
                    false => future.miss(),
                }
                futures.put_back(next);
                continue;
            }
            if print != self.awaited.print && !tests.iter().any(|likely| likely.print == print) {
                tests.push(Likely {
                    print,
                    probability,
                    of: text.fingerprint(),
                    edit: candidate.edit.clone(),
                    input: candidate.input,
                });
            }
            self.part(
                &mut futures,
                probability,
                next.state,
                candidate.edit,
                content,
            );
        }
        (tests, end)
    }

    /// Returns the upcoming pass of a future, or `None` for the pass at work.
    fn stage(&self, future: &State) -> Option<&'s Stage> {
        self.upcoming.line(future.line).stage(future.stage)
    }

    /// Returns the probability that the present test of a future succeeds.
    fn success(&self, future: &State) -> f64 {
        if let Some(stage) = self.stage(future) {
            return stage.rates.success(future.last);
        }
        let taken = future.machine.0.taken();
        taken
            .and_then(|taken| self.probes.odds(taken.units))
            .unwrap_or_else(|| self.rates.success(future.last))
    }

    /// Splits a future at a test whose verdict is unknown.
    fn part(
        &self,
        futures: &mut Futures<State>,
        probability: f64,
        mut fails: State,
        tested: Edit,
        text: Option<Fingerprint>,
    ) {
        let success = self.success(&fails);
        let mut succeeds = State {
            machine: Rc::clone(&fails.machine),
            assumed: Edit::none(),
            text: None,
            ..fails
        };
        succeeds.succeed(tested, text);
        futures.add(probability * success, succeeds);
        fails.miss();
        futures.add(probability * (1.0 - success), fails);
    }

    /// Continues a future with the next pass, if that pass is open.
    fn turn_to_next(&self, future: State, probability: f64) -> Result<State, Option<End>> {
        let end = |line, stage, found| End {
            line,
            stage,
            probability,
            found,
        };
        let (line, stage) = match (future.assumed.is_none(), future.text) {
            (true, _) => (future.line, future.stage),
            (false, None) => return Err(None),
            (false, Some(text)) => {
                let (line, stage) = (future.line, future.stage);
                match self.upcoming.turn_off(line, stage, text) {
                    Some(line) => (line, 0),
                    None => return Err(Some(end(line, stage, Some((future.assumed, text))))),
                }
            }
        };
        let on = self.upcoming.line(line);
        let Some(next) = on.stage(stage + 1) else {
            let is_open = on.is_open(self.most_open);
            return Err(is_open.then(|| end(line, stage, None)));
        };
        Ok(State {
            line,
            stage: stage + 1,
            failures_left: next.failures_left,
            machine: Rc::new(Forked(next.machine.fork())),
            answer: None,
            assumed: Edit::none(),
            text: Some(on.text.fingerprint()),
            last: false,
        })
    }
}
