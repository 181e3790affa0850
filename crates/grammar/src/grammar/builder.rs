use super::class_name::class_name;
use super::{
    Associativity, Expr, ExprId, ExprList, Grammar, NameId, Repeat, Scope, Symbol, SymbolId,
    SymbolKind, Visibility,
};
use crate::byte_set::ByteSet;
use crate::conventions;
use nubbin_suggest as suggest;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A builder that creates a [`Grammar`] from rules and expressions.
///
/// ```
/// use nubbin_grammar::grammar::Builder;
///
/// let mut builder = Builder::new("list");
/// let list = builder.rule("list");
/// let item = builder.literal(b"x");
/// let comma = builder.literal(b",");
/// let body = builder.repeat(item, 1, None, Some(comma));
/// builder.define(list, body);
/// let grammar = builder.finish(list).unwrap();
/// assert_eq!(grammar.facts().min_length(list), Some(1));
/// ```
#[derive(Debug)]
pub struct Builder {
    name: Box<str>,
    symbols: Vec<Symbol>,
    /// Whether each symbol has a definition yet.
    defined: Vec<bool>,
    exprs: Vec<Expr>,
    lists: Vec<ExprId>,
    names: Vec<Box<str>>,
    name_ids: FxHashMap<Box<str>, NameId>,
    /// The bodies of each rule after its first one.
    bodies: FxHashMap<SymbolId, Vec<ExprId>>,
    extras: Vec<SymbolId>,
    bound: Vec<SymbolId>,
    by_name: FxHashMap<Box<str>, SymbolId>,
    terminals: FxHashMap<Terminal, SymbolId>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Terminal {
    Literal(Box<[u8]>),
    Class(ByteSet),
    Pattern(Box<str>),
}

/// The error for symbols that are used but not defined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.describe())]
pub struct Unfinished {
    /// The name of each undefined symbol, with the most similar defined name if there is one.
    pub undefined: Vec<(Box<str>, Option<Box<str>>)>,
}

/// The maximum number of comparisons of undefined names with defined ones. Symbols beyond it get no
/// suggestion.
const MOST_COMPARISONS: usize = 1 << 20;

impl Unfinished {
    fn describe(&self) -> String {
        let each = self.undefined.iter().map(|(name, like)| match like {
            Some(like) => format!("`{name}` is not defined, did you mean `{like}`?"),
            None => format!("`{name}` is not defined"),
        });
        each.collect::<Vec<_>>().join("; ")
    }
}

impl Builder {
    /// Creates a builder for a grammar with the given name.
    pub fn new(name: &str) -> Self {
        Builder {
            name: name.into(),
            symbols: vec![],
            defined: vec![],
            exprs: vec![Expr::Empty],
            lists: vec![],
            names: vec![],
            name_ids: FxHashMap::default(),
            bodies: FxHashMap::default(),
            extras: vec![],
            bound: vec![],
            by_name: FxHashMap::default(),
            terminals: FxHashMap::default(),
        }
    }

    /// Returns the rule with the given name. A rule may be defined before or after it is used.
    pub fn rule(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = self.add(name.into(), SymbolKind::External, Visibility::Named);
        self.defined[id.index()] = false;
        self.by_name.insert(name.into(), id);
        id
    }

    /// Returns whether a rule has a body.
    pub fn is_defined(&self, symbol: SymbolId) -> bool {
        self.defined[symbol.index()]
    }

    /// Defines the body of a rule. A second body adds alternatives.
    pub fn define(&mut self, symbol: SymbolId, body: ExprId) {
        if let SymbolKind::Rule(_) = self.symbols[symbol.index()].kind {
            // Alternatives of a rule are joined at the end, since a rule may be defined a hundred
            // thousand times.
            self.bodies.entry(symbol).or_default().push(body);
            return;
        }
        self.symbols[symbol.index()].kind = SymbolKind::Rule(body);
        self.defined[symbol.index()] = true;
    }

    /// Defines a rule as one token with the text of `body`. A token is a leaf of the tree.
    pub fn define_token(&mut self, symbol: SymbolId, body: ExprId) {
        self.symbols[symbol.index()].kind = SymbolKind::Pattern(body);
        self.defined[symbol.index()] = true;
    }

    /// Adds a token without a rule, with the text of `body`. Unlike a token of [`Self::pattern`],
    /// it is distinct from every other token.
    pub fn token(&mut self, name: &str, body: ExprId, visibility: Visibility) -> SymbolId {
        self.add(name.into(), SymbolKind::Pattern(body), visibility)
    }

    /// Adds a hidden rule without a name, whose children replace its node.
    pub fn part(&mut self, body: ExprId) -> SymbolId {
        self.add("".into(), SymbolKind::Rule(body), Visibility::Hidden)
    }

