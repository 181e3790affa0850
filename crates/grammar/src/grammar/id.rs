//! The ids of symbols, expressions, and names of one grammar.

/// The id of an expression of one [`Grammar`](super::Grammar).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

/// The id of the name of a field, or of a kind of names in scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameId(pub(crate) u32);

impl ExprId {
    /// Returns the index in the arena. The parts of an expression come before it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl NameId {
    /// Returns the index among the names of the grammar.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The id of a symbol of one [`Grammar`](super::Grammar).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub(crate) u32);

impl SymbolId {
    /// Returns the index in [`Grammar::symbols`](super::Grammar::symbols).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
