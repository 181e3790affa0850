//! Builds a tree from the chart, from left to right, without recursion.

use super::chart::Chart;
use super::item::{Child, Item, NONE, Record};
use super::productions::{Leaf, Makes, Step};
use super::tables::{Next, Tables};
use super::tokens::Tokens;
use crate::grammar::{Expr, ExprId, Grammar, SymbolId};
use crate::tree::{Node, NodeKind, Tree, TreeBuilder, TreeError};
use std::sync::Arc;

/// An entry of the stack of nodes that are still to be built.
#[derive(Clone, Copy, Debug)]
enum Todo {
    /// A nonterminal that ends here.
    Record {
        record: u32,
        end: u32,
        expr: Option<ExprId>,
    },
    /// A nonterminal that derives nothing.
    Null {
        symbol: u32,
        expr: Option<ExprId>,
    },
    Token {
        symbol: SymbolId,
        expr: ExprId,
        len: u32,
        start: u32,
    },
    Open {
        kind: NodeKind,
        expr: Option<ExprId>,
        start: u32,
    },
    Close,
}

/// The number of steps that every tree may take, even with the smallest memory limit.
const FEWEST_STEPS: usize = 1 << 16;

/// The choice between the ways at each place that has several.
pub(super) trait Choose {
    /// Returns the index of one of `count` ways. Way 0 is preferred.
    fn choose(&mut self, count: usize) -> usize;
}

/// The choice of the preferred way everywhere.
pub(super) struct Preferred;

impl Choose for Preferred {
    fn choose(&mut self, _: usize) -> usize {
        0
    }
}

pub(super) struct Build<'c, 't> {
    pub(super) chart: &'c mut Chart<'t>,
    pub(super) tables: &'t Tables,
    pub(super) grammar: &'c Arc<Grammar>,
    /// The tokens of the text. If this is `None`, every byte is a step.
    pub(super) tokens: Option<&'c Tokens>,
    /// The number of steps before the first position of the chart.
    pub(super) base: u32,
    /// The number of tokens before which the gap has been added, and of hidden tokens in gaps.
    gaps: (usize, usize),
    pub(super) out: TreeBuilder,
    todo: Vec<Todo>,
    /// The steps until the tree is given up, and the limit in bytes that they stand for.
    left: (usize, usize),
    /// The symbols of the open rules. The nodes of quantifiers have the symbol of the enclosing
    /// rule.
    pub(super) rules: Vec<SymbolId>,
    pub(super) text: Arc<[u8]>,
    /// Called with each alternative that is taken.
    decided: Option<&'c mut dyn FnMut(ExprId, u32)>,
}

impl<'c, 't> Build<'c, 't> {
    pub(super) fn new(
        chart: &'c mut Chart<'t>,
        tables: &'t Tables,
        grammar: &'c Arc<Grammar>,
        text: Arc<[u8]>,
        tokens: Option<&'c Tokens>,
    ) -> Self {
        Build {
            chart,
            tables,
            grammar,
            tokens,
            base: 0,
            gaps: (0, 0),
            out: TreeBuilder::new(grammar.clone(), text.clone()),
            todo: vec![],
            left: (usize::MAX, usize::MAX),
            rules: vec![],
            text,
            decided: None,
        }
    }

    /// Gives up a tree that would take more than the given number of bytes.
    pub(super) fn within(mut self, bytes: usize) -> Self {
        let steps = bytes / size_of::<Node>();
        self.left = (steps.max(FEWEST_STEPS), bytes);
        self
    }

    /// Sets the function that is called with each alternative that is taken.
    pub(super) fn tell(mut self, decided: &'c mut dyn FnMut(ExprId, u32)) -> Self {
        self.decided = Some(decided);
        self
    }

    fn decide(&mut self, decision: Option<(ExprId, u32)>) {
        if let (Some(decided), Some((choice, index))) = (&mut self.decided, decision) {
            decided(choice, index);
        }
    }

    /// Returns the tree of a record over `steps` steps, or of the empty text.
    pub(super) fn tree(
        mut self,
        record: Option<u32>,
        steps: usize,
        choose: &mut impl Choose,
    ) -> Result<Tree, TreeError> {
        self.todo.push(match record {
            Some(record) => Todo::Record {
                record,
                end: steps as u32,
                expr: None,
            },
            None => Todo::Null {
                symbol: self.tables.lowered.start,
                expr: None,
            },
        });
        self.build(choose, steps as u32);
        self.out.finish()
    }

