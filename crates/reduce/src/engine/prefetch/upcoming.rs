//! Passes that come next once the pass at work has ended. They are opened ahead, so that workers
//! need not stand idle where one pass ends and the next begins.
//!
//! Late in a run most passes find nothing, each with a few tests, so there are many such places. A
//! pass that was opened ahead is used when the sequential path gets there. Which passes come, and
//! on which text, depends on the successes until then: the passes that come after no further
//! success form one line, and a success, or a likely one, begins another line, on the text without
//! it.

use super::super::opener::{Key, Opener};
use super::super::pass_budget::BudgetMeter;
use super::super::schedule::{Report, Schedule, Turn};
use super::speculation::{End, Line, PassRates, Stage};
use crate::edit::{Edit, Fingerprint};
use crate::input::Input;
use crate::work::Machine;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Inputs above this many bytes are not opened for a pass that may never come.
const SMALL: usize = 256 << 10;

/// Passes opened ahead at most in one line.
const MOST: usize = 6;

/// The same where tests take long and opening takes next to no time.
const MOST_OF_TINY: usize = 32;

/// Inputs of so many bytes are opened in next to no time.
const TINY: usize = 32 << 10;

/// Lines there are at most.
const LINES: usize = 8;

/// Passes opened in all lines before the oldest line is dropped.
const IN_ALL: usize = 48;

/// Where a run is in its plan.
#[derive(Clone)]
pub(in crate::engine) struct Route {
    pub(in crate::engine) schedule: Schedule,
    pub(in crate::engine) turn: Turn,
    /// Still to come in this turn.
    pub(in crate::engine) files: VecDeque<usize>,
    pub(in crate::engine) report: Report,
}

/// The passes to come, as far as they have been opened.
#[derive(Default)]
pub(super) struct Upcoming {
    /// Where the run is.
    here: Option<(Key, Route)>,
    /// The oldest first.
    lines: VecDeque<Opened>,
}

/// The passes to come after one that has left a text.
struct Opened {
    after: Key,
    text: Input,
    steps: VecDeque<Step>,
    /// The open passes of these steps.
    stages: VecDeque<Stage>,
    /// Where the run is behind the last of them; nothing at the end of the plan, or where only the
    /// sequential path may open the next pass.
    there: Option<Route>,
}

/// A pass to come.
struct Step {
    key: Key,
    /// Where the run is when it is at work; nothing where it has nothing to do.
    route: Option<Route>,
}

impl Opened {
    fn new(after: Key, text: Input, route: Route) -> Self {
        Opened {
            after,
            text,
            steps: VecDeque::new(),
            stages: VecDeque::new(),
            there: Some(route),
        }
    }

    fn is_after(&self, after: Key, print: Fingerprint) -> bool {
        self.after == after && self.text.fingerprint() == print
    }

    fn line(&self, most: usize) -> Line<'_> {
        Line {
            text: &self.text,
            stages: Some(&self.stages),
            is_open: self.there.is_some() && self.stages.len() < most,
        }
    }

    /// The pass at work in a stage, and where the run is then.
    fn place(&self, stage: usize) -> Option<(Key, &Route)> {
        let steps = self.steps.iter();
        let mut places = steps.filter_map(|step| Some((step.key, step.route.as_ref()?)));
        places.nth(stage.checked_sub(1)?)
    }

    fn push(&mut self, key: Key, opened: Option<(Stage, Route)>) {
        let (stage, route) = opened.unzip();
        self.steps.push_back(Step { key, route });
        self.stages.extend(stage);
    }

    /// Takes the first of the passes to come, with its stage if it has something to do.
    fn pop(&mut self) -> Option<(Key, Option<Stage>)> {
        let step = self.steps.pop_front()?;
        let stage = step.route.and_then(|_| self.stages.pop_front());
        Some((step.key, stage))
    }
}