    /// Declares that a scanner outside the grammar recognizes the given symbol.
    pub fn external(&mut self, symbol: SymbolId) {
        self.symbols[symbol.index()].kind = SymbolKind::External;
        self.defined[symbol.index()] = true;
    }

    /// Sets the visibility of a symbol in trees.
    pub fn show(&mut self, symbol: SymbolId, visibility: Visibility) {
        self.symbols[symbol.index()].visibility = visibility;
    }

    /// Declares that the given symbol may occur anywhere between tokens.
    pub fn extra(&mut self, symbol: SymbolId) {
        self.extras.push(symbol);
    }

    /// Declares that the text of a symbol depends on text elsewhere, as a closing tag depends on
    /// its opening tag.
    pub fn bind(&mut self, symbol: SymbolId) {
        self.bound.push(symbol);
    }

    /// Returns the id of a name for a field or a scope.
    pub fn name(&mut self, text: &str) -> NameId {
        if let Some(&id) = self.name_ids.get(text) {
            return id;
        }
        let id = NameId(self.names.len() as u32);
        self.names.push(text.into());
        self.name_ids.insert(text.into(), id);
        id
    }

    /// Returns the expression with the given id.
    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs[id.index()]
    }

    /// Returns the expression for the empty text.
    pub fn empty(&self) -> ExprId {
        ExprId(0)
    }

    /// Creates a mention of a symbol.
    pub fn symbol(&mut self, symbol: SymbolId) -> ExprId {
        self.aliased(symbol, None, None)
    }

    /// Creates a mention of a symbol with an alias, a field, or both.
    pub fn aliased(
        &mut self,
        symbol: SymbolId,
        alias: Option<SymbolId>,
        field: Option<NameId>,
    ) -> ExprId {
        self.push(Expr::Symbol {
            symbol,
            alias,
            field,
        })
    }

    /// Creates a mention of the terminal with the given bytes.
    pub fn literal(&mut self, bytes: &[u8]) -> ExprId {
        match self.literal_symbol(bytes) {
            Some(symbol) => self.symbol(symbol),
            None => self.empty(),
        }
    }

    /// Returns the terminal with the given bytes, or `None` for no bytes.
    pub fn literal_symbol(&mut self, bytes: &[u8]) -> Option<SymbolId> {
        if bytes.is_empty() {
            return None;
        }
        let key = Terminal::Literal(bytes.into());
        if let Some(&id) = self.terminals.get(&key) {
            return Some(id);
        }
        let name = String::from_utf8_lossy(bytes).into();
        let kind = SymbolKind::Literal(bytes.into());
        let id = self.add(name, kind, Visibility::Anonymous);
        self.terminals.insert(key, id);
        Some(id)
    }

    /// Creates a mention of the terminal that matches one byte of a set. The empty set matches
    /// nothing, so its rule is unproductive.
    pub fn class(&mut self, set: ByteSet) -> ExprId {
        let key = Terminal::Class(set);
        let symbol = match self.terminals.get(&key) {
            Some(&id) => id,
            None => {
                let name = class_name(set).into();
                let id = self.add(name, SymbolKind::Class(set), Visibility::Anonymous);
                self.terminals.insert(key, id);
                id
            }
        };
        self.symbol(symbol)
    }

    /// Returns the mention of the token of a regular expression, if it was added before.
    pub(super) fn known_pattern(&mut self, regex: &str) -> Option<ExprId> {
        let symbol = *self.terminals.get(&Terminal::Pattern(regex.into()))?;
        Some(self.symbol(symbol))
    }

    /// Creates a mention of the token of a regular expression, with the body of the token. A body
    /// that is itself a terminal needs no other token.
    pub(super) fn add_pattern(&mut self, regex: &str, body: ExprId) -> ExprId {
        if let Expr::Symbol { symbol, .. } = self.exprs[body.index()]
            && !matches!(self.symbols[symbol.index()].kind, SymbolKind::Rule(_))
        {
            return body;
        }
        let kind = SymbolKind::Pattern(body);
        let id = self.add(regex.into(), kind, Visibility::Anonymous);
        self.terminals.insert(Terminal::Pattern(regex.into()), id);
        self.symbol(id)
    }

    /// Creates a sequence of expressions.
    pub fn sequence(&mut self, mut members: Vec<ExprId>) -> ExprId {
        members.retain(|&member| member != self.empty());
        match members[..] {
            [] => self.empty(),
            [one] => one,
            _ => {
                let list = self.list(&members);
                self.push(Expr::Sequence(list))
            }
        }
    }

