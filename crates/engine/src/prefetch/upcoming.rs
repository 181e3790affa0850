//! Upcoming passes: the passes that run after the pass at work. Upcoming passes are opened ahead,
//! so that workers are not idle between two passes.
//!
//! Late in a run most passes find nothing, each with a few tests, so passes change often. A pass
//! that was opened ahead is used when the sequential path reaches it. The upcoming passes, and the
//! text that they work on, depend on the successes until then. The passes that follow if no further
//! test succeeds form one line. A success, or a likely success, begins another line, on the text
//! after it.

use super::super::opener::{Key, Opener};
use super::super::pass_budget::BudgetMeter;
use super::super::schedule::{Report, Schedule, Turn};
use super::super::success_rate::SuccessRate;
use super::super::suspended::SuspendedPasses;
use super::super::triage::Candidate;
use crate::work::Machine;
use nubbin_edit::{Applied, Edit, Fingerprint, Input};
use nubbin_verdict::contained;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The size in bytes of the largest input on which passes are opened ahead.
const MAX_BYTES_AHEAD: usize = 256 << 10;

/// The largest number of passes opened ahead in one line.
const MAX_PASSES: usize = 6;

/// The largest number of passes in one line if tests take long and the input is [`TINY_BYTES`].
const MAX_PASSES_IF_TINY: usize = 32;

/// The size in bytes of the largest input on which opening a pass takes almost no time.
const TINY_BYTES: usize = 32 << 10;

/// The largest number of lines.
const LINES: usize = 8;

/// The number of passes in all lines above which the oldest line is dropped.
const IN_ALL: usize = 48;

/// The position of a run in its plan.
#[derive(Clone)]
pub(crate) struct Route {
    pub(crate) schedule: Schedule,
    pub(crate) turn: Turn,
    /// The files that the turn has not reached.
    pub(crate) files: VecDeque<usize>,
    pub(crate) report: Report,
}

/// The success rates of a pass, after a success and after a failure.
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

    pub(super) fn success(&self, last: bool) -> f64 {
        match last {
            true => self.after_success.rate(),
            false => self.after_failure.rate(),
        }
    }
}

/// An upcoming pass that is open.
pub(super) struct Stage {
    pub(super) machine: Box<dyn Machine>,
    /// The change from the text on which the machine was opened to the text of the line.
    pub(super) applied: Applied,
    /// The success rates of the pass so far.
    pub(super) rates: PassRates,
    /// The number of further failures in a row after which the pass ends.
    pub(super) failures_left: u32,
    /// The position of the run while this pass is at work.
    pub(super) route: Route,
}

/// The passes that follow on a text as long as none of them succeeds.
pub(super) struct Line {
    after: Key,
    pub(super) text: Input,
    /// The passes, with a stage for each pass that has proposals.
    steps: VecDeque<(Key, Option<Stage>)>,
    /// The place of the run after the last pass of the line. It is `None` at the end of the plan,
    /// or if only the sequential path may open the next pass.
    there: Option<Route>,
}

/// A point at which a line ends, or at which another line could begin.
pub(super) struct End {
    pub(super) line: usize,
    pub(super) stage: usize,
    /// The probability that the sequential path reaches this point.
    pub(super) probability: f64,
    /// The successful edit of the line's text and the fingerprint after it, if another line begins
    /// at this point.
    pub(super) found: Option<(Edit, Fingerprint)>,
}

/// The upcoming passes that are open.
#[derive(Default)]
pub(super) struct Upcoming {
    /// The pass at work, and the place of the run.
    here: Option<(Key, Route)>,
    /// The lines, oldest first.
    lines: VecDeque<Line>,
}

impl Line {
    fn new(after: Key, text: Input, there: Option<Route>) -> Self {
        Line {
            after,
            text,
            steps: VecDeque::new(),
            there,
        }
    }

    fn is_after(&self, after: Key, print: Fingerprint) -> bool {
        self.after == after && self.text.fingerprint() == print
    }

