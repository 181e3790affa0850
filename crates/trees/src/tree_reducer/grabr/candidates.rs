//! The candidates that may replace a node.

use super::super::combinations::{Columns, smaller_combinations};
use super::state::{Alternative, Candidate, Part, Reducing, Ways};
use crate::tree::{Draft, LONGEST_PHRASE, Piece, Sort};
use nubbin_grammar::grammar::{SymbolId, SymbolKind};
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of ways to fill an alternative where new text is used.
const MOST_NEW: usize = 8;

/// The maximum number of ways to fill an alternative, with `all`.
const MOST_WAYS: usize = 1000;

impl Ways {
    pub(super) fn next(&mut self) -> Option<Candidate> {
        while self.count < self.below {
            let Some(alternative) = self.alternatives.get(self.at) else {
                (self.count, self.at) = (self.count + 1, 0);
                continue;
            };
            let inner = self.count.checked_sub(alternative.own);
            let parts = inner.and_then(|count| alternative.columns.next(count, &mut self.chosen));
            if let Some(parts) = parts {
                return Some(Candidate::Fill(alternative.symbol, parts.into()));
            }
            self.at += 1;
            self.chosen.clear();
        }
        None
    }
}

impl Reducing {
    pub(super) fn candidates(&self, child: Piece) -> (Vec<Candidate>, Option<Ways>) {
        let draft = &self.draft;
        let depth = self.depth;
        let mut found = vec![];
        let first_pass = depth.unwrap_or(0) == 0;
        let kind = draft.kind(child);
        let searches = depth != Some(0) && !self.is_too_flat(child, depth.map_or(2, |d| d + 1));
        if matches!(kind, NodeKind::Optional | NodeKind::Error) && first_pass {
            found.push(Candidate::Remove);
        }
        if kind == NodeKind::Repeat
            && first_pass
            && draft.outline().least_iterations(child.node) == 0
        {
            found.push(Candidate::Remove);
        }
        let symbols = self.symbols_at(child);
        let rows = || {
            let rows = symbols.iter();
            rows.flat_map(|&symbol| self.known.expansions.of_symbol(symbol))
        };
        // The subtrees of each symbol, in the order of the text.
        let mut below: FxHashMap<SymbolId, Vec<(Piece, u32)>> = FxHashMap::default();
        let mut has_empty = self.options.empty;
        if searches && draft.sorts(child).next().is_some() {
            for &symbol in rows().flat_map(|row| row.iter()) {
                below.entry(symbol).or_default();
                if self.options.generative {
                    let inner = self.known.expansions.of_symbol(symbol).iter();
                    for &symbol in inner.flat_map(|row| row.iter()) {
                        below.entry(symbol).or_default();
                    }
                }
            }
            let wanted = |at: u32| depth.is_none_or(|depth| depth == at);
            draft.each_below(child, depth.unwrap_or(u32::MAX), |piece, at| {
                has_empty |= wanted(at + 1) && self.has_empty_leaf(piece);
                if wanted(at) {
                    if draft.are_alike(child, piece) {
                        found.push(Candidate::Put(piece));
                    }
                    for sort in draft.sorts(piece) {
                        if let Sort::Symbol(symbol) = sort
                            && let Some(list) = below.get_mut(&symbol)
                        {
                            list.push((piece, 0));
                        }
                    }
                }
                true
            });
            for (piece, count) in below.values_mut().flatten() {
                *count = self.count(*piece);
            }
        }
        let searches = searches || (self.options.generative && kind == NodeKind::Rule);
        let mut ways = None;
        if searches {
            ways = self.fill(&symbols, &below, has_empty, child, &mut found);
        }
        (found, ways)
    }

    /// Returns the symbols of which a node is an instance.
    pub(super) fn symbols_at(&self, piece: Piece) -> Vec<SymbolId> {
        let names = self.draft.sorts(piece).filter_map(|sort| match sort {
            Sort::Symbol(symbol) => Some(symbol),
            _ => None,
        });
        names.collect()
    }