impl Upcoming {
    /// A pass is about to be opened; gives back its machine if it is open already.
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
        let (next, stage) = line.pop()?;
        if next != key {
            return None;
        }
        line.after = key;
        self.lines.push_back(line);
        Some(stage.map(|stage| stage.machine))
    }

    /// The pass at work has succeeded.
    pub(super) fn found(&mut self) {
        if let Some((_, here)) = &mut self.here {
            here.report.progress = true;
        }
    }

    /// All lines, for a base and for short tests or long ones.
    pub(super) fn lines(&self, base: &Input, is_queued: bool) -> Vec<Line<'_>> {
        let most = match base.size() <= TINY && !is_queued {
            true => MOST_OF_TINY,
            false => MOST,
        };
        self.lines.iter().map(|line| line.line(most)).collect()
    }

    /// The line that goes on from a stage of another one when that has come to a text.
    pub(super) fn turn_off(&self, line: usize, stage: usize, print: Fingerprint) -> Option<usize> {
        let line = self.lines.get(line)?;
        let after = match stage {
            0 => line.after,
            _ => line.place(stage)?.0,
        };
        self.line_after(after, print)
    }

    /// The text of this content, if passes were opened on it.
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

    /// Adds a line. The line on the base is not dropped for it.
    fn begin(&mut self, line: Opened, base: Fingerprint) -> usize {
        let here = self.here.as_ref().map(|(here, _)| *here);
        let is_present = |line: &Opened| here.is_some_and(|here| line.is_after(here, base));
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
        self.lines.iter().map(|line| line.stages.len()).sum()
    }

    /// The line on the base, unless that is too large.
    pub(super) fn present_line(&mut self, base: &Input) -> Option<usize> {
        if base.size() > SMALL {
            return None;
        }
        let (here, route) = self.here.as_ref()?;
        if let Some(present) = self.line_after(*here, base.fingerprint()) {
            return Some(present);
        }
        let line = Opened::new(*here, base.clone(), route.clone());
        Some(self.begin(line, base.fingerprint()))
    }

    /// Opens one more pass: the next in a line, or the first of another one.
    pub(super) fn open(
        &mut self,
        end: &End,
        base: &Input,
        opener: &Opener,
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
            // Behind the end of the plan, or behind a pass that only the sequential path may open,
            // there is nothing.
            let Some((key, opened)) = route.open_next(&line.text, opener, rates) else {
                return;
            };
            let is_open = opened.is_some();
            line.push(key, opened);
            if is_open {
                line.there = Some(route);
                return;
            }
        }
    }

    /// A line on the text that a stage of another one has come to.
    fn begin_line(&mut self, end: &End, found: &Edit, base: &Input) -> Option<usize> {
        let line = self.lines.get(end.line)?;
        let (after, mut route) = match end.stage {
            0 => self.here.clone()?,
            stage => {
                let (after, route) = line.place(stage)?;
                (after, route.clone())
            }
        };
        route.report.progress = true;
        let text = line.text.apply(found);
        let line = Opened::new(after, text, route);
        Some(self.begin(line, base.fingerprint()))
    }
}

/// A pass that was opened ahead, and where the run is when it is at work.
type OpenStage = Option<(Stage, Route)>;

impl Route {
    /// Goes on to the next pass and opens it on a text. Nothing where the plan ends, or where only
    /// the sequential path may open the pass.
    fn open_next(
        &mut self,
        text: &Input,
        opener: &Opener,
        rates: &FxHashMap<&'static str, PassRates>,
    ) -> Option<(Key, OpenStage)> {
        loop {
            let pass = opener.pass(&self.turn);
            while let Some(file) = self.files.pop_front() {
                if opener.is_exhausted(text, &self.turn, file) {
                    continue;
                }
                if pass.asks_outside() {
                    return None;
                }
                let open = AssertUnwindSafe(|| opener.open(text, pass, file));
                // Where it panics, the sequential path is to see that for itself.
                let machine = catch_unwind(open).ok()?;
                let size = text.size();
                let stage = machine.map(|machine| Stage {
                    machine,
                    rates: rates.get(pass.id()).copied().unwrap_or_default(),
                    thorough: self.turn.thorough,
                    failures_left: BudgetMeter::new(self.turn.budget, size).failures_left(size),
                });
                let key = Key::new(&self.turn, file);
                return Some((key, stage.map(|stage| (stage, self.clone()))));
            }
            self.schedule.record(self.report);
            self.turn = self.schedule.next()?;
            self.report = Report::default();
            self.files = opener.files_to_come(text, &self.turn);
        }
    }
}
