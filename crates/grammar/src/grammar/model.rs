use super::{Expr, ExprId, ExprList, Lexing, NameId, Scope, Symbol, SymbolId, SymbolKind};
use crate::automaton::Automata;
use crate::conventions::Conventions;
use crate::facts::Facts;
use crate::places::Places;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// An extended context-free grammar.
///
/// Quantifiers are kept and not rewritten into auxiliary rules, since a tree reducer needs to know
/// which child is an iteration of a repetition. Alternatives are ordered, and the first derivation
/// of a text is preferred (see [`Parser`](crate::parse::Parser)).
///
/// Terminals are symbols too, interned by content. Tree nodes, edges of the child-sequence
/// [automaton](crate::automaton), and the *may stand for* relation therefore use one type,
/// including the unnamed tokens that some parsers report as children.
///
/// A grammar is immutable once a [`Builder`](super::Builder) has created it. [`Grammar::facts`],
/// [`Grammar::automata`], and [`Grammar::places`] are computed on the first call.
#[derive(Debug)]
pub struct Grammar {
    pub(super) name: Box<str>,
    pub(super) start: SymbolId,
    pub(super) symbols: Vec<Symbol>,
    pub(super) exprs: Vec<Expr>,
    pub(super) lists: Vec<ExprId>,
    pub(super) names: Vec<Box<str>>,
    pub(super) extras: Vec<SymbolId>,
    pub(super) bound: Vec<SymbolId>,
    /// The stand-ins, by the symbol for which they stand and the symbol within which they may.
    pub(super) stand_ins: FxHashMap<(SymbolId, Option<SymbolId>), Arc<[u8]>>,
    /// The stand-ins for bodies that have to return a value.
    pub(super) valued: FxHashMap<(SymbolId, SymbolId), Arc<[u8]>>,
    pub(super) conventions: &'static Conventions,
    pub(super) by_name: FxHashMap<Box<str>, SymbolId>,
    pub(super) lexing: Option<Lexing>,
    pub(super) facts: OnceLock<Facts>,
    pub(super) automata: OnceLock<Automata>,
    pub(super) places: OnceLock<Places>,
}

impl Grammar {
    /// Returns the name of the grammar: the name of a language, or of the file that was read.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the start symbol.
    pub fn start(&self) -> SymbolId {
        self.start
    }

