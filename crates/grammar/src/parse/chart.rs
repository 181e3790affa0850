//! The chart: the dotted productions that hold at each position.

use super::item::{Child, Every, Item, NONE, Record, Rejected};
use super::seen::{Seen, hash};
use super::tables::{Bits, Next, State, Tables, add_bits, bits, has_bit};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::sync::atomic::{self, AtomicBool};

/// The start of a position's part in each arena.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) items: u32,
    pub(super) records: u32,
    waiting: u32,
    predicted: u32,
}

/// The nonterminals predicted at a place, shared by all places with the same set.
#[derive(Debug)]
struct Predicted {
    symbols: Bits,
    /// The class of the next byte.
    class: u16,
    /// The states after the next byte.
    shifts: Box<[State]>,
}

/// The maximum work for a chart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub(super) left: u64,
    /// The amount that each position adds.
    pub(super) each: u64,
}

/// The reason why a chart is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stuck {
    /// No item survives at this place.
    At(usize),
    /// The chart is larger than the limit in bytes, at this place.
    Memory { at: usize },
    /// The parse took more steps than the limit, at this place.
    Steps { at: usize },
    /// The caller has ended the parse.
    Ended,
}

/// An Earley chart, built from left to right.
///
/// * J. Earley, "An efficient context-free parsing algorithm" (1970), with right recursion after J.
///   Leo, "A general context-free parsing algorithm running in linear time on every LR(k) grammar
///   without using lookahead" (1991), and nothing derived in advance after J. Aycock, R. N.
///   Horspool, "Practical Earley parsing" (2002).
/// * *Changed:* predicted items are not stored. They depend only on the set of predicted
///   nonterminals. All positions with the same set share it, together with the states to which the
///   next byte leads. Every item has therefore passed some text, its children are strictly before
///   it, and the chart has no empty derivations. One byte of lookahead removes most useless items
///   early.
/// * *Changed:* of several ways to the same item, only the preferred one is kept, unless the caller
///   requests all. An ambiguous text therefore needs no more memory than its items.
/// * *Cost:* linear for LR(k) grammars, at most cubic time and quadratic memory.
#[derive(Debug)]
pub(super) struct Chart<'t> {
    pub(super) tables: &'t Tables,
    pub(super) items: Vec<Item>,
    pub(super) records: Vec<Record>,
    /// The items before a nonterminal, sorted by the nonterminal within each place.
    waiting: Vec<(u32, u32)>,
    pub(super) places: Vec<Place>,
    predicted: Vec<Predicted>,
    /// The sets with the same hash.
    by_hash: FxHashMap<u64, Vec<u32>>,
    /// The set under construction, kept to reuse its memory.
    asked: Bits,
    predictions: FxHashMap<(u32, u16), Bits>,
    /// The end of the chain that a completed nonterminal sets off, by its origin and symbol.
    leo: FxHashMap<(u32, u32), (State, u32)>,
    seen_items: Seen,
    seen_records: Seen,
    /// The items that the next byte advances.
    shifting: Vec<u32>,
    /// The emptied list that `shifting` was at the previous place, kept to reuse its memory.
    spare: Vec<u32>,
    /// All ways to each item and each record, if the caller requests them.
    pub(super) every: Option<Every>,
    /// The number of times another way to an existing item or record was found.
    pub(super) ambiguities: u64,
    /// The maximum size in bytes.
    pub(super) memory: usize,
    /// The number of items that may still be visited, and the number that each position adds.
    pub(super) steps: Steps,
    /// Whether the parse has to end, if the caller may stop it.
    end: Option<&'t AtomicBool>,
    /// The start of the part of `waiting` of the current place.
    making: usize,
    /// Whether any rule or repetition may begin at the first place, and not only the start symbol.
    anywhere: bool,
    /// The other derivations, in the order of their ends, if those are compared from the left.
    pub(super) rejected: Vec<Rejected>,
    /// The number of these at the end of each position that has rejected items.
    pub(super) rejected_up_to: Vec<usize>,
}

