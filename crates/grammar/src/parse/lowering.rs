//! The productions of expressions.

use super::climb::Climb;
use super::error::ParserError;
use super::productions::{Leaf, Lowered, Makes, Merged, Nonterminal, Production, Step, Wrap};
use crate::byte_set::ByteSet;
use crate::grammar::{Associativity, Expr, ExprId, Grammar, Repeat, Scope, SymbolId, SymbolKind};
use rustc_hash::FxHashMap;

/// A conversion under way.
pub(super) struct Lowering<'g> {
    pub(super) grammar: &'g Grammar,
    pub(super) tokens: bool,
    pub(super) out: Lowered,
    pub(super) rules: FxHashMap<SymbolId, u32>,
    /// The rules and patterns that have a nonterminal, but no productions yet.
    pub(super) todo: Vec<(SymbolId, u32)>,
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

    pub(super) fn rule(&mut self, symbol: SymbolId) -> Result<u32, ParserError> {
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
    pub(super) fn alternatives(&mut self, lhs: u32, body: ExprId) -> Result<(), ParserError> {
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

    /// Creates one terminal for several alternatives. The first alternative has the given index.
    fn merge(&mut self, choice: ExprId, index: u32, alternatives: &[ExprId]) -> Step {
        let mut set = ByteSet::EMPTY;
        let mut by_byte = vec![];
        for (index, &id) in (index..).zip(alternatives) {
            let Some((bytes, symbol)) = self.single(id) else {
                continue;
            };
            // A byte belongs to the first alternative that contains it.
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

    /// Creates a separate nonterminal for a part of a body.
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

    /// Lowers a repetition to a left-recursive nonterminal, so that each iteration takes constant
    /// work and no stack.
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
