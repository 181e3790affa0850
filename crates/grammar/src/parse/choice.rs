//! The choice between the derivations of a text.

use super::chart::{Chart, Stuck};
use super::item::{Item, LastStep, NONE, Rejected};
use super::tables::{bits, has_bit, set_bit};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

impl Chart<'_> {
    /// Chooses between the derivations that a whole text can consist of, from the first end to the
    /// last. Comparing the many other derivations of a text would have no use.
    pub(super) fn choose(&mut self, whole: Option<u32>) -> Result<(), Stuck> {
        self.choose_in(whole.into_iter().collect(), vec![])
    }

    /// Chooses between the derivations that the given records and items can consist of.
    pub(super) fn choose_in(&mut self, records: Vec<u32>, items: Vec<u32>) -> Result<(), Stuck> {
        /// The maximum number of repetitions at a place, so that this ends in any case.
        const MAX_REPETITIONS: usize = 16;
        if self.rejected.is_empty() {
            return Ok(());
        }
        let mut rejected = std::mem::take(&mut self.rejected);
        let useful = self.useful(records, items, &rejected);
        let mut from = 0;
        for to in std::mem::take(&mut self.rejected_up_to) {
            // The preference in one derivation may depend on another one, so the choice is repeated
            // until nothing changes.
            for _ in 0..MAX_REPETITIONS {
                let mut changed = false;
                for at in (from..to).filter(|&at| useful[at]) {
                    changed |= self.choose_between(&mut rejected[at]);
                    let at = self.places.len();
                    if self.steps.left == 0 {
                        return Err(Stuck::Steps { at });
                    }
                    if self.is_over() {
                        return Err(Stuck::Ended);
                    }
                }
                if !changed {
                    break;
                }
            }
            from = to;
        }
        Ok(())
    }

    /// Returns which of the other derivations the given records and items can consist of.
    pub(super) fn useful(
        &self,
        mut records: Vec<u32>,
        mut items: Vec<u32>,
        rejected: &[Rejected],
    ) -> Vec<bool> {
        let mut of_record: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        let mut of_item: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (at, other) in rejected.iter().enumerate() {
            match *other {
                Rejected::Item { record, .. } => of_record.entry(record).or_default().push(at),
                Rejected::LastStep { item, .. } => of_item.entry(item).or_default().push(at),
            }
        }
        let mut useful = vec![false; rejected.len()];
        let mut records_seen = bits(self.records.len());
        let mut items_seen = bits(self.items.len());
        loop {
            if let Some(item) = items.pop() {
                if item == NONE || has_bit(&items_seen, item as usize) {
                    continue;
                }
                set_bit(&mut items_seen, item as usize);
                let Item { before, child, .. } = self.items[item as usize];
                items.push(before);
                records.extend(child.record());
                for &at in of_item.get(&item).into_iter().flatten() {
                    useful[at] = true;
                    if let Rejected::LastStep { before, child, .. } = rejected[at] {
                        items.push(before);
                        records.extend(child.record());
                    }
                }
            } else if let Some(record) = records.pop() {
                if has_bit(&records_seen, record as usize) {
                    continue;
                }
                set_bit(&mut records_seen, record as usize);
                items.push(self.records[record as usize].item);
                for &at in of_record.get(&record).into_iter().flatten() {
                    useful[at] = true;
                    if let Rejected::Item { item, .. } = rejected[at] {
                        items.push(item);
                    }
                }
            } else {
                return useful;
            }
        }
    }

    /// Compares a derivation with the chosen one, and exchanges them if it is preferred. Returns
    /// whether it is.
    pub(super) fn choose_between(&mut self, other: &mut Rejected) -> bool {
        match other {
            Rejected::Item { record, item } => {
                let best = self.records[*record as usize].item;
                let better = self.preferred(*item, best);
                if better {
                    self.records[*record as usize].item = std::mem::replace(item, best);
                }
                better
            }
            Rejected::LastStep {
                item,
                before,
                child,
            } => {
                let known = self.way(*item);
                let new = LastStep {
                    before: *before,
                    child: *child,
                    ..known
                };
                let better = self.leftmost(new, known) == Ordering::Less;
                if better {
                    let chosen = &mut self.items[*item as usize];
                    (chosen.before, chosen.child) = (new.before, new.child);
                    (*before, *child) = (known.before, known.child);
                }
                better
            }
        }
    }

    /// Returns the last step of an item.
    pub(super) fn way(&self, item: u32) -> LastStep {
        let Item {
            state,
            before,
            child,
            ..
        } = self.items[item as usize];
        LastStep {
            state,
            before,
            child,
        }
    }

    /// Returns whether item `a` is preferred to `b`. Both derivations are complete over the same
    /// text.
    ///
    /// A derivation with a cycle never replaces another one, so every chosen derivation is finite.
    pub(super) fn preferred(&mut self, a: u32, b: u32) -> bool {
        let key = |i: u32| {
            let item = &self.items[i as usize];
            let production = self.tables.production[item.state as usize];
            (
                item.child.is_cyclic(),
                self.tables.rank[production as usize],
            )
        };
        if self.tables.leftmost && !key(a).0 && !key(b).0 {
            return self.leftmost(self.way(a), self.way(b)) == Ordering::Less;
        }
        !key(a).0 && key(a) < key(b)
    }
}