impl<'t> Chart<'t> {
    /// Creates an empty chart. `memory` is the maximum number of bytes, `steps` the maximum number
    /// of visited items, new or not, and `every` requests that all ways are kept.
    pub(super) fn new(tables: &'t Tables, memory: usize, steps: Steps, every: bool) -> Self {
        Chart {
            tables,
            items: vec![],
            records: vec![],
            waiting: vec![],
            places: vec![],
            predicted: vec![Predicted {
                symbols: bits(tables.nullable.len()),
                class: tables.classes.end,
                shifts: [].into(),
            }],
            by_hash: FxHashMap::default(),
            asked: bits(tables.nullable.len()),
            predictions: FxHashMap::default(),
            leo: FxHashMap::default(),
            seen_items: Seen::default(),
            seen_records: Seen::default(),
            shifting: vec![],
            spare: vec![],
            every: every.then(Every::default),
            ambiguities: 0,
            memory,
            steps,
            end: None,
            making: 0,
            anywhere: false,
            rejected: vec![],
            rejected_up_to: vec![],
        }
    }

    /// Sets a flag with which a caller ends the parse.
    pub(super) fn ended_by(mut self, end: Option<&'t AtomicBool>) -> Self {
        self.end = end;
        self
    }

    /// Reads the whole text, given as classes. Returns the record of the start symbol over all of
    /// it.
    ///
    /// An empty text has no record. An empty text fits exactly if the start symbol is nullable.
    pub(super) fn read(&mut self, classes: &[u16]) -> Result<Option<u32>, Stuck> {
        let tables = self.tables;
        let start = tables.lowered.start;
        for at in 0..=classes.len() {
            let class = classes.get(at).copied().unwrap_or(tables.classes.end);
            let first_record = self.place(at, class, tables.look(class))?;
            if at < classes.len() && !self.goes_on() {
                return Err(Stuck::At(at));
            }
            if at == classes.len() {
                if at == 0 {
                    return match tables.nullable[start as usize] {
                        true => Ok(None),
                        false => Err(Stuck::At(0)),
                    };
                }
                let mut whole = first_record..self.records.len();
                let whole =
                    whole.find(|&r| (self.records[r].symbol, self.records[r].origin) == (start, 0));
                return whole.map(|r| Some(r as u32)).ok_or(Stuck::At(at));
            }
        }
        Err(Stuck::At(classes.len()))
    }

    /// Empties the chart, so that it can read another text. The steps that are left stay the same.
    pub(super) fn restart(&mut self, anywhere: bool) {
        self.items.clear();
        self.records.clear();
        self.waiting.clear();
        self.places.clear();
        self.leo.clear();
        self.shifting.clear();
        self.rejected.clear();
        self.rejected_up_to.clear();
        self.anywhere = anywhere;
    }

    /// Reads the text, given as classes, up to the first position at which no rule continues.
    /// Returns that position, whose items are then made for any next byte.
    pub(super) fn reach(&mut self, classes: &[u16]) -> Result<usize, Stuck> {
        let tables = self.tables;
        for at in 0..=classes.len() {
            let rejected = (self.rejected.len(), self.rejected_up_to.len());
            let class = classes.get(at).copied().unwrap_or(tables.classes.end);
            let reached = match self.place(at, class, tables.look(class)) {
                Ok(_) if at < classes.len() && self.goes_on() => continue,
                Ok(_) => at,
                Err(Stuck::At(reached)) => reached,
                Err(stuck) => return Err(stuck),
            };
            if reached > 0 {
                self.rejected.truncate(rejected.0);
                self.rejected_up_to.truncate(rejected.1);
                self.remake(reached)?;
            }
            return Ok(reached);
        }
        Ok(0)
    }

    /// Returns whether the next byte leads to another place.
    fn goes_on(&self) -> bool {
        let predicted = self.places.last().map(|place| place.predicted as usize);
        !self.shifting.is_empty()
            || predicted.is_some_and(|set| !self.predicted[set].shifts.is_empty())
    }