    /// Adds other alternatives, with the fewest nodes first. If every way to fill them is tried,
    /// they are returned instead.
    pub(super) fn fill(
        &self,
        symbols: &[SymbolId],
        below: &FxHashMap<SymbolId, Vec<(Piece, u32)>>,
        has_empty: bool,
        child: Piece,
        found: &mut Vec<Candidate>,
    ) -> Option<Ways> {
        let whole = self.count(child);
        let mut filled: Vec<(u32, Candidate)> = vec![];
        let nothing_new = self.depth.is_some_and(|depth| depth > 0)
            && below.values().all(Vec::is_empty)
            && (self.options.empty || !has_empty);
        if nothing_new {
            return None;
        }
        let makes_new = self.options.generative;
        let most = match (self.options.all, self.options.most) {
            (true, Some(most)) => most,
            (true, None) if makes_new => MOST_WAYS,
            (true, None) => return Some(self.ways(symbols, below, has_empty, whole)),
            _ if makes_new => MOST_NEW,
            _ => 1,
        };
        let rows = symbols.iter().flat_map(|&symbol| {
            let rows = self.known.expansions.of_symbol(symbol).iter();
            rows.map(move |row| (symbol, row))
        });
        for (symbol, row) in rows.filter(|(_, row)| has_empty || !row.is_empty()) {
            let columns: Option<Vec<Vec<(Part, u32)>>> = row
                .iter()
                .map(|&symbol| self.column(symbol, below))
                .collect();
            let Some(columns) = columns else { continue };
            // The node itself counts as well, and so does the leaf of an empty alternative.
            let own = 1 + u32::from(row.is_empty());
            let below = (whole + u32::from(self.options.generative)).saturating_sub(own);
            for (count, parts) in smaller_combinations(&columns, below, most) {
                let candidate = Candidate::Fill(symbol, parts.into());
                if count + own < whole || self.is_shorter(&candidate, child) {
                    filled.push((count + own, candidate));
                }
            }
            if self.options.generative {
                let smallest: Option<Vec<(Part, u32)>> =
                    row.iter().map(|&symbol| self.phrase(symbol)).collect();
                if let Some(parts) = smallest {
                    let count = parts.iter().map(|(_, count)| count).sum::<u32>();
                    let parts: Arc<[Part]> = parts.into_iter().map(|(part, _)| part).collect();
                    let candidate = Candidate::Fill(symbol, parts);
                    let is_smaller = count + own < whole
                        || count + own == whole && self.is_shorter(&candidate, child);
                    if is_smaller {
                        filled.push((count + own, candidate));
                    }
                }
            }
        }
        filled.sort_by_key(|&(count, _)| count);
        found.extend(filled.into_iter().map(|(_, candidate)| candidate));
        None
    }

    /// Returns all ways to fill other alternatives with subtrees.
    pub(super) fn ways(
        &self,
        symbols: &[SymbolId],
        below: &FxHashMap<SymbolId, Vec<(Piece, u32)>>,
        has_empty: bool,
        whole: u32,
    ) -> Ways {
        let rows = symbols.iter().flat_map(|&symbol| {
            let rows = self.known.expansions.of_symbol(symbol).iter();
            rows.map(move |row| (symbol, row))
        });
        let rows = rows.filter(|(_, row)| has_empty || !row.is_empty());
        let alternatives = rows.filter_map(|(symbol, row)| {
            let columns = row.iter().map(|&symbol| self.column(symbol, below));
            let columns: Vec<Vec<(Part, u32)>> = columns.collect::<Option<_>>()?;
            // The node itself counts as well, and so does the leaf of an empty alternative.
            let own = 1 + u32::from(row.is_empty());
            Some(Alternative {
                symbol,
                own,
                columns: Columns::new(columns, whole.saturating_sub(own)),
            })
        });
        Ways {
            alternatives: alternatives.collect(),
            below: whole,
            count: 0,
            at: 0,
            chosen: vec![],
        }
    }

