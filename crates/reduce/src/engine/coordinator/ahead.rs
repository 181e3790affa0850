//! What further workers do while the logical path waits for a verdict.

use super::super::cache::Kind;
use super::super::speculate::{Found, Likely, Present, Stage, likely};
use super::path::Awaited;
use super::{Coordinator, HUGE, LARGE, NEAR, PRINTS};
use crate::edit::Applied;
use crate::input::Input;
use crate::work::Machine;

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
        if self.prints.len() > PRINTS {
            self.prints.clear();
        }
        // Each other worker has one, and every worker one to go on with.
        let count = if self.base.size() <= LARGE {
            2 * others + 1
        } else {
            others
        };
        let mut likely = loop {
            let found = self.likely(machine, applied, awaited, count);
            if !found.is_at_end || found.tests.len() >= others || !self.open_upcoming() {
                break found.tests;
            }
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
        let (scouts, merging) = (&self.scouts, &self.merging);
        let go_on = self.may_go_on(awaited);
        let merge = merging.under_way().map(|merge| merge.print);
        self.workers.cancel_except(|running| {
            running == asked
                || scouts.is_under_way(running)
                || likely[..keep].iter().any(|likely| likely.print == running)
                || merge == Some(running)
                || go_on && merging.tests(running)
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
        let stages: Vec<&Stage> = self.upcoming.stages().collect();
        let way = awaited.way;
        let present = Present {
            machine,
            edit: awaited.edit,
            print: awaited.print,
            last: way.last,
            odds: way.odds,
            patience: way.patience,
            base: &self.base,
            applied,
            cache: &self.cache,
            scouts: &self.scouts,
            merging: self.merges.then_some(&self.merging),
            settled: &self.settled,
            thorough: way.thorough,
            stages: &stages,
        };
        let spare = &mut self.spare;
        let (screen, base) = (&mut self.screen, (&self.base, self.base_print));
        let mut refuses = |input: &Input, print| screen.refuses(base, (input, print));
        likely(&present, count, &mut self.prints, &mut refuses, || {
            spare.pop().unwrap_or_default()
        })
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
            let Some(proposal) = proposal.filter(|proposal| !self.is_asked(proposal)) else {
                continue;
            };
            let Ok(edit) = applied.rebase(&proposal) else {
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
                proposal: Some(proposal),
                edit,
                input: Some(input),
            });
        }
        found
    }
}