    /// Computes the items of the next place, whose next byte is of `class`. Returns its first
    /// record.
    fn place(&mut self, at: usize, class: u16, look: &[u64]) -> Result<usize, Stuck> {
        let items = self.items.len();
        let records = self.records.len();
        let waiting = self.waiting.len();
        self.making = waiting;
        self.steps.left = self.steps.left.saturating_add(self.steps.each);
        self.seen_items.clear();
        self.seen_records.clear();
        let mut here = Here {
            at: at as u32,
            items,
            records,
            look,
            // Derivations can only be compared if they are complete.
            straight: self.every.is_some() || self.tables.leftmost,
        };
        if let Some(&before) = self.places.last() {
            let spare = std::mem::take(&mut self.spare);
            let mut moving = std::mem::replace(&mut self.shifting, spare);
            for &item in &moving {
                let Item { state, origin, .. } = self.items[item as usize];
                self.add(&here, state + 1, origin, item, Child(Child::BYTE));
            }
            moving.clear();
            self.spare = moving;
            for i in 0..self.predicted[before.predicted as usize].shifts.len() {
                let state = self.predicted[before.predicted as usize].shifts[i];
                self.add(&here, state, at as u32 - 1, NONE, Child(Child::BYTE));
            }
            self.complete_all(&mut here)?;
            if self.rejected_up_to.last().copied().unwrap_or(0) < self.rejected.len() {
                self.rejected_up_to.push(self.rejected.len());
            }
        }
        self.waiting[waiting..].sort_unstable();
        let predicted = self.predict(at, class, waiting);
        self.places.push(Place {
            items: items as u32,
            records: records as u32,
            waiting: waiting as u32,
            predicted,
        });
        if at > 0 && items == self.items.len() {
            // The first byte selects the items that begin at the first position. If no such item
            // exists, the error is at that byte, and not at this position.
            let begins = &self.predicted[self.places[0].predicted as usize].shifts;
            let is_first = at == 1 && begins.is_empty();
            return Err(Stuck::At(if is_first { 0 } else { at }));
        }
        Ok(records)
    }

    /// Returns whether the caller has ended the parse.
    pub(super) fn is_over(&self) -> bool {
        self.end
            .is_some_and(|end| end.load(atomic::Ordering::Relaxed))
    }

    fn complete_all(&mut self, here: &mut Here<'_>) -> Result<(), Stuck> {
        let mut next = here.records;
        while next < self.records.len() {
            if self.bytes() > self.memory || self.records.len() >= Child::RECORDS as usize {
                let at = here.at as usize;
                return Err(Stuck::Memory { at });
            }
            if self.is_over() {
                return Err(Stuck::Ended);
            }
            if self.steps.left == 0 {
                let at = here.at as usize;
                return Err(Stuck::Steps { at });
            }
            if self.complete(here, next as u32) {
                next += 1;
            } else {
                // Two chains end in the same item. The preferred chain is decided where both part,
                // so all chains of this position are walked step by step.
                here.straight = true;
                next = here.records;
            }
        }
        Ok(())
    }

    /// Advances every item that waits for a record. Returns `false` if a shortcut was wrong.
    fn complete(&mut self, here: &Here<'_>, record: u32) -> bool {
        let Record { symbol, origin, .. } = self.records[record as usize];
        if self.tables.ends_right[symbol as usize]
            && !here.straight
            && let Some((state, top)) = self.leo(origin, symbol)
        {
            return self.add(here, state, top, NONE, Child(record | Child::LEO));
        }
        let mut fits = true;
        for i in self.waiting_for(origin, symbol) {
            let item = self.waiting[i].1;
            let Item {
                state,
                origin: begin,
                ..
            } = self.items[item as usize];
            let child = self.child(state + 1, begin, record, origin);
            fits &= self.add(here, state + 1, begin, item, child);
        }
        let tables = self.tables;
        let predicted = self.places[origin as usize].predicted as usize;
        for &(state, lhs) in &tables.leads[symbol as usize] {
            if has_bit(&self.predicted[predicted].symbols, lhs as usize) {
                let child = self.child(state, origin, record, origin);
                fits &= self.add(here, state, origin, NONE, child);
            }
        }
        fits
    }

