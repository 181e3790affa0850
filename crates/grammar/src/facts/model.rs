use crate::byte_set::ByteSet;
use crate::grammar::{ExprId, SymbolId};

/// The facts about each symbol and expression of a [`Grammar`](crate::grammar::Grammar) that follow
/// from the grammar.
///
/// The facts are computed by iteration over the expressions that depend on a change, parts first,
/// until nothing changes.
#[derive(Debug)]
pub struct Facts {
    pub(crate) symbols: Vec<SymbolFacts>,
    pub(crate) exprs: Vec<ExprFacts>,
    /// For each symbol, the symbols that its body may derive alone.
    pub(super) units: Vec<Vec<SymbolId>>,
    /// Whether each symbol derives itself alone.
    pub(super) circular: Vec<bool>,
    /// The number of parts of expressions that were looked at.
    pub(super) work: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SymbolFacts {
    pub(super) nullable: bool,
    pub(super) first: ByteSet,
    pub(crate) min: Option<Least>,
    pub(super) reachable: bool,
    pub(super) recursive: bool,
    pub(super) left_recursive: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ExprFacts {
    pub(super) nullable: bool,
    pub(super) first: ByteSet,
    pub(crate) min: Option<Least>,
}

/// The minimum of each measure over all derivations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Least {
    /// The length of the shortest text in bytes; saturates.
    pub(crate) length: u64,
    /// The number of external tokens in the shortest text; saturates.
    pub(crate) unknown: u32,
    /// The number of levels of rules above the shortest text. The number is strictly less in every
    /// part of that text, so that its construction ends.
    pub(super) height: u32,
    /// The number of levels of rules in the flattest tree, which may differ from the tree of the
    /// shortest text.
    pub(super) depth: u32,
}

impl Least {
    pub(super) const fn terminal(length: u64) -> Self {
        Least {
            length,
            unknown: 0,
            height: 0,
            depth: 0,
        }
    }

    /// The key by which derivations compare. A text that is known comes first: the length of an
    /// external token is unknown as well, and counts as 0.
    ///
    /// A part with a smaller key makes a whole with a smaller key, so that the iteration ends.
    pub(crate) fn shortest(&self) -> (u32, u64, u32) {
        (self.unknown, self.length, self.height)
    }
}

impl Facts {
    /// Returns whether a symbol derives the empty text.
    pub fn nullable(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].nullable
    }

    /// Returns whether an expression derives the empty text.
    pub fn expr_nullable(&self, expr: ExprId) -> bool {
        self.exprs[expr.index()].nullable
    }

    /// Returns the bytes with which the texts of a symbol can begin.
    pub fn first(&self, symbol: SymbolId) -> ByteSet {
        self.symbols[symbol.index()].first
    }

    /// Returns the length of the shortest text of a symbol in bytes, or `None` if it derives no
    /// text. Texts with tokens of an external scanner are considered only if there are no other
    /// texts. Then a text with the fewest such tokens is used, and such a token counts as 0 bytes.
    pub fn min_length(&self, symbol: SymbolId) -> Option<u64> {
        self.symbols[symbol.index()].min.map(|min| min.length)
    }

    /// Returns the length of the shortest text of an expression in bytes, or `None` if it derives
    /// no text.
    pub fn expr_min_length(&self, expr: ExprId) -> Option<u64> {
        self.exprs[expr.index()].min.map(|min| min.length)
    }

    /// Returns the number of levels of rules in the flattest tree of a symbol; 0 for a terminal.
    pub fn min_depth(&self, symbol: SymbolId) -> Option<u32> {
        self.symbols[symbol.index()].min.map(|min| min.depth)
    }

    /// Returns the number of levels of rules in the flattest tree of an expression.
    pub fn expr_min_depth(&self, expr: ExprId) -> Option<u32> {
        self.exprs[expr.index()].min.map(|min| min.depth)
    }

    /// Returns whether a symbol derives a text.
    pub fn productive(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].min.is_some()
    }

    /// Returns whether the start symbol or an extra leads to a symbol.
    pub fn reachable(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].reachable
    }

    /// Returns whether a symbol can contain itself.
    pub fn recursive(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].recursive
    }

    /// Returns whether a symbol can begin with itself.
    pub fn left_recursive(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].left_recursive
    }

    /// Returns whether a symbol can derive itself alone.
    pub fn circular(&self, symbol: SymbolId) -> bool {
        self.circular[symbol.index()]
    }

    /// Returns the symbols that `symbol` can derive alone. Each of them can occur where `symbol`
    /// occurs. The symbol itself is among them only if it derives itself.
    pub fn stands_for(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let mut seen = vec![false; self.symbols.len()];
        let mut todo = self.units[symbol.index()].clone();
        let mut found = vec![];
        while let Some(id) = todo.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                found.push(id);
                todo.extend(&self.units[id.index()]);
            }
        }
        found.sort_unstable();
        found
    }
}