    /// Returns the open passes.
    fn stages(&self) -> impl Iterator<Item = (Key, &Stage)> {
        let steps = self.steps.iter();
        steps.filter_map(|(key, stage)| Some((*key, stage.as_ref()?)))
    }

    fn place(&self, stage: usize) -> Option<(Key, &Stage)> {
        self.stages().nth(stage.checked_sub(1)?)
    }

    /// Returns an open pass by its number, which counts from 1.
    pub(super) fn stage(&self, number: usize) -> Option<&Stage> {
        self.place(number).map(|(_, stage)| stage)
    }

    /// Returns whether another pass of the line may be opened.
    pub(super) fn is_open(&self, most: usize) -> bool {
        self.there.is_some() && self.stages().count() < most
    }
}

impl Upcoming {
    /// Records that the run has reached a pass. Returns the machine of the pass if it was opened
    /// ahead.
    pub(super) fn set_out(
        &mut self,
        route: Route,
        file: usize,
        base: Fingerprint,
    ) -> Option<Option<Box<dyn Machine>>> {
        let key = Key::new(&route.turn, file);
        let before = self.here.replace((key, route));
        let at = self.line_after(before?.0, base)?;
        let mut line = self.lines.remove(at)?;
        let (next, stage) = line.steps.pop_front()?;
        if next != key {
            return None;
        }
        line.after = key;
        self.lines.push_back(line);
        Some(stage.map(|stage| stage.machine))
    }

    /// Records a success of the pass at work.
    pub(super) fn found(&mut self) {
        if let Some((_, here)) = &mut self.here {
            here.report.progress = true;
        }
        // A line on a large text gets no passes, so its text need not remain in memory.
        self.lines
            .retain(|line| line.text.size() <= MAX_BYTES_AHEAD);
    }

    /// Returns the maximum number of passes in one line. Tests are queued while they are short.
    pub(super) fn most_open(base: &Input, is_queued: bool) -> usize {
        match base.size() <= TINY_BYTES && !is_queued {
            true => MAX_PASSES_IF_TINY,
            false => MAX_PASSES,
        }
    }

    /// Returns the fingerprint of a candidate, if passes may be opened on it.
    pub(super) fn content<I>(candidate: &Candidate<I>, text: &Input) -> Option<Fingerprint> {
        (!candidate.is_whole && text.size() <= MAX_BYTES_AHEAD).then_some(candidate.content)
    }

    pub(super) fn line(&self, number: usize) -> &Line {
        &self.lines[number]
    }

    /// Returns the line on the text `print` that follows a stage of another line.
    pub(super) fn turn_off(&self, line: usize, stage: usize, print: Fingerprint) -> Option<usize> {
        let line = self.lines.get(line)?;
        let after = match stage {
            0 => line.after,
            _ => line.place(stage)?.0,
        };
        self.line_after(after, print)
    }

    /// Returns the text with a fingerprint, if there is a line on it.
    pub(super) fn text(&self, print: Fingerprint) -> Option<&Input> {
        let line = self
            .lines
            .iter()
            .find(|line| line.text.fingerprint() == print)?;
        Some(&line.text)
    }

    fn line_after(&self, after: Key, print: Fingerprint) -> Option<usize> {
        let mut lines = self.lines.iter();
        lines.position(|line| line.is_after(after, print))
    }

    /// Adds a line, and drops the oldest lines if necessary, but not the line on the base.
    fn begin(&mut self, line: Line, base: Fingerprint) -> usize {
        let here = self.here.as_ref().map(|(here, _)| *here);
        let is_present = |line: &Line| here.is_some_and(|here| line.is_after(here, base));
        while self.lines.len() >= LINES || self.in_all() > IN_ALL {
            let oldest = self.lines.iter().position(|line| !is_present(line));
            if oldest
                .and_then(|oldest| self.lines.remove(oldest))
                .is_none()
            {
                break;
            }
        }
        self.lines.push_back(line);
        self.lines.len() - 1
    }