    /// Creates a choice. Its first alternative is preferred. A choice without alternatives matches
    /// nothing.
    pub fn choice(&mut self, members: Vec<ExprId>) -> ExprId {
        let mut flat = Vec::with_capacity(members.len());
        for member in members {
            match self.exprs[member.index()] {
                Expr::Choice(list) => {
                    flat.extend_from_slice(
                        &self.lists[list.start as usize..(list.start + list.len) as usize],
                    );
                }
                _ => flat.push(member),
            }
        }
        match flat[..] {
            [] => self.class(ByteSet::EMPTY),
            [one] => one,
            _ => {
                let list = self.list(&flat);
                self.push(Expr::Choice(list))
            }
        }
    }

    /// Creates an optional part.
    pub fn optional(&mut self, body: ExprId) -> ExprId {
        self.push(Expr::Optional(body))
    }

    /// Creates a repetition.
    pub fn repeat(
        &mut self,
        body: ExprId,
        min: u32,
        max: Option<u32>,
        separator: Option<ExprId>,
    ) -> ExprId {
        self.push(Expr::Repeat(Repeat {
            body,
            min,
            max,
            separator,
        }))
    }

    /// Creates an expression with a precedence.
    pub fn precedence(&mut self, level: i32, associativity: Associativity, body: ExprId) -> ExprId {
        self.push(Expr::Precedence {
            level,
            associativity,
            body,
        })
    }

    /// Creates an expression whose text affects names in scope.
    pub fn scoped(&mut self, body: ExprId, scope: Scope) -> ExprId {
        self.push(Expr::Scoped { body, scope })
    }

    /// Finishes the grammar with the given start symbol.
    ///
    /// # Errors
    ///
    /// Returns an error if a symbol is used but not defined.
    pub fn finish(self, start: SymbolId) -> Result<Grammar, Unfinished> {
        match self.finish_anyway(start) {
            (grammar, None) => Ok(grammar),
            (_, Some(unfinished)) => Err(unfinished),
        }
    }

    /// Finishes the grammar, with every undefined symbol as [`SymbolKind::External`].
    pub fn finish_anyway(mut self, start: SymbolId) -> (Grammar, Option<Unfinished>) {
        self.join_bodies();
        let (defined, not): (Vec<_>, Vec<_>) =
            (0..self.symbols.len()).partition(|&i| self.defined[i]);
        let name = |i: usize| &*self.symbols[i].name;
        let known: Vec<&str> = defined
            .iter()
            .map(|&i| name(i))
            .filter(|name| self.by_name.contains_key(*name))
            .collect();
        // Each suggestion compares all known names, so the number of suggestions is limited.
        let suggested = (MOST_COMPARISONS / known.len().max(1)).max(1);
        let undefined: Vec<_> = not
            .into_iter()
            .enumerate()
            .map(|(nth, i)| {
                let like = (nth < suggested)
                    .then(|| suggest::nearest(name(i), known.iter().copied()))
                    .flatten();
                (name(i).into(), like.map(Box::from))
            })
            .collect();
        let unfinished = (!undefined.is_empty()).then_some(Unfinished { undefined });
        let grammar = Grammar {
            name: self.name,
            start,
            symbols: self.symbols,
            exprs: self.exprs,
            lists: self.lists,
            names: self.names,
            extras: self.extras,
            bound: self.bound,
            stand_ins: FxHashMap::default(),
            valued: FxHashMap::default(),
            conventions: &conventions::NONE,
            by_name: self.by_name,
            lexing: None,
            facts: OnceLock::new(),
            automata: OnceLock::new(),
            places: OnceLock::new(),
        };
        (grammar, unfinished)
    }

    /// Creates a choice from the bodies of each rule with several bodies.
    fn join_bodies(&mut self) {
        let mut all: Vec<(SymbolId, Vec<ExprId>)> =
            std::mem::take(&mut self.bodies).into_iter().collect();
        all.sort_unstable();
        for (symbol, more) in all {
            if let SymbolKind::Rule(first) = self.symbols[symbol.index()].kind {
                let body = self.choice([vec![first], more].concat());
                self.symbols[symbol.index()].kind = SymbolKind::Rule(body);
            }
        }
    }

    fn add(&mut self, name: Box<str>, kind: SymbolKind, visibility: Visibility) -> SymbolId {
        self.symbols.push(Symbol {
            name,
            kind,
            visibility,
        });
        self.defined.push(true);
        SymbolId(self.symbols.len() as u32 - 1)
    }

    fn list(&mut self, members: &[ExprId]) -> ExprList {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(members);
        ExprList {
            start,
            len: members.len() as u32,
        }
    }

    /// Adds an expression. Every occurrence is distinct, so that a tree node can name the
    /// quantifier or mention of which it is an instance.
    fn push(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId(self.exprs.len() as u32 - 1)
    }
}
