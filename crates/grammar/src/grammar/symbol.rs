use super::ExprId;
use crate::byte_set::ByteSet;

/// A symbol of one [`Grammar`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub(crate) u32);

impl SymbolId {
    /// Its place in [`Grammar::symbols`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
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
