//! The choice between two derivations of the same text by their first difference.

use super::chart::Chart;
use super::item::{Child, LastStep, NONE};
use super::productions::{Makes, Step};
use super::tables::State;
use std::cmp::Ordering;

/// A part of a derivation: an iteration of a repetition, an operator with its operand, or a whole
/// production.
struct Segment {
    /// The rank of the alternative.
    rank: u32,
    /// The steps, with the state after each.
    children: Vec<(State, Child)>,
    /// Whether it is rather left out.
    lazy: bool,
}

impl Chart<'_> {
    /// Compares two derivations that begin at the same position, as a parser would that reads the
    /// text from left to right and takes the first alternative that leads to its end: an optional
    /// part is rather taken than left out, and a repetition or an operand is rather continued than
    /// ended. `Less` means that `a` is preferred.
    ///
    /// This is how ANTLR resolves an ambiguity (T. Parr, S. Harwell, K. Fisher, "Adaptive LL(*)
    /// Parsing", 2014). The chart must be without shortcuts of Leo's method.
    ///
    /// * *Cost:* the size of the parts that differ, up to the first difference. This cost counts as
    ///   steps of the parse.
    pub(super) fn leftmost(&mut self, a: LastStep, b: LastStep) -> Ordering {
        let mut steps = 0;
        let order = self.compare(a, b, &mut steps);
        self.steps.left = self.steps.left.saturating_sub(steps);
        order
    }

    /// Compares two derivations, and counts the segments that were compared.
    fn compare(&self, mut a: LastStep, mut b: LastStep, steps: &mut u64) -> Ordering {
        loop {
            *steps += 2;
            let (mut left_a, segment) = self.segment(a);
            let mut segments_a = vec![segment];
            let (mut left_b, segment) = self.segment(b);
            let mut segments_b = vec![segment];
            // Records are ordered by their ends, so the longer record is taken apart.
            while left_a != left_b {
                let (left, segments) = match left_a > left_b {
                    true => (&mut left_a, &mut segments_a),
                    false => (&mut left_b, &mut segments_b),
                };
                let Some(record) = *left else {
                    break;
                };
                let (before, segment) = self.segment(self.way_of(record));
                *left = before;
                segments.push(segment);
                *steps += 1;
            }
            (a, b) = loop {
                let (of_a, of_b) = match (segments_a.pop(), segments_b.pop()) {
                    (None, None) => return Ordering::Equal,
                    (None, Some(more)) if more.lazy => return Ordering::Less,
                    (Some(more), None) if more.lazy => return Ordering::Greater,
                    (None, Some(_)) => return Ordering::Greater,
                    (Some(_), None) => return Ordering::Less,
                    (Some(of_a), Some(of_b)) => (of_a, of_b),
                };
                if of_a.rank != of_b.rank {
                    return of_a.rank.cmp(&of_b.rank);
                }
                let pairs = of_a.children.iter().zip(&of_b.children);
                let differ = pairs
                    .map(|(&(state, a), &(_, b))| (state, a, b))
                    .find(|(_, a, b)| a.record() != b.record());
                match differ {
                    None => {}
                    Some((state, a, b)) => match (a.record(), b.record()) {
                        (Some(a), Some(b)) => break (self.way_of(a), self.way_of(b)),
                        (Some(a), None) => return self.against_nothing(a, state),
                        (None, Some(b)) => return self.against_nothing(b, state).reverse(),
                        (None, None) => {}
                    },
                }
            };
        }
    }

    /// Compares a derivation of a text with a derivation of no text, of the nonterminal before
    /// `state`.
    fn against_nothing(&self, record: u32, state: State) -> Ordering {
        let Step::Nonterminal { symbol, .. } = self.tables.step_before(state) else {
            return Ordering::Less;
        };
        let nothing = self.tables.null[symbol as usize];
        let rank = |production: u32| self.tables.rank.get(production as usize).copied();
        let item = self.records[record as usize].item;
        let taken = self.tables.production[self.items[item as usize].state as usize];
        // With equal alternatives, the derivation of a non-empty text comes first: it continues
        // where the other one ends.
        rank(taken).cmp(&rank(nothing)).then(Ordering::Less)
    }

    fn way_of(&self, record: u32) -> LastStep {
        self.way(self.records[record as usize].item)
    }

    /// Returns the last segment of a derivation, and the record of the segments before it.
    fn segment(&self, mut way: LastStep) -> (Option<u32>, Segment) {
        let lowered = &self.tables.lowered;
        // A precedence level is replaced with the nonterminal that it derives.
        let (number, production) = loop {
            let number = self.tables.production[way.state as usize];
            let production = &lowered.productions[number as usize];
            let makes = lowered.nonterminals[production.lhs as usize].makes;
            match way.child.record() {
                Some(record) if makes == Makes::Level => {
                    way = self.way_of(record);
                }
                _ => break (number, production),
            }
        };
        let base = self.tables.base[number as usize];
        let mut children = Vec::with_capacity((way.state - base) as usize);
        let (mut state, mut child, mut before) = (way.state, way.child, way.before);
        loop {
            children.push((state, child));
            state -= 1;
            if before == NONE {
                break;
            }
            let item = &self.items[before as usize];
            (child, before) = (item.child, item.before);
        }
        children.extend(
            (base + 1..=state)
                .rev()
                .map(|state| (state, Child::NOTHING)),
        );
        children.reverse();
        let mut left = None;
        if production.goes_on
            && let Some(&(_, first)) = children.first()
        {
            children.remove(0);
            left = first.record().map(|record| self.within_levels(record));
        }
        let rank = match (production.goes_on, production.decision) {
            (true, Some((_, index))) => index,
            (true, None) => 0,
            (false, _) => self.tables.rank[number as usize],
        };
        let rank = match (
            lowered.nonterminals[production.lhs as usize].makes,
            production.decision,
        ) {
            // Each alternative of a rule with operators has a nonterminal of its own.
            (Makes::Rule(_), Some((_, index))) => index,
            _ => rank,
        };
        let lazy = production.lazy;
        let segment = Segment {
            rank,
            children,
            lazy,
        };
        (left, segment)
    }

    /// Returns the record that a level of precedence consists of.
    fn within_levels(&self, mut record: u32) -> u32 {
        loop {
            let symbol = self.records[record as usize].symbol;
            let makes = self.tables.lowered.nonterminals[symbol as usize].makes;
            let child = self.way_of(record).child;
            match child.record() {
                Some(inner) if makes == Makes::Level => record = inner,
                _ => return record,
            }
        }
    }
}
