//! The rules that have begun at the position at which a text no longer fits.

use super::chart::Chart;
use super::item::Item;
use super::tables::{Next, has_bit};

/// The part of a text that a chart has read, as far as rules explain it.
#[derive(Debug, Default)]
pub(super) struct Begun {
    /// The items that are not complete, outermost first, each with its end. Each item ends where
    /// the next one starts.
    pub(super) items: Vec<(u32, u32)>,
    /// The record of a rule or repetition after the last of them.
    pub(super) last: Option<u32>,
}

impl Chart<'_> {
    /// Returns the part of the text up to the last position, made by [`Chart::reach`], as far as
    /// rules explain it.
    ///
    /// Of several possibilities, it is the one whose innermost part begins first, then the one
    /// whose next part does, and so on. The complete parts of it are then as long as possible.
    pub(super) fn begun(&self) -> Begun {
        let end = self.places.len() as u32 - 1;
        let here = self.places.last().map_or(0, |place| place.items);
        let mut begun = Begun::default();
        let Some(mut at) = self.items[here as usize..]
            .iter()
            .map(|item| item.origin)
            .min()
        else {
            return begun;
        };
        let mut symbol = match self.island(at) {
            Some(record) => {
                begun.last = Some(record);
                self.records[record as usize].symbol
            }
            None => {
                let open = here..self.items.len() as u32;
                let is_open = |&item: &u32| {
                    let state = self.items[item as usize].state;
                    !matches!(self.tables.next[state as usize], Next::Complete(_))
                };
                let Some(item) = open.filter(is_open).min_by_key(|&item| self.key(item)) else {
                    return begun;
                };
                begun.items.push((item, end));
                at = self.items[item as usize].origin;
                self.symbol_of(item)
            }
        };
        while at > 0 {
            let waiting = self.all_waiting_at(at).iter();
            let begins =
                |(wanted, _): &&(u32, u32)| has_bit(self.tables.corners(*wanted), symbol as usize);
            let around = waiting.filter(begins).map(|&(_, item)| item);
            let Some(item) = around.min_by_key(|&item| self.key(item)) else {
                break;
            };
            begun.items.push((item, at));
            at = self.items[item as usize].origin;
            symbol = self.symbol_of(item);
        }
        begun.items.reverse();
        begun
    }

    /// Returns the preferred record of a rule or repetition from `origin` to the last place.
    fn island(&self, origin: u32) -> Option<u32> {
        let first = self.places.last().map_or(0, |place| place.records);
        let rank = |record: u32| {
            let record = self.records[record as usize];
            let rank = self.tables.islands[record.symbol as usize];
            (record.origin == origin).then_some(rank?)
        };
        let all = first..self.records.len() as u32;
        let ranked = all.filter_map(|record| Some((rank(record)?, record)));
        ranked.min().map(|(_, record)| record)
    }

    fn key(&self, item: u32) -> (u32, u32) {
        let Item { origin, state, .. } = self.items[item as usize];
        (origin, state)
    }

    /// Returns the nonterminal of which an item is a part.
    pub(super) fn symbol_of(&self, item: u32) -> u32 {
        let production = self.tables.production[self.items[item as usize].state as usize];
        self.tables.lowered.productions[production as usize].lhs
    }
}