    fn in_all(&self) -> usize {
        self.lines.iter().map(|line| line.stages().count()).sum()
    }

    /// Returns the line on the base, or `None` if no pass is at work. The line is closed if the
    /// base is too large.
    pub(super) fn present_line(&mut self, base: &Input) -> Option<usize> {
        let (here, route) = self.here.as_ref()?;
        if let Some(present) = self.line_after(*here, base.fingerprint()) {
            return Some(present);
        }
        let there = (base.size() <= MAX_BYTES_AHEAD).then(|| route.clone());
        let line = Line::new(*here, base.clone(), there);
        Some(self.begin(line, base.fingerprint()))
    }

    /// Opens another pass: the next pass of a line, or the first pass of a new line.
    pub(super) fn open(
        &mut self,
        end: &End,
        base: &Input,
        (opener, suspended): (&Opener, &SuspendedPasses),
        rates: &FxHashMap<&'static str, PassRates>,
    ) {
        let at = match &end.found {
            None => Some(end.line),
            Some((found, _)) => self.begin_line(end, found, base),
        };
        let Some(line) = at.and_then(|at| self.lines.get_mut(at)) else {
            return;
        };
        let Some(mut route) = line.there.take() else {
            return;
        };
        loop {
            // The line ends at the end of the plan, or at a pass that only the sequential path may
            // open.
            let is_base = line.text.fingerprint() == base.fingerprint();
            let suspended = (suspended, is_base);
            let Some(step) = route.open_next(&line.text, opener, suspended, rates) else {
                return;
            };
            line.steps.push_back(step);
            if line.steps.back().is_some_and(|(_, stage)| stage.is_some()) {
                line.there = Some(route);
                return;
            }
        }
    }

    /// Adds a line on the text after a success in a stage of another line.
    fn begin_line(&mut self, end: &End, found: &Edit, base: &Input) -> Option<usize> {
        let line = self.lines.get(end.line)?;
        let (after, mut route) = match end.stage {
            0 => self.here.clone()?,
            stage => {
                let (after, stage) = line.place(stage)?;
                (after, stage.route.clone())
            }
        };
        route.report.progress = true;
        let text = line.text.apply(found);
        let line = Line::new(after, text, Some(route));
        Some(self.begin(line, base.fingerprint()))
    }
}

impl Route {
    /// Opens the next pass on a text. Returns `None` at the end of the plan, or if only the
    /// sequential path may open the pass.
    fn open_next(
        &mut self,
        text: &Input,
        opener: &Opener,
        (suspended, is_base): (&SuspendedPasses, bool),
        rates: &FxHashMap<&'static str, PassRates>,
    ) -> Option<(Key, Option<Stage>)> {
        loop {
            let pass = opener.pass(&self.turn);
            while let Some(file) = self.files.pop_front() {
                if opener.is_exhausted(text, &self.turn, file) {
                    continue;
                }
                if pass.info().asks_outside {
                    return None;
                }
                let key = Key::new(&self.turn, file);
                let goes_on = suspended.get(key).filter(|_| self.turn.resumes);
                let opened = match goes_on {
                    // The pass may be opened on the base only.
                    Some(_) if !is_base => return None,
                    Some(pass) => Some((pass.machine.fork(), pass.applied.clone())),
                    None => {
                        // After a panic, the sequential path opens the pass again and reports the
                        // panic.
                        let opened = contained(|| opener.open(text, pass, file)).ok()?;
                        opened.map(|machine| (machine, Applied::default()))
                    }
                };
                let size = text.size();
                let stage = opened.map(|(machine, applied)| Stage {
                    machine,
                    applied,
                    rates: rates.get(pass.id()).copied().unwrap_or_default(),
                    failures_left: BudgetMeter::new(self.turn.budget, size).failures_left(size),
                    route: self.clone(),
                });
                return Some((key, stage));
            }
            self.schedule.record(self.report);
            self.turn = self.schedule.next()?;
            self.report = Report::default();
            self.files = opener.files_to_come(text, &self.turn);
        }
    }
}