    fn child(&self, state: State, begin: u32, record: u32, origin: u32) -> Child {
        if begin == origin && self.tables.cyclic[state as usize] {
            Child(record | Child::CYCLIC)
        } else {
            Child(record)
        }
    }

    /// Returns the items that wait at a position, with the symbols they wait for.
    pub(super) fn all_waiting_at(&self, place: u32) -> &[(u32, u32)] {
        let bound = |place: u32| self.places.get(place as usize).map(|p| p.waiting as usize);
        let end = bound(place + 1).unwrap_or(self.waiting.len());
        &self.waiting[bound(place).unwrap_or(end)..end]
    }

    /// Returns the items of [`Chart::waiting`] that wait at a place for a symbol.
    fn waiting_for(&self, place: u32, symbol: u32) -> std::ops::Range<usize> {
        let start = self.places[place as usize].waiting as usize;
        let end = match self.places.get(place as usize + 1) {
            Some(next) => next.waiting as usize,
            None => self.making,
        };
        let all = &self.waiting[start..end];
        let from = if all.len() > 16 {
            all.partition_point(|entry| entry.0 < symbol)
        } else {
            all.iter().take_while(|entry| entry.0 < symbol).count()
        };
        let count = all[from..]
            .iter()
            .take_while(|entry| entry.0 == symbol)
            .count();
        start + from..start + from + count
    }

    /// Adds an item if it can lead to a complete parse. Returns `false` if a shortcut of Leo's
    /// method leads to the same item in another way.
    fn add(
        &mut self,
        here: &Here<'_>,
        mut state: State,
        origin: u32,
        mut before: u32,
        mut child: Child,
    ) -> bool {
        loop {
            if !has_bit(here.look, state as usize) {
                return true;
            }
            self.steps.left = self.steps.left.saturating_sub(1);
            let new = self.items.len() as u32;
            let hash = hash(state, origin);
            let items = &self.items;
            let same = |i: u32| {
                let item = &items[i as usize];
                (item.state, item.origin) == (state, origin)
            };
            if let Some(old) = self.seen_items.insert(hash, here.items as u32, new, same) {
                return self.another_way(here, old, before, child);
            }
            self.items.push(Item {
                state,
                origin,
                before,
                child,
            });
            match self.tables.next[state as usize] {
                Next::Terminal => {
                    self.shifting.push(new);
                    return true;
                }
                Next::Nonterminal(symbol) => {
                    self.waiting.push((symbol, new));
                    if !self.tables.nullable[symbol as usize] {
                        return true;
                    }
                    // The next step may also derive the empty text.
                    state += 1;
                    before = new;
                    child = Child(Child::NULL | (child.0 & Child::CYCLIC));
                }
                Next::Complete(symbol) => {
                    self.completed(here, symbol, origin, new);
                    return true;
                }
            }
        }
    }

    fn completed(&mut self, here: &Here<'_>, symbol: u32, origin: u32, item: u32) {
        let new = self.records.len() as u32;
        let records = &self.records;
        let same = |r: u32| {
            let record = &records[r as usize];
            (record.symbol, record.origin) == (symbol, origin)
        };
        let hash = hash(symbol, origin);
        match self
            .seen_records
            .insert(hash, here.records as u32, new, same)
        {
            None => self.records.push(Record {
                symbol,
                origin,
                item,
            }),
            Some(record) => {
                self.ambiguities += 1;
                let best = self.records[record as usize].item;
                if let Some(every) = &mut self.every {
                    every.records.entry(record).or_insert(vec![best]).push(item);
                }
                if self.tables.leftmost {
                    self.rejected.push(Rejected::Item { record, item });
                } else if self.preferred(item, best) {
                    self.records[record as usize].item = item;
                }
            }
        }
    }

