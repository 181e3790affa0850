//! The conversion of expressions to plain productions, with notes for the nodes of the tree.

use super::ParserError;
use super::climb::Climb;
use crate::byte_set::ByteSet;
use crate::grammar::{Associativity, Expr, ExprId, Grammar, Repeat, Scope, SymbolId, SymbolKind};
use crate::scc;
use rustc_hash::FxHashMap;

/// A plain context-free grammar for the chart, with notes for the tree.
#[derive(Debug, Default)]
pub(super) struct Lowered {
    pub(super) nonterminals: Vec<Nonterminal>,
    pub(super) productions: Vec<Production>,
    /// The symbol of each byte, for terminals that merge several tokens of single bytes.
    pub(super) merged: Vec<Merged>,
    pub(super) start: u32,
    /// The nonterminals of rules and repetitions, which can be islands, in the order of preference:
    /// the start, the other rules as in the grammar, then the repetitions.
    pub(super) islands: Vec<u32>,
}

#[derive(Debug)]
pub(super) struct Nonterminal {
    pub(super) makes: Makes,
    /// The productions, in the order of preference.
    pub(super) productions: Vec<u32>,
}

/// The node that a tree has for a nonterminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Makes {
    Rule(SymbolId),
    /// One leaf. Nodes below it are not shown.
    Token(SymbolId),
    Optional(ExprId),
    Repeat(ExprId),
    /// No node. The children take its place.
    Splice,
    /// A rule from one level of precedence on. It has no node, and what it derives is an instance
    /// of the rule at the mention of this nonterminal.
    Level,
}

#[derive(Debug)]
pub(super) struct Production {
    pub(super) lhs: u32,
    pub(super) rhs: Vec<Step>,
    /// Groups of steps with a node around them, in order and disjoint.
    pub(super) wraps: Vec<Wrap>,
    level: i32,
    /// The index of the alternative in its choice.
    pub(super) decision: Option<(ExprId, u32)>,
    /// Whether the preferred tree has the shortest earlier children, instead of later ones.
    pub(super) right: bool,
    /// Whether the first step is the part before: the iterations of a repetition so far, or the
    /// left operand.
    pub(super) goes_on: bool,
    /// Whether the preferred derivation is the one that goes on as little as possible.
    pub(super) lazy: bool,
}

/// The steps of an iteration, or of the separator between two iterations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrap {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) separator: bool,
    pub(super) expr: ExprId,
}

/// One step of a production.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Byte `index` of the `len` bytes of a token.
    Byte {
        set: ByteSet,
        leaf: Leaf,
        index: u32,
        len: u32,
    },
    /// A token of a text that is given as tokens.
    Token { symbol: SymbolId, expr: ExprId },
    /// A nonterminal, and the expression that mentions it.
    Nonterminal { symbol: u32, expr: ExprId },
}

/// The token of a terminal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    Symbol {
        symbol: SymbolId,
        expr: ExprId,
    },
    /// The byte determines the token. The value is an index into [`Lowered::merged`].
    Merged(u32),
}

/// For each byte, the symbol and expression of its token.
#[derive(Debug)]
pub(super) struct Merged {
    choice: ExprId,
    by_byte: Vec<(u8, u32, SymbolId, ExprId)>,
}

impl Merged {
    pub(super) fn get(&self, byte: u8) -> Option<(SymbolId, ExprId)> {
        let at = self
            .by_byte
            .binary_search_by_key(&byte, |entry| entry.0)
            .ok()?;
        let (_, _, symbol, expr) = self.by_byte[at];
        Some((symbol, expr))
    }

    /// Returns the alternative of a choice that matches a byte.
    pub(super) fn decision(&self, byte: u8) -> Option<(ExprId, u32)> {
        let at = self
            .by_byte
            .binary_search_by_key(&byte, |entry| entry.0)
            .ok()?;
        Some((self.choice, self.by_byte[at].1))
    }
}

