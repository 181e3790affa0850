//! What further workers do while the logical path waits for a verdict.

use super::super::cache::Kind;
use super::super::speculate::{End, Found, Likely, Line, Present, likely};
use super::path::Awaited;
use super::{Coordinator, HUGE, LARGE, NEAR, PRINTS};
use crate::edit::Applied;
use crate::input::Input;
use crate::work::Machine;
use rustc_hash::FxHashMap;

/// Passes opened at most before the likely tests there are have to do.
const OPENINGS: usize = 12;

/// How far is looked for each test that is wanted,
const STEPS: usize = 16;

/// and where tests take long: while one of them does, further workers may get far.
const STEPS_OF_SLOW: usize = 1 << 12;

impl Coordinator<'_, '_, '_> {
    /// The tests that further workers may do, or go on with, in order. Calls off those that fell
    /// off the likely paths.
    pub(super) fn look_ahead(
        &mut self,
        machine: &dyn Machine,
        applied: &Applied,
        awaited: &Awaited<'_>,
    ) -> Vec<Likely> {
        let asked = awaited.print;
        let others = self.workers.count() - 1;
        if others == 0 || self.base.size() > HUGE {
            self.workers.cancel_except(|running| running == asked);
            return vec![];
        }
        self.scouts.turn_to(machine.taken().map(|taken| taken.list));
        if self.prints.values().map(FxHashMap::len).sum::<usize>() > PRINTS {
            self.prints.clear();
        }
        // Each other worker has one, and every worker one to go on with.
        let count = if self.base.size() <= LARGE {
            2 * others + 1
        } else {
            others
        };
        let mut openings = 0;
        let mut likely = loop {
            let found = self.likely(machine, applied, awaited, count);
            // What the last of the others would do.
            let last = found.tests.get(others - 1);
            let is_worse = |end: &End| last.is_none_or(|test| test.probability < end.probability);
            let Some(end) = found.end.filter(is_worse).filter(|_| openings < OPENINGS) else {
                break found.tests;
            };
            openings += 1;
            self.open_upcoming(&end);
            let made = found.tests.into_iter().filter_map(|test| test.input);
            made.for_each(|input| self.recycle(input));
        };
        let near = likely
            .iter()
            .take_while(|likely| likely.probability >= NEAR)
            .count();
        if near < others {
            let scouts = self.scout(others - near, applied);
            likely.splice(near..near, scouts);
        }
        let keep = if self.workers.has(asked) {
            likely.len()
        } else {
            likely.len().min(others)
        };
        let scouts = &self.scouts;
        self.workers.cancel_except(|running| {
            running == asked
                || scouts.is_under_way(running)
                || likely[..keep].iter().any(|likely| likely.print == running)
        });
        self.workers.make_way(asked);
        likely
    }

    /// The tests that are likely to be asked for, as far as passes have been opened.
    fn likely(
        &mut self,
        machine: &dyn Machine,
        applied: &Applied,
        awaited: &Awaited<'_>,
        count: usize,
    ) -> Found {
        let present = self.present_line();
        let lines = match present {
            Some(_) => self.upcoming.lines(self.most_stages()),
            None => vec![Line {
                text: &self.base,
                print: self.base_print,
                stages: None,
                is_open: false,
            }],
        };
        let turn_off = |line, stage, print| match present {
            Some(_) => self.upcoming.turn_off(line, stage, print),
            None => None,
        };
        let way = awaited.way;
        let looked_from = Present {
            machine,
            edit: awaited.edit,
            print: awaited.print,
            last: way.last,
            odds: way.odds,
            patience: way.patience,
            applied,
            cache: &self.cache,
            scouts: &self.scouts,
            settled: &self.settled,
            thorough: way.thorough,
            lines: &lines,
            line: present.unwrap_or(0),
            turn_off: &turn_off,
        };
        let spare = &mut self.spare;
        let screen = &mut self.screen;
        let mut refuses = |line: &Line<'_>, input: &Input, print| {
            screen.refuses((line.text, line.print), (input, print))
        };
        let steps = match self.workers.queue() {
            true => STEPS * count,
            false => STEPS_OF_SLOW,
        };
        let spare = || spare.pop().unwrap_or_default();
        let looked = likely(
            &looked_from,
            count,
            steps,
            &mut self.prints,
            &mut refuses,
            spare,
        );
        Found {
            end: looked.end.filter(|_| present.is_some()),
            ..looked
        }
    }

    /// Up to so many tests all over the list at work, those under way included.
    fn scout(&mut self, count: usize, applied: &Applied) -> Vec<Likely> {
        let workers = &self.workers;
        self.scouts.keep(|print| workers.has(print));
        let mut found = vec![];
        while self.scouts.under_way() < count
            && let Some(scout) = self.scouts.next()
        {
            let proposal = self
                .scouts
                .list()
                .map(|list| list.edit(std::slice::from_ref(&scout.1)));
            let Some(edit) = proposal.and_then(|proposal| applied.rebase(&proposal).ok()) else {
                continue;
            };
            let (input, print) = self
                .base
                .apply_in(&edit, self.spare.pop().unwrap_or_default());
            self.scouts.sent(print, scout);
            let known = if self.is_malformed(&input, print) {
                Some(false)
            } else {
                self.cache.peek(print).map(Kind::is_fail)
            };
            if known.is_some() {
                self.scouts.returned(print, known);
                self.recycle(input);
                continue;
            }
            found.push(Likely {
                print,
                probability: 0.0,
                of: self.base_print,
                edit,
                input: Some(input),
            });
        }
        found
    }
}