    /// Builds the nodes on the stack. The outermost of them has the text up to `steps`.
    pub(super) fn build(&mut self, choose: &mut impl Choose, steps: u32) {
        while let Some(todo) = self.todo.pop() {
            let (left, bytes) = &mut self.left;
            if *left == 0 {
                self.out.give_up(TreeError::TooMany { bytes: *bytes });
                self.todo.clear();
                return;
            }
            *left -= 1;
            match todo {
                Todo::Record { record, end, expr } => self.record(record, end, expr, choose),
                Todo::Null { symbol, expr } => self.null(symbol, expr),
                Todo::Token {
                    symbol,
                    expr,
                    len,
                    start,
                } => {
                    self.gap(start);
                    self.token(symbol, Some(expr), len);
                }
                Todo::Open { kind, expr, start } => {
                    self.gap(start);
                    self.begin(kind, self.around(), expr);
                }
                Todo::Close => {
                    if self.rules.len() == 1 {
                        self.gap(steps);
                    }
                    self.end();
                }
            }
        }
    }

    /// Opens a node.
    pub(super) fn begin(&mut self, kind: NodeKind, symbol: SymbolId, expr: Option<ExprId>) {
        self.rules.push(symbol);
        self.out.open(kind, symbol, expr);
    }

    /// Closes the node that was opened last.
    pub(super) fn end(&mut self) {
        self.rules.pop();
        self.out.close();
    }

    /// Returns the symbol of the enclosing rule.
    pub(super) fn around(&self) -> SymbolId {
        self.rules.last().copied().unwrap_or(self.grammar.start())
    }

    pub(super) fn token(&mut self, symbol: SymbolId, expr: Option<ExprId>, len: u32) {
        self.out.leaf(NodeKind::Token, symbol, expr, len as usize);
    }

    /// Adds the text before a token, unless that was done for a node that begins with the token.
    /// Nothing is added for [`NONE`], where a node derives no text.
    pub(super) fn gap(&mut self, step: u32) {
        let Some(tokens) = self.tokens else {
            return;
        };
        let step = self.base.saturating_add(step) as usize;
        let (next, mut hidden) = self.gaps;
        if step < next || step > tokens.lexemes.len() {
            return;
        }
        let mut at = match step {
            0 => 0,
            step => tokens.lexemes[step - 1].end,
        };
        let end = match tokens.lexemes.get(step) {
            Some(lexeme) => lexeme.start,
            None => self.text.len() as u32,
        };
        let around = self.around();
        while let Some(token) = tokens.hidden.get(hidden).filter(|token| token.end <= end) {
            hidden += 1;
            // Whitespace belongs to no symbol, as in the trees of other parsers.
            let text = &self.text[token.start as usize..token.end as usize];
            if token.start < at {
                continue;
            }
            match token.symbol {
                Some(_) if text.iter().all(u8::is_ascii_whitespace) => continue,
                Some(symbol) => {
                    self.gap_of(around, token.start - at);
                    self.gap_of(symbol, token.end - token.start);
                }
                None => {
                    self.gap_of(around, token.start - at);
                    self.begin(NodeKind::Error, around, None);
                    self.gap_of(around, token.end - token.start);
                    self.end();
                }
            }
            at = token.end;
        }
        self.gap_of(around, end - at);
        self.gaps = (step + 1, hidden);
    }

    pub(super) fn gap_of(&mut self, symbol: SymbolId, len: u32) {
        if len > 0 {
            self.out.leaf(NodeKind::Gap, symbol, None, len as usize);
        }
    }

    /// Returns the number of bytes of the steps from `start` to `end`, which are one token if the
    /// text is given as tokens.
    fn length(&self, start: u32, end: u32) -> u32 {
        match self.tokens {
            None => end - start,
            Some(tokens) => {
                let lexeme = tokens.lexemes.get(self.base.saturating_add(start) as usize);
                lexeme.map_or(0, |lexeme| lexeme.end - lexeme.start)
            }
        }
    }

    fn shown(&self, symbol: SymbolId, expr: Option<ExprId>) -> SymbolId {
        match expr.map(|expr| self.grammar.expr(expr)) {
            Some(Expr::Symbol {
                alias: Some(alias), ..
            }) => alias,
            _ => symbol,
        }
    }