    /// Returns all symbols. A [`SymbolId`] is an index into them.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Iterates over the ids of all symbols, in order.
    pub fn symbol_ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.symbols.len() as u32).map(SymbolId)
    }

    /// Iterates over the rules with their bodies, in the order of the grammar.
    pub fn rules(&self) -> impl Iterator<Item = (SymbolId, ExprId)> + '_ {
        self.symbol_ids()
            .filter_map(|id| Some((id, self.body(id)?)))
    }

    /// Returns a symbol.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// Returns the body of a rule, or `None` for a terminal.
    pub fn body(&self, id: SymbolId) -> Option<ExprId> {
        match self.symbol(id).kind {
            SymbolKind::Rule(body) => Some(body),
            _ => None,
        }
    }

    /// Returns the rule with the given name.
    pub fn rule(&self, name: &str) -> Option<SymbolId> {
        self.by_name.get(name).copied()
    }

    /// Returns the number of expressions.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// Iterates over the ids of all expressions. The parts of an expression come before it.
    pub fn expr_ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }

    /// Returns an expression.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// Returns the members of a sequence or choice.
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    /// Returns the alternatives of a choice, or the expression itself if it is not a choice.
    pub fn alternatives<'a>(&'a self, id: &'a ExprId) -> &'a [ExprId] {
        match self.expr(*id) {
            Expr::Choice(list) => self.list(list),
            _ => std::slice::from_ref(id),
        }
    }

    /// Returns the members of a sequence, or the expression itself if it is not a sequence.
    pub fn members<'a>(&'a self, id: &'a ExprId) -> &'a [ExprId] {
        match self.expr(*id) {
            Expr::Sequence(list) => self.list(list),
            Expr::Empty => &[],
            _ => std::slice::from_ref(id),
        }
    }

    /// Calls `visit` with each direct part of an expression.
    pub fn each_part(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        match self.expr(id) {
            Expr::Empty | Expr::Symbol { .. } => {}
            Expr::Sequence(list) | Expr::Choice(list) => {
                self.list(list).iter().copied().for_each(visit);
            }
            Expr::Optional(body) | Expr::Precedence { body, .. } => visit(body),
            Expr::Repeat(repeat) => {
                visit(repeat.body);
                repeat.separator.into_iter().for_each(visit);
            }
            Expr::Scoped { body, scope } => {
                visit(body);
                if let Scope::Uses { otherwise, .. } = scope {
                    otherwise.into_iter().for_each(visit);
                }
            }
        }
    }

    /// Calls `visit` with every symbol that an expression mentions, in order.
    pub fn each_symbol(&self, id: ExprId, mut visit: impl FnMut(SymbolId)) {
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            if let Expr::Symbol { symbol, .. } = self.expr(id) {
                visit(symbol);
            }
            let from = todo.len();
            self.each_part(id, |part| todo.push(part));
            todo[from..].reverse();
        }
    }

    /// Returns the text of a name.
    pub fn text_of(&self, name: NameId) -> &str {
        &self.names[name.0 as usize]
    }

    /// Iterates over the ids of all names.
    pub fn name_ids(&self) -> impl Iterator<Item = NameId> + use<> {
        (0..self.names.len() as u32).map(NameId)
    }

    /// Returns the number of names.
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// Returns the extras: the symbols that may occur anywhere between tokens.
    pub fn extras(&self) -> &[SymbolId] {
        &self.extras
    }

    /// Returns whether the text of a symbol depends on text elsewhere in a way that the grammar
    /// does not describe.
    ///
    /// This is true for every symbol that a scanner outside the grammar recognizes, since the
    /// scanner may have a state.
    pub fn is_bound(&self, symbol: SymbolId) -> bool {
        self.symbol(symbol).kind == SymbolKind::External || self.bound.contains(&symbol)
    }

    /// Returns a text that may replace any phrase of `symbol` directly within a phrase of `within`.
    ///
    /// The text is valid whatever the phrase contains, for example a body that does nothing and
    /// need not return a value. [`Grammar::with_stand_in`] adds this knowledge about the language.
    pub fn stand_in(&self, symbol: SymbolId, within: SymbolId) -> Option<&Arc<[u8]>> {
        let anywhere = || self.stand_ins.get(&(symbol, None));
        let here = self.stand_ins.get(&(symbol, Some(within)));
        here.or_else(anywhere)
    }

    /// Adds a text that may [stand](Grammar::stand_in) for any phrase of a rule, directly within a
    /// phrase of `within`, or anywhere if `within` is `None`.
    #[must_use]
    pub fn with_stand_in(
        mut self,
        symbol: SymbolId,
        within: Option<SymbolId>,
        text: &[u8],
    ) -> Self {
        self.stand_ins.insert((symbol, within), text.into());
        self
    }

    /// Returns a text that may replace a body that must return a value, such as `{return 0;}`. The
    /// text is not valid for every return type.
    pub fn valued_stand_in(&self, symbol: SymbolId, within: SymbolId) -> Option<&Arc<[u8]>> {
        self.valued.get(&(symbol, within))
    }

    /// Adds a [stand-in](Grammar::valued_stand_in) for bodies that must return a value.
    #[must_use]
    pub fn with_valued_stand_in(mut self, symbol: SymbolId, within: SymbolId, text: &[u8]) -> Self {
        self.valued.insert((symbol, within), text.into());
        self
    }

    /// Returns the lexer that divides a text into tokens, if there is one. Without a lexer, a text
    /// is parsed as bytes.
    pub fn lexing(&self) -> Option<&Lexing> {
        self.lexing.as_ref()
    }

    /// Sets the lexer of the grammar.
    #[must_use]
    pub fn with_lexing(mut self, lexing: Lexing) -> Self {
        self.lexing = Some(lexing);
        self
    }

    /// Returns the facts about the language that the grammar does not state.
    pub fn conventions(&self) -> &'static Conventions {
        self.conventions
    }

    /// Sets the facts about the language that the grammar does not state.
    #[must_use]
    pub fn with_conventions(mut self, conventions: &'static Conventions) -> Self {
        self.conventions = conventions;
        self
    }

    /// Sets the extras: the symbols that may occur anywhere between tokens.
    #[must_use]
    pub fn with_extras(mut self, extras: Vec<SymbolId>) -> Self {
        self.extras = extras;
        self.facts = OnceLock::new();
        self
    }

    /// Sets the start symbol.
    #[must_use]
    pub fn with_start(mut self, start: SymbolId) -> Self {
        self.start = start;
        self.facts = OnceLock::new();
        self
    }
}