    /// Records another way to an existing item. Returns `false` if that makes a shortcut wrong.
    fn another_way(&mut self, here: &Here<'_>, index: u32, before: u32, child: Child) -> bool {
        let old = self.items[index as usize];
        if (old.before, old.child) == (before, child) {
            return true;
        }
        if child.is_leo() {
            return false;
        }
        if old.child.is_leo() {
            let item = &mut self.items[index as usize];
            (item.before, item.child) = (before, child);
            return here.straight;
        }
        self.ambiguities += 1;
        if let Some(every) = &mut self.every {
            let first = vec![(old.before, old.child)];
            every
                .items
                .entry(index)
                .or_insert(first)
                .push((before, child));
        }
        if child.is_cyclic() {
            return true;
        }
        if self.tables.leftmost && !old.child.is_cyclic() {
            self.rejected.push(Rejected::LastStep {
                item: index,
                before,
                child,
            });
            return true;
        }
        let (old_split, split) = (self.split(here, old.child), self.split(here, child));
        let production = self.tables.production[old.state as usize] as usize;
        let better = match self.tables.lowered.productions[production].right {
            false => split > old_split,
            true => split < old_split,
        };
        if better || old.child.is_cyclic() {
            let item = &mut self.items[index as usize];
            (item.before, item.child) = (before, child);
        }
        true
    }

    /// Returns the place where the last step begins.
    fn split(&self, here: &Here<'_>, child: Child) -> u32 {
        match child.record() {
            Some(record) => self.records[record as usize].origin,
            None if child.is_null() => here.at,
            None => here.at - 1,
        }
    }

    /// Returns the top of the chain of completions that a completed symbol sets off, if there is
    /// exactly one chain.
    fn leo(&mut self, origin: u32, symbol: u32) -> Option<(State, u32)> {
        let mut path = vec![];
        let mut at = (origin, symbol);
        let mut top = loop {
            if let Some(&known) = self.leo.get(&at) {
                break Some(known);
            }
            let Some((state, begin, _)) = self.only_waiter(at.0, at.1) else {
                break None;
            };
            path.push((at, (state, begin)));
            let Next::Complete(lhs) = self.tables.next[state as usize] else {
                break None;
            };
            at = (begin, lhs);
            if !self.tables.ends_right[lhs as usize] {
                break None;
            }
        };
        for (at, own) in path.into_iter().rev() {
            let found = *top.get_or_insert(own);
            self.leo.insert(at, found);
        }
        top
    }

    /// Returns the advanced item that waits for a symbol at a position, if it is the only one and
    /// is complete then: its state, its origin, and the previous item (or [`NONE`]).
    pub(super) fn only_waiter(&self, place: u32, symbol: u32) -> Option<(State, u32, u32)> {
        if place == 0 && (self.anywhere || symbol == self.tables.lowered.start) {
            // The end of the text or of an island also waits for the symbol.
            return None;
        }
        let waiting = self.waiting_for(place, symbol);
        let predicted = &self.predicted[self.places[place as usize].predicted as usize].symbols;
        let mut led = self.tables.leads[symbol as usize]
            .iter()
            .filter(|(_, lhs)| has_bit(predicted, *lhs as usize));
        let (state, begin, before) = match (waiting.len(), led.next()) {
            (1, None) => {
                let item = self.waiting[waiting.start].1;
                let Item { state, origin, .. } = self.items[item as usize];
                (state + 1, origin, item)
            }
            (0, Some(&(state, _))) if led.next().is_none() => (state, place, NONE),
            _ => return None,
        };
        let complete = matches!(self.tables.next[state as usize], Next::Complete(_));
        (complete && !self.tables.cyclic[state as usize]).then_some((state, begin, before))
    }