impl Lowered {
    /// Lowers a grammar. `tokens` means that the text is given as terminal symbols instead of
    /// bytes.
    pub(super) fn of(grammar: &Grammar, tokens: bool) -> Result<Self, ParserError> {
        let mut lowering = Lowering {
            grammar,
            tokens,
            out: Lowered::default(),
            rules: FxHashMap::default(),
            todo: vec![],
        };
        lowering.out.start = lowering.rule(grammar.start())?;
        while let Some((symbol, nonterminal)) = lowering.todo.pop() {
            if let SymbolKind::Rule(body) | SymbolKind::Pattern(body) = grammar.symbol(symbol).kind
            {
                match Climb::of(grammar, symbol) {
                    Some(climb) => climb.lower(&mut lowering, nonterminal)?,
                    None => lowering.alternatives(nonterminal, body)?,
                }
            }
        }
        let mut rules: Vec<(SymbolId, u32)> = lowering.rules.into_iter().collect();
        rules.sort_unstable_by_key(|&(symbol, _)| (symbol != grammar.start(), symbol));
        let mut out = lowering.out;
        out.islands = rules.into_iter().map(|(_, rule)| rule).collect();
        let all = out.nonterminals.iter().zip(0u32..);
        let repeats = all.filter(|(nonterminal, _)| matches!(nonterminal.makes, Makes::Repeat(_)));
        out.islands.extend(repeats.map(|(_, index)| index));
        for (index, production) in out.productions.iter().enumerate() {
            let list = &mut out.nonterminals[production.lhs as usize].productions;
            list.push(index as u32);
        }
        for nonterminal in &mut out.nonterminals {
            let levels = |&index: &u32| out.productions[index as usize].level;
            nonterminal.productions.sort_by_key(levels);
        }
        Ok(out)
    }

    /// Returns for each nonterminal the component of the nonterminals that it can derive alone. A
    /// derivation may be an infinite cycle within a component.
    pub(super) fn unit_components(&self, nullable: &[bool]) -> Vec<u32> {
        let mut edges = vec![vec![]; self.nonterminals.len()];
        for production in &self.productions {
            let needed = |step: &&Step| match step {
                Step::Nonterminal { symbol, .. } => !nullable[*symbol as usize],
                _ => true,
            };
            let mut needed = production.rhs.iter().filter(needed);
            let only = needed.next();
            if needed.next().is_some() {
                continue;
            }
            for step in &production.rhs {
                if let Step::Nonterminal { symbol, .. } = step
                    && (only.is_none() || !nullable[*symbol as usize])
                {
                    edges[production.lhs as usize].push(*symbol);
                }
            }
        }
        scc::components(&edges)
    }
}

pub(super) struct Lowering<'g> {
    pub(super) grammar: &'g Grammar,
    tokens: bool,
    out: Lowered,
    rules: FxHashMap<SymbolId, u32>,
    /// The rules and patterns that have a nonterminal, but no productions yet.
    todo: Vec<(SymbolId, u32)>,
}

/// A production under construction.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) rhs: Vec<Step>,
    wraps: Vec<Wrap>,
}