    /// Opens the node that shows a nonterminal. Returns `false` if nothing is below it.
    fn open(&mut self, symbol: u32, expr: Option<ExprId>, len: u32) -> bool {
        match self.tables.lowered.nonterminals[symbol as usize].makes {
            Makes::Rule(rule) => {
                let shown = self.shown(rule, expr);
                self.out.open(NodeKind::Rule, shown, expr);
                self.rules.push(shown);
                self.todo.push(Todo::Close);
            }
            Makes::Token(token) => {
                let shown = self.shown(token, expr);
                self.token(shown, expr, len);
                return false;
            }
            Makes::Optional(expr) => {
                let symbol = self.around();
                self.out.open(NodeKind::Optional, symbol, Some(expr));
                self.rules.push(symbol);
                self.todo.push(Todo::Close);
            }
            Makes::Repeat(expr) => {
                let symbol = self.around();
                self.out.open(NodeKind::Repeat, symbol, Some(expr));
                self.rules.push(symbol);
                self.todo.push(Todo::Close);
            }
            Makes::Splice | Makes::Level => {}
        }
        true
    }

    /// Opens a nonterminal and pushes its children onto the stack, last child first.
    fn record(&mut self, index: u32, end: u32, expr: Option<ExprId>, choose: &mut impl Choose) {
        let Record { symbol, origin, .. } = self.chart.records[index as usize];
        let mention = self.mention(symbol, expr);
        let is_spliced = self.tables.lowered.nonterminals[symbol as usize].makes == Makes::Splice;
        if !self.rules.is_empty() && mention.is_none() && !is_spliced {
            self.gap(origin);
        }
        if !self.open(symbol, expr, self.length(origin, end)) {
            return;
        }
        let mut item = self.item_of(index, choose);
        let production = self.tables.production[self.chart.items[item as usize].state as usize];
        let base = self.tables.base[production as usize];
        self.decide(self.tables.lowered.productions[production as usize].decision);
        let mut end = end;
        let mut dot = self.chart.items[item as usize].state - base;
        loop {
            if self.chart.items[item as usize].child.is_leo() {
                self.unfold(item);
            }
            let (before, child) = self.way_of(item, choose);
            let mut from = end;
            if let Some(record) = child.record() {
                from = self.chart.records[record as usize].origin;
            } else if !child.is_null() {
                from = end - 1;
            }
            self.step(production, dot, child, (from, end), mention);
            end = from;
            dot -= 1;
            if before == NONE {
                break;
            }
            item = before;
        }
        // The remaining steps at the front derive nothing.
        for dot in (1..=dot).rev() {
            self.step(production, dot, Child::NOTHING, (NONE, end), mention);
        }
    }

    fn null(&mut self, symbol: u32, expr: Option<ExprId>) {
        if !self.open(symbol, expr, 0) {
            return;
        }
        let mention = self.mention(symbol, expr);
        let production = self.tables.null[symbol as usize];
        let Some(taken) = self.tables.lowered.productions.get(production as usize) else {
            return;
        };
        self.decide(taken.decision);
        for dot in (1..=taken.rhs.len() as u32).rev() {
            self.step(production, dot, Child::NOTHING, (NONE, 0), mention);
        }
    }

    /// Returns the mention of a nonterminal if the phrase that it derives inherits the mention.
    fn mention(&self, symbol: u32, expr: Option<ExprId>) -> Option<Option<ExprId>> {
        let makes = self.tables.lowered.nonterminals[symbol as usize].makes;
        (makes == Makes::Level).then_some(expr)
    }

    /// Pushes step `dot - 1` of a production onto the stack, with the iteration around it. A
    /// nonterminal takes over `mention`, if that is given.
    fn step(
        &mut self,
        production: u32,
        dot: u32,
        child: Child,
        (start, end): (u32, u32),
        mention: Option<Option<ExprId>>,
    ) {
        let production = &self.tables.lowered.productions[production as usize];
        let place = dot - 1;
        let wrap = production
            .wraps
            .iter()
            .find(|wrap| (wrap.start..wrap.end).contains(&place));
        if wrap.is_some_and(|wrap| wrap.end == dot) {
            self.todo.push(Todo::Close);
        }
        self.part(production.rhs[place as usize], child, (start, end), mention);
        if let Some(wrap) = wrap.filter(|wrap| wrap.start == place) {
            let kind = match wrap.separator {
                true => NodeKind::Separator,
                false => NodeKind::Iteration,
            };
            self.todo.push(Todo::Open {
                kind,
                expr: Some(wrap.expr),
                start,
            });
        }
    }

