//! The representation: symbols and expressions in two arenas.

mod builder;
mod pattern;

pub use builder::{Builder, Unfinished};
pub(crate) use pattern::MAX_COUNT;
pub use pattern::PatternError;

use crate::automaton::Automata;
use crate::byte_set::ByteSet;
use crate::facts::Facts;
use crate::places::Places;
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// A symbol of one [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub(crate) u32);

/// An expression of one [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

/// A name given to a child, or to a set of names in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

impl SymbolId {
    /// Its place in [`Grammar::symbols`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ExprId {
    /// Its place in the arena. Parts of an expression come before it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl NameId {
    /// Its place among the names of the grammar.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Expressions in a row, in the order of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExprList {
    start: u32,
    len: u32,
}

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
    name: Box<str>,
    start: SymbolId,
    symbols: Vec<Symbol>,
    exprs: Vec<Expr>,
    lists: Vec<ExprId>,
    names: Vec<Box<str>>,
    extras: Vec<SymbolId>,
    bound: Vec<SymbolId>,
    /// By what they stand for, and within what.
    stand_ins: FxHashMap<(SymbolId, Option<SymbolId>), Arc<[u8]>>,
    by_name: FxHashMap<Box<str>, SymbolId>,
    facts: OnceLock<Facts>,
    automata: OnceLock<Automata>,
    places: OnceLock<Places>,
}

/// A rule or a terminal.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// As written in the grammar, without the brackets of the notation; for a terminal, its text.
    pub name: Box<str>,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Whether trees show it.
    pub visibility: Visibility,
}

/// What a symbol stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A rule with its body.
    Rule(ExprId),
    /// These bytes; never empty.
    Literal(Box<[u8]>),
    /// One byte of these.
    Class(ByteSet),
    /// Text of a pattern, one leaf of the tree. The body says the same as an expression over
    /// literals and byte classes, so that nobody else needs to know regular expressions.
    Pattern(ExprId),
    /// Made by a scanner outside the grammar: its text is not known here.
    External,
}

/// Whether a symbol has nodes of its own in trees that come from elsewhere.
///
/// The parser of this crate makes a node for every rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Shown under its name.
    #[default]
    Named,
    /// Shown, but only as its text.
    Anonymous,
    /// Not shown: its children stand in its place.
    Hidden,
    /// Substituted where it is used, not shown.
    Inline,
    /// A name for a choice of other symbols, not shown.
    Supertype,
}

impl Visibility {
    /// Whether a node of its own is to be expected.
    pub fn is_shown(self) -> bool {
        matches!(self, Visibility::Named | Visibility::Anonymous)
    }
}

/// An expression: what the body of a rule is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// Nothing.
    Empty,
    /// A symbol, perhaps under another name, perhaps with a field name for the child.
    Symbol {
        /// Which.
        symbol: SymbolId,
        /// What a tree calls it here instead.
        alias: Option<SymbolId>,
        /// The role of the child.
        field: Option<NameId>,
    },
    /// One after the other; at least two.
    Sequence(ExprList),
    /// One of these, the first preferred; at least two.
    Choice(ExprList),
    /// Once or not at all. Not the same as a choice with [`Expr::Empty`]: trees have a node for it.
    Optional(ExprId),
    /// Several times.
    Repeat(Repeat),
    /// The body, with a say in which derivation is preferred.
    Precedence {
        /// Binds tighter the higher it is: of several derivations, the one whose *outermost* choice
        /// has the lowest level wins. 0 where nothing is said.
        level: i32,
        /// To which side equal ones group.
        associativity: Associativity,
        /// What it is about.
        body: ExprId,
    },
    /// The body, whose text has to do with names in scope.
    Scoped {
        /// What it is about.
        body: ExprId,
        /// What happens to the names.
        scope: Scope,
    },
}

/// A repetition: `body (separator body)*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repeat {
    /// What is repeated.
    pub body: ExprId,
    /// At least this often.
    pub min: u32,
    /// At most this often.
    pub max: Option<u32>,
    /// What stands between two iterations.
    pub separator: Option<ExprId>,
}

/// To which side operators of the same level group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Associativity {
    /// To the left, as everything does where nothing is said.
    #[default]
    Left,
    /// To the right.
    Right,
}

/// Names that must be defined before they are used: the context-sensitive part.
///
/// A parser does not check it (except that the text of `otherwise` is allowed); a generator obeys
/// it. Names pass from pending to usable, so that `a = a` does not use what it defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The text becomes a name, pending until the next [`Scope::Commits`].
    Defines(NameId),
    /// The text must be a usable name.
    Uses {
        /// Of which kind of names.
        name: NameId,
        /// What stands there while there is no such name; without it, anything goes.
        otherwise: Option<ExprId>,
    },
    /// What is pending becomes usable, after the body.
    Commits(NameId),
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