impl Lowering<'_> {
    pub(super) fn nonterminal(&mut self, makes: Makes) -> u32 {
        self.out.nonterminals.push(Nonterminal {
            makes,
            productions: vec![],
        });
        self.out.nonterminals.len() as u32 - 1
    }

    fn rule(&mut self, symbol: SymbolId) -> Result<u32, ParserError> {
        if let Some(&known) = self.rules.get(&symbol) {
            return Ok(known);
        }
        let makes = match self.grammar.symbol(symbol).kind {
            SymbolKind::Rule(_) if Climb::of(self.grammar, symbol).is_some() => Makes::Level,
            SymbolKind::Rule(_) => Makes::Rule(symbol),
            SymbolKind::Pattern(_) => Makes::Token(symbol),
            _ => {
                let name = self.grammar.symbol(symbol).name.clone();
                return Err(ParserError::NotARule(name));
            }
        };
        let nonterminal = self.nonterminal(makes);
        self.rules.insert(symbol, nonterminal);
        self.todo.push((symbol, nonterminal));
        Ok(nonterminal)
    }

    pub(super) fn production(&mut self, lhs: u32, draft: Draft, precedence: (i32, Associativity)) {
        self.alternative(lhs, draft, precedence, None);
    }

    pub(super) fn alternative(
        &mut self,
        lhs: u32,
        draft: Draft,
        precedence: (i32, Associativity),
        decision: Option<(ExprId, u32)>,
    ) {
        self.out.productions.push(Production {
            lhs,
            rhs: draft.rhs,
            wraps: draft.wraps,
            level: precedence.0,
            decision,
            right: precedence.1 == Associativity::Right,
            goes_on: false,
            lazy: false,
        });
    }

    /// Says of the last production that its first step is the part before.
    pub(super) fn goes_on(&mut self, lazy: bool) {
        if let Some(last) = self.out.productions.last_mut() {
            (last.goes_on, last.lazy) = (true, lazy);
        }
    }

    /// Returns whether a quantifier prefers as little text as possible.
    fn is_lazy(&self, id: ExprId) -> bool {
        let lexing = self.grammar.lexing();
        lexing.is_some_and(|lexing| lexing.lazy.contains(&id))
    }

    /// Gives `lhs` a production for each alternative. Adjacent alternatives of one byte share a
    /// production.
    fn alternatives(&mut self, lhs: u32, body: ExprId) -> Result<(), ParserError> {
        let grammar = self.grammar;
        let alternatives = grammar.alternatives(&body);
        let mut rest = alternatives;
        while let Some(&first) = rest.first() {
            let run = rest
                .iter()
                .take_while(|&&id| self.single(id).is_some())
                .count();
            let mut draft = Draft::default();
            if run > 1 {
                let index = (alternatives.len() - rest.len()) as u32;
                let step = self.merge(body, index, &rest[..run]);
                draft.rhs.push(step);
                self.production(lhs, draft, Default::default());
                rest = &rest[run..];
                continue;
            }
            let (inner, precedence) = self.precedence(first);
            self.expr(inner, &mut draft)?;
            let index = (alternatives.len() - rest.len()) as u32;
            let decision = (alternatives.len() > 1).then_some((body, index));
            self.alternative(lhs, draft, precedence, decision);
            rest = &rest[1..];
        }
        Ok(())
    }

    /// Returns the expression without its precedences, and the outermost level and associativity.
    pub(super) fn precedence(&self, mut id: ExprId) -> (ExprId, (i32, Associativity)) {
        let mut found = None;
        while let Expr::Precedence {
            level,
            associativity,
            body,
        } = self.grammar.expr(id)
        {
            found.get_or_insert((level, associativity));
            id = body;
        }
        (id, found.unwrap_or_default())
    }

    /// Returns the bytes of an expression that is one token of one byte.
    fn single(&self, id: ExprId) -> Option<(ByteSet, SymbolId)> {
        let Expr::Symbol { symbol, .. } = self.grammar.expr(id) else {
            return None;
        };
        match &self.grammar.symbol(symbol).kind {
            _ if self.tokens => None,
            SymbolKind::Literal(text) if text.len() == 1 => Some((ByteSet::one(text[0]), symbol)),
            SymbolKind::Class(set) => Some((*set, symbol)),
            _ => None,
        }
    }

    /// Makes one terminal for several alternatives. The first of them has this index.
    fn merge(&mut self, choice: ExprId, index: u32, alternatives: &[ExprId]) -> Step {
        let mut set = ByteSet::EMPTY;
        let mut by_byte = vec![];
        for (index, &id) in (index..).zip(alternatives) {
            let Some((bytes, symbol)) = self.single(id) else {
                continue;
            };
            // The first alternative that contains a byte gets it.
            let new = bytes.intersection(set.complement());
            by_byte.extend(new.iter().map(|byte| (byte, index, symbol, id)));
            set = set.union(bytes);
        }
        by_byte.sort_unstable_by_key(|entry| entry.0);
        self.out.merged.push(Merged { choice, by_byte });
        Step::Byte {
            set,
            leaf: Leaf::Merged(self.out.merged.len() as u32 - 1),
            index: 0,
            len: 1,
        }
    }

    /// Makes a separate nonterminal for a part of a body.
    fn part(&mut self, makes: Makes, id: ExprId, draft: &mut Draft) -> u32 {
        let symbol = self.nonterminal(makes);
        draft.rhs.push(Step::Nonterminal { symbol, expr: id });
        symbol
    }

    pub(super) fn expr(&mut self, id: ExprId, draft: &mut Draft) -> Result<(), ParserError> {
        let grammar = self.grammar;
        match grammar.expr(id) {
            Expr::Empty => {}
            Expr::Symbol { symbol, .. } => self.symbol(id, symbol, draft)?,
            Expr::Sequence(list) => {
                for &member in grammar.list(list) {
                    self.expr(member, draft)?;
                }
            }
            Expr::Choice(list) => {
                let members = grammar.list(list);
                if members.iter().all(|&member| self.single(member).is_some()) {
                    let step = self.merge(id, 0, members);
                    draft.rhs.push(step);
                } else {
                    let choice = self.part(Makes::Splice, id, draft);
                    self.alternatives(choice, id)?;
                }
            }
            Expr::Optional(body) => {
                let optional = self.part(Makes::Optional(id), id, draft);
                let lazy = self.is_lazy(id);
                if lazy {
                    self.production(optional, Draft::default(), Default::default());
                }
                self.alternatives(optional, body)?;
                if !lazy {
                    self.production(optional, Draft::default(), Default::default());
                }
            }
            Expr::Repeat(repeat) => {
                let outer = self.part(Makes::Repeat(id), id, draft);
                self.repeat(outer, id, repeat)?;
            }
            Expr::Precedence { .. } => {
                let inner = self.part(Makes::Splice, id, draft);
                self.alternatives(inner, id)?;
            }
            Expr::Scoped { body, scope } => match scope {
                Scope::Uses {
                    otherwise: Some(otherwise),
                    ..
                } => {
                    let either = self.part(Makes::Splice, id, draft);
                    self.alternatives(either, body)?;
                    self.alternatives(either, otherwise)?;
                }
                _ => self.expr(body, draft)?,
            },
        }
        Ok(())
    }

    fn symbol(
        &mut self,
        expr: ExprId,
        symbol: SymbolId,
        draft: &mut Draft,
    ) -> Result<(), ParserError> {
        let kind = &self.grammar.symbol(symbol).kind;
        let leaf = Leaf::Symbol { symbol, expr };
        match kind {
            SymbolKind::Rule(_) => {
                let symbol = self.rule(symbol)?;
                draft.rhs.push(Step::Nonterminal { symbol, expr });
            }
            _ if self.tokens => draft.rhs.push(Step::Token { symbol, expr }),
            SymbolKind::Pattern(_) => {
                let symbol = self.rule(symbol)?;
                draft.rhs.push(Step::Nonterminal { symbol, expr });
            }
            SymbolKind::Literal(text) => {
                let len = text.len() as u32;
                let step = |(index, &byte)| Step::Byte {
                    set: ByteSet::one(byte),
                    leaf,
                    index,
                    len,
                };
                draft.rhs.extend((0..len).zip(text.iter()).map(step));
            }
            SymbolKind::Class(set) => draft.rhs.push(Step::Byte {
                set: *set,
                leaf,
                index: 0,
                len: 1,
            }),
            SymbolKind::External => {
                let name = self.grammar.symbol(symbol).name.clone();
                return Err(ParserError::External(name));
            }
        }
        Ok(())
    }

    /// Repetitions are left recursive, so that each iteration takes constant work and no stack.
    fn repeat(&mut self, outer: u32, id: ExprId, repeat: Repeat) -> Result<(), ParserError> {
        if repeat.max.is_some_and(|max| max < repeat.min) {
            return Ok(());
        }
        let counted = repeat.max.unwrap_or(repeat.min);
        if counted > crate::grammar::MAX_COUNT {
            return Err(ParserError::TooMany(counted));
        }
        if repeat.max == Some(0) {
            self.production(outer, Draft::default(), Default::default());
            return Ok(());
        }
        // A part that is lowered in place is lowered twice, or as often as it is counted. With
        // nested counts or many nested repetitions, each part is lowered once.
        const MOST_NESTED: usize = 3;
        let mut shared = |part: ExprId| -> Result<Iterated, ParserError> {
            if counted < 3 && self.nested(part) < MOST_NESTED {
                return Ok(Iterated::Expr(part));
            }
            let symbol = self.nonterminal(Makes::Splice);
            self.alternatives(symbol, part)?;
            Ok(Iterated::Shared(symbol, part))
        };
        let body = shared(repeat.body)?;
        let separator = repeat.separator.map(shared).transpose()?;
        let parts = (body, separator);
        // The nonterminal derives `from` iterations. Each further step adds one, up to the maximum.
        let from = repeat.min.max(1);
        let lazy = self.is_lazy(id);
        let mut several = self.nonterminal(Makes::Splice);
        let mut draft = Draft::default();
        for i in 0..from {
            self.iteration(i > 0, id, parts, &mut draft)?;
        }
        self.production(several, draft, Default::default());
        let mut counts = vec![several];
        match repeat.max {
            None => {
                let mut draft = Draft::default();
                draft.rhs.push(Step::Nonterminal {
                    symbol: several,
                    expr: id,
                });
                self.iteration(true, id, parts, &mut draft)?;
                self.production(several, draft, Default::default());
                self.goes_on(lazy);
            }
            Some(max) => {
                for _ in from..max {
                    let before = several;
                    several = self.nonterminal(Makes::Splice);
                    let mut draft = Draft::default();
                    draft.rhs.push(Step::Nonterminal {
                        symbol: before,
                        expr: id,
                    });
                    self.iteration(true, id, parts, &mut draft)?;
                    self.production(several, draft, Default::default());
                    self.goes_on(lazy);
                    counts.push(several);
                }
            }
        }
        if repeat.min == 0 && lazy {
            self.production(outer, Draft::default(), Default::default());
        }
        if lazy {
            counts.reverse();
        }
        for &symbol in counts.iter().rev() {
            let rhs = vec![Step::Nonterminal { symbol, expr: id }];
            let wraps = vec![];
            self.production(outer, Draft { rhs, wraps }, Default::default());
        }
        if repeat.min == 0 && !lazy {
            self.production(outer, Draft::default(), Default::default());
        }
        Ok(())
    }

    /// Returns the number of levels of repetitions in a part of a rule.
    fn nested(&self, id: ExprId) -> usize {
        let mut most = 0;
        let mut todo = vec![(id, 0)];
        while let Some((id, above)) = todo.pop() {
            let level = above + usize::from(matches!(self.grammar.expr(id), Expr::Repeat(_)));
            most = most.max(level);
            self.grammar.each_part(id, |part| todo.push((part, level)));
        }
        most
    }

    fn iteration(
        &mut self,
        separated: bool,
        expr: ExprId,
        (body, separator): (Iterated, Option<Iterated>),
        draft: &mut Draft,
    ) -> Result<(), ParserError> {
        let between = separator.filter(|_| separated).map(|part| (part, true));
        for (part, separator) in between.into_iter().chain([(body, false)]) {
            let start = draft.rhs.len() as u32;
            match part {
                Iterated::Expr(part) => self.expr(part, draft)?,
                Iterated::Shared(symbol, expr) => {
                    draft.rhs.push(Step::Nonterminal { symbol, expr });
                }
            }
            draft.wraps.push(Wrap {
                start,
                end: draft.rhs.len() as u32,
                separator,
                expr,
            });
        }
        Ok(())
    }
}

/// The body of a repetition.
#[derive(Clone, Copy)]
enum Iterated {
    /// A body that is lowered in place.
    Expr(ExprId),
    /// A body that is already lowered.
    Shared(u32, ExprId),
}
