use super::id::ExprId;
use crate::byte_set::ByteSet;

/// A rule or a terminal.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name in the grammar, without the brackets of the notation. The name of a terminal is its
    /// text.
    pub name: Box<str>,
    /// The definition of the symbol.
    pub kind: SymbolKind,
    /// Whether trees show the symbol.
    pub visibility: Visibility,
}

/// The definition of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A rule with its body.
    Rule(ExprId),
    /// A terminal with these bytes, of which there is at least one.
    Literal(Box<[u8]>),
    /// A terminal that matches one byte of this set.
    Class(ByteSet),
    /// A terminal with a pattern, which is one leaf of a tree. The body is the pattern as an
    /// expression over literals and byte classes, so that no other module needs regular
    /// expressions.
    Pattern(ExprId),
    /// A terminal that a scanner outside the grammar recognizes. Its text is not known.
    External,
}

/// The visibility of a symbol: whether it has its own nodes in the trees of other parsers.
///
/// The parser of this crate creates a node for every rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// The symbol is shown under its name.
    #[default]
    Named,
    /// The symbol is shown as its text only.
    Anonymous,
    /// The symbol is not shown. Its children take its place.
    Hidden,
    /// The symbol is not shown. Its body is substituted for each mention.
    Inline,
    /// The symbol is not shown. It is a name for a choice of other symbols.
    Supertype,
}

impl Visibility {
    /// Returns whether the symbol has its own nodes.
    pub fn is_shown(self) -> bool {
        matches!(self, Visibility::Named | Visibility::Anonymous)
    }
}
