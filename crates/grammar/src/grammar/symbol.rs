use super::id::ExprId;
use crate::byte_set::ByteSet;

/// A rule or a terminal.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// The name in the grammar, without the brackets of the notation. For a terminal, its text.
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
    /// A terminal of these bytes; never empty.
    Literal(Box<[u8]>),
    /// A terminal of one byte of this set.
    Class(ByteSet),
    /// A terminal with a pattern, one leaf of the tree. The body is the pattern as an expression
    /// over literals and byte classes, so that no other module needs regular expressions.
    Pattern(ExprId),
    /// A terminal made by a scanner outside the grammar. Its text is not known.
    External,
}

/// Whether a symbol has nodes of its own in trees of other parsers.
///
/// The parser of this crate makes a node for every rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Shown under its name.
    #[default]
    Named,
    /// Shown as its text only.
    Anonymous,
    /// Not shown; its children take its place.
    Hidden,
    /// Not shown; its body is substituted for each mention.
    Inline,
    /// Not shown; a name for a choice of other symbols.
    Supertype,
}

impl Visibility {
    /// Returns whether the symbol has nodes of its own.
    pub fn is_shown(self) -> bool {
        matches!(self, Visibility::Named | Visibility::Anonymous)
    }
}
