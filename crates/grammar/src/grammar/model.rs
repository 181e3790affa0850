use super::{Expr, ExprId, ExprList, NameId, Scope, Symbol, SymbolId, SymbolKind};
use crate::automaton::Automata;
use crate::conventions::Conventions;
use crate::facts::Facts;
use crate::places::Places;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// An extended context-free grammar: what readers make, and everything else works on.
///
/// Quantifiers stay quantifiers, nothing is rewritten into auxiliary rules here: who reduces a tree
/// wants to know that this child is one iteration of a repetition. Alternatives are ordered; of
/// several derivations of a text the first counts (see [`Parser`](crate::parse::Parser)).
///
/// Terminals are symbols too, interned by content. So a tree node, an edge of the child-sequence
/// [automaton](crate::automaton) and an entry of a *may stand for* relation are all one kind of
/// thing, and so are the unnamed tokens of parser generators that report them as children.
///
/// Immutable once built ([`Builder`]). What follows from it is computed when first asked for:
/// [`Grammar::facts`], [`Grammar::automata`].
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
    /// By what they stand for, and within what.
    pub(super) stand_ins: FxHashMap<(SymbolId, Option<SymbolId>), Arc<[u8]>>,
    pub(super) conventions: &'static Conventions,
    pub(super) by_name: FxHashMap<Box<str>, SymbolId>,
    pub(super) facts: OnceLock<Facts>,
    pub(super) automata: OnceLock<Automata>,
    pub(super) places: OnceLock<Places>,
}

impl Grammar {
    /// What it is called: a language, or the file it was read from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a whole text is.
    pub fn start(&self) -> SymbolId {
        self.start
    }

    /// All symbols; a [`SymbolId`] is an index into them.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// All identifiers of symbols, in order.
    pub fn symbol_ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.symbols.len() as u32).map(SymbolId)
    }

    /// The rules with their bodies, in the order of the grammar.
    pub fn rules(&self) -> impl Iterator<Item = (SymbolId, ExprId)> + '_ {
        self.symbol_ids()
            .filter_map(|id| Some((id, self.body(id)?)))
    }

    /// A symbol.
    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The body of a rule; `None` for a terminal.
    pub fn body(&self, id: SymbolId) -> Option<ExprId> {
        match self.symbol(id).kind {
            SymbolKind::Rule(body) => Some(body),
            _ => None,
        }
    }

    /// The rule of this name.
    pub fn rule(&self, name: &str) -> Option<SymbolId> {
        self.by_name.get(name).copied()
    }

    /// How many expressions there are.
    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    /// All identifiers of expressions; parts come before what they are part of.
    pub fn expr_ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// The members of a sequence or choice.
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    /// The alternatives of an expression: itself, if it is no choice.
    pub fn alternatives<'a>(&'a self, id: &'a ExprId) -> &'a [ExprId] {
        match self.expr(*id) {
            Expr::Choice(list) => self.list(list),
            _ => std::slice::from_ref(id),
        }
    }

    /// The members of an expression in a row: itself, if it is no sequence.
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

    /// Calls `visit` with every symbol an expression mentions, in order.
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

    /// The text of a name.
    pub fn text_of(&self, name: NameId) -> &str {
        &self.names[name.0 as usize]
    }

    /// All names.
    pub fn name_ids(&self) -> impl Iterator<Item = NameId> + use<> {
        (0..self.names.len() as u32).map(NameId)
    }

    /// How many names there are.
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// What may stand anywhere between tokens.
    pub fn extras(&self) -> &[SymbolId] {
        &self.extras
    }

    /// Whether the text of a symbol must go with text elsewhere in a way that the grammar does not say.
    /// So it is with everything that a scanner outside makes: only it knows what it remembers.
    pub fn is_bound(&self, symbol: SymbolId) -> bool {
        self.symbol(symbol).kind == SymbolKind::External || self.bound.contains(&symbol)
    }

    /// A text that may stand for any phrase of a rule that is directly within a phrase of another, whatever
    /// is in it and around it: a body that does nothing and need not return anything, say. The grammar does
    /// not say so; whoever made it knew the language.
    pub fn stand_in(&self, symbol: SymbolId, within: SymbolId) -> Option<&Arc<[u8]>> {
        let anywhere = || self.stand_ins.get(&(symbol, None));
        let here = self.stand_ins.get(&(symbol, Some(within)));
        here.or_else(anywhere)
    }

    /// The same grammar, with a text that may [stand](Grammar::stand_in) for any phrase of a rule, directly
    /// within a phrase of another or, without one, anywhere.
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

    /// Facts about the language that the grammar does not state.
    pub fn conventions(&self) -> &'static Conventions {
        self.conventions
    }

    /// The same grammar, with facts about the language.
    #[must_use]
    pub fn with_conventions(mut self, conventions: &'static Conventions) -> Self {
        self.conventions = conventions;
        self
    }

    /// What follows from the grammar; computed on the first call.
    pub fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| Facts::of(self))
    }

    /// The child-sequence automata; computed on the first call.
    pub fn automata(&self) -> &Automata {
        self.automata.get_or_init(|| Automata::of(self))
    }

    /// What else may stand where something stands; computed on the first call.
    pub fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(self))
    }

    /// The same grammar, with these symbols as what may stand anywhere between tokens.
    #[must_use]
    pub fn with_extras(mut self, extras: Vec<SymbolId>) -> Self {
        self.extras = extras;
        self.facts = OnceLock::new();
        self
    }

    /// The same grammar, for texts of another symbol.
    #[must_use]
    pub fn with_start(mut self, start: SymbolId) -> Self {
        self.start = start;
        self.facts = OnceLock::new();
        self
    }
}
