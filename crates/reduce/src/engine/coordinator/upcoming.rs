//! Which passes come when the one at work has come to its end: opened already, so that further
//! workers need not stand idle where one pass ends and the next begins.
//!
//! Late in a run most passes find nothing, each with a few tests, so there are many such places.
//! What was opened is used when the path gets there. Which passes come, and on what, depends on
//! what is found until then: those that come if nothing more is found are one line of them, and
//! where something is found, or likely to be, another line begins, on the text without it.

use super::Coordinator;
use super::opening::{At, Key};
use super::path::Spell;
use crate::edit::{Edit, Fingerprint};
use crate::engine::schedule::{Report, Schedule, Turn};
use crate::engine::speculate::{End, Line, Stage};
use crate::input::Input;
use crate::pass::Pass;
use crate::work::Machine;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Inputs above this many bytes are not opened for a pass that may never come.
const SMALL: usize = 256 << 10;

/// Passes opened beforehand at most in one line,
const MOST: usize = 6;

/// and where tests take long, and opening takes next to no time.
const MOST_OF_TINY: usize = 32;

/// Inputs of so many bytes are opened in next to no time.
const TINY: usize = 32 << 10;

/// Lines there are at most,
const LINES: usize = 8;

/// and passes opened in all of them before the oldest has to go.
const IN_ALL: usize = 48;

/// Where a run is in its plan.
#[derive(Clone)]
pub(super) struct Route {
    pub(super) schedule: Schedule,
    pub(super) turn: Turn,
    /// Still to come in this turn.
    pub(super) files: VecDeque<usize>,
    pub(super) report: Report,
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
    print: Fingerprint,
    steps: VecDeque<Step>,
    /// Of the steps in which there is something to do.
    stages: VecDeque<Stage>,
    /// Where the run is behind the last of them; nothing where that is the end of the plan, or
    /// where the next pass is one that only the path may open.
    there: Option<Route>,
}

/// A pass to come.
struct Step {
    key: Key,
    /// Where the run is when it is at work; nothing where there is nothing to do for it.
    route: Option<Route>,
}

impl Opened {
    fn new(after: Key, text: Input, print: Fingerprint, route: Route) -> Self {
        Opened {
            after,
            text,
            print,
            steps: VecDeque::new(),
            stages: VecDeque::new(),
            there: Some(route),
        }
    }

    fn is_after(&self, after: Key, print: Fingerprint) -> bool {
        self.after == after && self.print == print
    }

    fn line(&self, most: usize) -> Line<'_> {
        Line {
            text: &self.text,
            print: self.print,
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

    /// The first of the passes to come, and its stage if there is something to do for it.
    fn pop(&mut self) -> Option<(Key, Option<Stage>)> {
        let step = self.steps.pop_front()?;
        let stage = step.route.and_then(|_| self.stages.pop_front());
        Some((step.key, stage))
    }
}

impl Upcoming {
    /// A pass is about to be opened; gives back what came of it if it has been.
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

    /// The pass at work has found something.
    pub(super) fn found(&mut self) {
        if let Some((_, here)) = &mut self.here {
            here.report.progress = true;
        }
    }

    /// All lines, as those who look ahead see them.
    pub(super) fn lines(&self, most: usize) -> Vec<Line<'_>> {
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
        let line = self.lines.iter().find(|line| line.print == print)?;
        Some(&line.text)
    }

    fn line_after(&self, after: Key, print: Fingerprint) -> Option<usize> {
        let mut lines = self.lines.iter();
        lines.position(|line| line.is_after(after, print))
    }

    /// A new line; that on the present text stays.
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
}

impl Coordinator<'_, '_, '_> {
    /// The line on the present text, unless that is too large.
    pub(super) fn present_line(&mut self) -> Option<usize> {
        if self.base.size() > SMALL {
            return None;
        }
        let (here, route) = self.upcoming.here.as_ref()?;
        if let Some(present) = self.upcoming.line_after(*here, self.base_print) {
            return Some(present);
        }
        let line = Opened::new(*here, self.base.clone(), self.base_print, route.clone());
        Some(self.upcoming.begin(line, self.base_print))
    }

    /// How many passes are opened beforehand at most in one line.
    pub(super) fn most_stages(&self) -> usize {
        match self.base.size() <= TINY && !self.workers.queue() {
            true => MOST_OF_TINY,
            false => MOST,
        }
    }

    /// Opens one pass more: the next in a line, or the first of another one.
    pub(super) fn open_upcoming(&mut self, end: &End) {
        let at = match &end.found {
            None => Some(end.line),
            Some((found, print)) => self.begin_line(end, found, *print),
        };
        let Some(at) = at else {
            return;
        };
        let mut lines = std::mem::take(&mut self.upcoming.lines);
        if let Some(line) = lines.get_mut(at)
            && let Some(mut route) = line.there.take()
        {
            let at = At {
                input: &line.text,
                print: line.print,
            };
            let mut opening = vec![];
            let mut is_there = false;
            while !is_there && let Some((key, opened)) = self.next_on(at, &mut route) {
                is_there = opened.is_some();
                opening.push((key, opened));
            }
            for (key, opened) in opening {
                line.push(key, opened);
            }
            // Behind the end of the plan, or behind a pass that only the path may open, there is
            // nothing.
            line.there = Some(route).filter(|_| is_there);
        }
        self.upcoming.lines = lines;
    }

    /// A line on the text that a stage of another one has come to.
    fn begin_line(&mut self, end: &End, found: &Edit, print: Fingerprint) -> Option<usize> {
        let line = self.upcoming.lines.get(end.line)?;
        let (after, mut route) = match end.stage {
            0 => self.upcoming.here.clone()?,
            stage => {
                let (after, route) = line.place(stage)?;
                (after, route.clone())
            }
        };
        route.report.progress = true;
        let text = line.text.apply(found).0;
        let line = Opened::new(after, text, print, route);
        Some(self.upcoming.begin(line, self.base_print))
    }

    /// The next pass on a route, opened.
    fn next_on(&self, at: At<'_>, route: &mut Route) -> Option<(Key, Option<(Stage, Route)>)> {
        loop {
            let pass = self.plan.tiers[route.turn.tier].passes[route.turn.pass].clone();
            while let Some(file) = route.files.pop_front() {
                if self.is_barren(at, pass.as_ref(), &route.turn, file) {
                    continue;
                }
                if pass.asks_outside() {
                    return None;
                }
                let opened = catch_unwind(AssertUnwindSafe(|| self.open(at, pass.as_ref(), file)));
                // It panicked: the path is to see that for itself.
                let opened = opened.ok()?;
                let opened = opened.map(|machine| {
                    let stage = Stage {
                        machine,
                        odds: self.odds.get(pass.id()).copied().unwrap_or_default(),
                        thorough: route.turn.thorough,
                        patience: Spell::new(at.input.size()).failures_left(&route.turn, at.input),
                    };
                    (stage, route.clone())
                });
                return Some((Key::new(&route.turn, file), opened));
            }
            route.schedule.record(route.report);
            route.turn = route.schedule.next()?;
            route.report = Report::default();
            let pass: &dyn Pass = self.plan.tiers[route.turn.tier].passes[route.turn.pass].as_ref();
            let left_out = self.is_left_out(pass, &route.turn)
                || self.failed.contains(&pass.id())
                || self.options.control.left(pass.id()).is_some();
            route.files = match left_out {
                true => VecDeque::new(),
                false => self.files_for(at, pass, &route.turn).into(),
            };
        }
    }
}