    /// Returns whether a candidate has less text than a node. New text counts as two nodes for any
    /// length, since otherwise a created alternative would be kept although a shorter one with the
    /// same number of nodes exists.
    pub(super) fn is_shorter(&self, candidate: &Candidate, than: Piece) -> bool {
        let mut draft = self.draft.clone();
        let made = self.build(&mut draft, candidate);
        made.is_some_and(|made| draft.render(made).len() < draft.render(than).len())
    }

    /// Returns the parts that may fill a symbol of an alternative, or `None` if no part fits.
    pub(super) fn column(
        &self,
        symbol: SymbolId,
        below: &FxHashMap<SymbolId, Vec<(Piece, u32)>>,
    ) -> Option<Vec<(Part, u32)>> {
        let found = |symbol| below.get(&symbol).filter(|list| !list.is_empty());
        if let Some(list) = found(symbol) {
            let parts = list
                .iter()
                .map(|&(piece, count)| (Part::Found(piece), count));
            return Some(parts.collect());
        }
        if !self.options.generative {
            return None;
        }
        let mut made = vec![];
        for row in self.known.expansions.of_symbol(symbol) {
            let columns = row.iter().map(|&symbol| {
                let parts = found(symbol)?.iter();
                Some(parts.map(|&(piece, count)| (piece, count)).collect())
            });
            let Some(columns) = columns.collect::<Option<Vec<Vec<_>>>>() else {
                continue;
            };
            if !row.is_empty() {
                for (count, parts) in smaller_combinations(&columns, u32::MAX, MOST_NEW) {
                    made.push((Part::Filled(symbol, parts.into()), count + 1));
                }
            }
        }
        made.truncate(MOST_NEW);
        if made.is_empty() {
            made.extend(self.phrase(symbol));
        }
        (!made.is_empty()).then_some(made)
    }

    pub(super) fn phrase(&self, symbol: SymbolId) -> Option<(Part, u32)> {
        let grammar = self.draft.outline().grammar();
        if matches!(grammar.symbol(symbol).kind, SymbolKind::External) {
            return None;
        }
        let text = grammar.facts().min_yield(grammar, symbol, LONGEST_PHRASE)?;
        let is_rule = grammar.body(symbol).is_some();
        Some((Part::Phrase(symbol, text.into()), 1 + u32::from(is_rule)))
    }

    pub(super) fn build(&self, draft: &mut Draft, candidate: &Candidate) -> Option<Piece> {
        match candidate {
            Candidate::Put(piece) => Some(*piece),
            Candidate::Remove => None,
            Candidate::Fill(symbol, parts) => {
                let mut built = vec![];
                let mut height = 0;
                for part in &**parts {
                    let piece = match part {
                        Part::Found(piece) => *piece,
                        Part::Phrase(symbol, text) => {
                            let is_rule = draft.outline().grammar().body(*symbol).is_some();
                            draft.make_leaf(*symbol, Arc::clone(text), !is_rule)
                        }
                        Part::Filled(symbol, parts) => {
                            let height = parts.iter().map(|&part| self.height(draft, part));
                            let height = 1 + height.max().unwrap_or(0);
                            draft.make(*symbol, parts, height)
                        }
                    };
                    height = height.max(self.height(draft, piece));
                    built.push(piece);
                }
                // An empty alternative has an empty leaf.
                height = height.max(1);
                Some(draft.make(*symbol, &built, height + 1))
            }
        }
    }

    /// Returns whether a subtree has fewer levels than this, so that it contains no replacement.
    pub(super) fn is_too_flat(&self, piece: Piece, levels: u32) -> bool {
        let height = match self.draft.height_of_made(piece) {
            Some(height) => height,
            None => self.known.heights[piece.node as usize],
        };
        height < levels
    }

    pub(super) fn count(&self, piece: Piece) -> u32 {
        let counts = &self.known.counts;
        self.draft.count_by(piece, |range| {
            counts[range.end as usize] - counts[range.start as usize]
        })
    }

    /// Returns whether the node is a rule without text, whose leaf is empty.
    pub(super) fn has_empty_leaf(&self, piece: Piece) -> bool {
        self.draft.kind(piece) == NodeKind::Rule && self.draft.children(piece).is_empty()
    }
}