    /// Pushes a step of a production onto the stack. A nonterminal takes over `mention`, if that is
    /// given.
    pub(super) fn part(
        &mut self,
        step: Step,
        child: Child,
        (start, end): (u32, u32),
        mention: Option<Option<ExprId>>,
    ) {
        match step {
            Step::Nonterminal { symbol, expr } => {
                let expr = mention.unwrap_or(Some(expr));
                self.todo.push(match child.record() {
                    Some(record) => Todo::Record { record, end, expr },
                    None => Todo::Null { symbol, expr },
                });
            }
            Step::Token { symbol, expr } => {
                let len = self.length(start, end);
                let symbol = self.shown(symbol, Some(expr));
                self.todo.push(Todo::Token {
                    symbol,
                    expr,
                    len,
                    start,
                });
            }
            // The leaf of a whole token is added at its last byte.
            Step::Byte {
                index, len, leaf, ..
            } if index + 1 == len => {
                let found = match leaf {
                    Leaf::Symbol { symbol, expr } => Some((symbol, expr)),
                    Leaf::Merged(table) => {
                        let byte = self.text[(self.base + start) as usize];
                        let table = &self.tables.lowered.merged[table as usize];
                        self.decide(table.decision(byte));
                        table.get(byte)
                    }
                };
                if let Some((symbol, expr)) = found {
                    let symbol = self.shown(symbol, Some(expr));
                    self.todo.push(Todo::Token {
                        symbol,
                        expr,
                        len,
                        start,
                    });
                }
            }
            Step::Byte { .. } => {}
        }
    }

    /// Pushes a record that ends at this position onto the stack.
    pub(super) fn whole(&mut self, record: u32, end: u32) {
        let expr = None;
        self.todo.push(Todo::Record { record, end, expr });
    }

    /// Returns the item of a record for the preferred production or a chosen production.
    fn item_of(&self, record: u32, choose: &mut impl Choose) -> u32 {
        let preferred = self.chart.records[record as usize].item;
        let every = self.chart.every.as_ref();
        let Some(items) = every.and_then(|every| every.records.get(&record)) else {
            return preferred;
        };
        // A derivation that consists only of cycles never ends. The first derivation that was found
        // has no cycle.
        let mut items: Vec<u32> = items.clone();
        items.retain(|&item| !self.ways(item).is_empty());
        items.sort_by_key(|&item| {
            let state = self.chart.items[item as usize].state;
            self.tables.rank[self.tables.production[state as usize] as usize]
        });
        match items.len() {
            0 => preferred,
            count => items[choose.choose(count)],
        }
    }

    /// Returns the ways to an item that have no cycle, in order of preference.
    fn ways(&self, index: u32) -> Vec<(u32, Child)> {
        let item = self.chart.items[index as usize];
        let every = self.chart.every.as_ref();
        let mut ways = match every.and_then(|every| every.items.get(&index)) {
            Some(ways) => ways.clone(),
            None => vec![(item.before, item.child)],
        };
        ways.retain(|(_, child)| !child.is_cyclic());
        let production = self.tables.production[item.state as usize] as usize;
        ways.sort_by_key(|(_, child)| match child.record() {
            Some(record) => self.chart.records[record as usize].origin,
            None => u32::MAX,
        });
        if !self.tables.lowered.productions[production].right {
            ways.reverse();
        }
        ways
    }

    /// Returns the previous item and the last child, preferred or chosen.
    fn way_of(&self, item: u32, choose: &mut impl Choose) -> (u32, Child) {
        let Item { before, child, .. } = self.chart.items[item as usize];
        if self.chart.every.is_none() {
            return (before, child);
        }
        let ways = self.ways(item);
        match ways.len() {
            0 => (before, child),
            1 => ways[0],
            count => ways[choose.choose(count)],
        }
    }

    /// Expands the chain of completions that a shortcut of Leo's method skipped.
    fn unfold(&mut self, top: u32) {
        let Item {
            state,
            origin,
            child,
            ..
        } = self.chart.items[top as usize];
        let Some(mut record) = child.record() else {
            return;
        };
        loop {
            let Record {
                symbol,
                origin: place,
                ..
            } = self.chart.records[record as usize];
            let Some((next, begin, before)) = self.chart.only_waiter(place, symbol) else {
                return;
            };
            let child = Child::plain(record);
            if (next, begin) == (state, origin) {
                let item = &mut self.chart.items[top as usize];
                (item.before, item.child) = (before, child);
                return;
            }
            let item = self.chart.items.len() as u32;
            self.chart.items.push(Item {
                state: next,
                origin: begin,
                before,
                child,
            });
            let Next::Complete(lhs) = self.tables.next[next as usize] else {
                return;
            };
            record = self.chart.records.len() as u32;
            self.chart.records.push(Record {
                symbol: lhs,
                origin: begin,
                item,
            });
        }
    }
}