    /// Returns the set of nonterminals that the items at a place predict. Places with the same set
    /// share it.
    fn predict(&mut self, at: usize, class: u16, waiting: usize) -> u32 {
        if class == self.tables.classes.end {
            return 0;
        }
        let tables = self.tables;
        let (asked, predictions) = (&mut self.asked, &mut self.predictions);
        asked.fill(0);
        let mut ask = |symbol: u32| {
            let corners = predictions
                .entry((symbol, class))
                .or_insert_with(|| match symbol {
                    NONE => tables.predict_islands(class),
                    symbol => tables.predict(symbol, class),
                });
            add_bits(asked, corners);
        };
        if at == 0 {
            ask(if self.anywhere {
                NONE
            } else {
                tables.lowered.start
            });
        }
        let mut last = NONE;
        for &(symbol, _) in &self.waiting[waiting..] {
            if symbol != last {
                ask(symbol);
                last = symbol;
            }
        }
        let mut hasher = FxHasher::default();
        hasher.write_u16(class);
        self.asked.iter().for_each(|&word| hasher.write_u64(word));
        let known = self.by_hash.entry(hasher.finish()).or_default();
        let same = |&&index: &&u32| {
            let predicted = &self.predicted[index as usize];
            predicted.class == class && predicted.symbols == self.asked
        };
        if let Some(&known) = known.iter().find(same) {
            return known;
        }
        let new = self.predicted.len() as u32;
        known.push(new);
        self.predicted.push(Predicted {
            symbols: self.asked.clone(),
            class,
            shifts: tables.shifts(&self.asked, class),
        });
        new
    }

    /// Returns the number of bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.items.len() * size_of::<Item>()
            + self.records.len() * size_of::<Record>()
            + self.waiting.len() * size_of::<(u32, u32)>()
            + self.places.len() * size_of::<Place>()
            + self.rejected.len() * size_of::<Rejected>()
            + self.leo.len() * 2 * size_of::<((u32, u32), (State, u32))>()
            + self
                .every
                .as_ref()
                .map_or(0, |_| self.ambiguities as usize * 32)
    }

    /// Returns the states that a position would have if any byte could come next, and the
    /// nonterminals that they predict. States and nonterminals are used for the description of the
    /// expected tokens. The position must be the last one that was begun.
    pub(super) fn expected(&mut self, at: usize) -> (Vec<State>, Bits) {
        let mut asked = bits(self.tables.nullable.len());
        if at == 0 {
            add_bits(&mut asked, self.tables.corners(self.tables.lowered.start));
            return (vec![], asked);
        }
        let items = match self.places.get(at) {
            Some(place) => place.items as usize,
            None => self.items.len(),
        };
        // If the memory limit is reached at this point, only the list of expected tokens is
        // shorter.
        let _ = self.remake(at);
        let states = self.items[items..].iter().map(|item| item.state).collect();
        for &(symbol, item) in &self.waiting {
            if item as usize >= items {
                add_bits(&mut asked, self.tables.corners(symbol));
            }
        }
        (states, asked)
    }

    /// Computes the last place again, with all its items, without lookahead.
    fn remake(&mut self, at: usize) -> Result<(), Stuck> {
        while self.places.len() > at {
            let Some(place) = self.places.pop() else {
                break;
            };
            self.items.truncate(place.items as usize);
            self.records.truncate(place.records as usize);
            self.waiting.truncate(place.waiting as usize);
        }
        let before = self.places.last().copied().unwrap_or_default();
        self.shifting = (before.items..self.items.len() as u32)
            .filter(|&i| {
                let state = self.items[i as usize].state;
                matches!(self.tables.next[state as usize], Next::Terminal)
            })
            .collect();
        let all = vec![u64::MAX; self.tables.look(0).len()];
        self.place(at, self.tables.classes.end, &all).map(|_| ())
    }
}

/// The place under construction.
struct Here<'l> {
    at: u32,
    items: usize,
    records: usize,
    look: &'l [u64],
    /// Turns off the shortcuts of Leo's method.
    straight: bool,
}
