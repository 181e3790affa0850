//! Which pass comes next if the one at work finds nothing more: opened already, so that further workers
//! need not stand idle where one pass ends and the next begins.
//!
//! Late in a run most passes find nothing, each with a few tests, so there are many such places. What was
//! opened is used when the path gets there; after a success it is thrown away, as the text is another.

use super::path::Spell;
use super::{Coordinator, key_of};
use crate::edit::Fingerprint;
use crate::engine::schedule::{Report, Schedule, Turn};
use crate::engine::speculate::Stage;
use crate::pass::Pass;
use crate::work::Machine;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Inputs above this many bytes are not opened for a pass that may never come.
const SMALL: usize = 256 << 10;

/// Passes opened beforehand at most.
const MOST: usize = 6;

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
    here: Option<Route>,
    /// The same behind the last of the stages.
    there: Option<Route>,
    stages: VecDeque<(Key, Opened)>,
    /// What they were opened on.
    base: Option<Fingerprint>,
}

/// Tier, pass and file.
type Key = (usize, usize, usize);

/// What came of opening a pass: nothing where there is nothing for it to do.
type Opened = Option<Stage>;

impl Upcoming {
    /// A pass is about to be opened; gives back what came of it if it has been.
    pub(super) fn set_out(
        &mut self,
        route: Route,
        file: usize,
        base: Fingerprint,
    ) -> Option<Option<Box<dyn Machine>>> {
        let key = key_of(&route.turn, file);
        self.here = Some(route);
        let is_next = self.base == Some(base) && self.stages.front().is_some_and(|s| s.0 == key);
        if !is_next {
            self.clear();
        }
        let (_, opened) = self.stages.pop_front()?;
        Some(opened.map(|stage| stage.machine))
    }

    /// The pass at work has found something.
    pub(super) fn found(&mut self) {
        self.clear();
        if let Some(here) = &mut self.here {
            here.report.progress = true;
        }
    }

    pub(super) fn stages(&self) -> impl Iterator<Item = &Stage> {
        self.stages.iter().filter_map(|(_, opened)| opened.as_ref())
    }

    fn clear(&mut self) {
        self.stages.clear();
        self.there = None;
        self.base = None;
    }
}

impl Coordinator<'_, '_, '_> {
    /// Opens one pass more of those to come; says whether there was one.
    pub(super) fn open_upcoming(&mut self) -> bool {
        if self.base.size() > SMALL || self.upcoming.stages().count() >= MOST {
            return false;
        }
        if self.upcoming.base != Some(self.base_print) {
            self.upcoming.clear();
            self.upcoming.base = Some(self.base_print);
            self.upcoming.there.clone_from(&self.upcoming.here);
        }
        let Some(mut route) = self.upcoming.there.take() else {
            return false;
        };
        let mut is_there = false;
        while !is_there && let Some((key, opened)) = self.next_on(&mut route) {
            is_there = opened.is_some();
            self.upcoming.stages.push_back((key, opened));
        }
        // Behind the end of the plan, or behind a pass that only the path may open, there is nothing.
        self.upcoming.there = Some(route).filter(|_| is_there);
        is_there
    }

    /// The next pass on a route, opened.
    fn next_on(&self, route: &mut Route) -> Option<(Key, Opened)> {
        loop {
            let pass = self.plan.tiers[route.turn.tier].passes[route.turn.pass].clone();
            while let Some(file) = route.files.pop_front() {
                if self.is_barren(pass.as_ref(), &route.turn, file) {
                    continue;
                }
                if pass.asks_outside() {
                    return None;
                }
                let opened = catch_unwind(AssertUnwindSafe(|| self.open(pass.as_ref(), file)));
                // It panicked: the path is to see that for itself.
                let opened = opened.ok()?;
                let stage = opened.map(|machine| Stage {
                    machine,
                    thorough: route.turn.thorough,
                    patience: Spell::new(self.base.size()).failures_left(&route.turn, &self.base),
                });
                return Some((key_of(&route.turn, file), stage));
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
                false => self.files_for(pass, &route.turn).into(),
            };
        }
    }
}
