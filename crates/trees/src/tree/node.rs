use nubbin_edit::Span;
use nubbin_grammar::grammar::{ExprId, NameId, SymbolId};
use nubbin_grammar::tree::NodeKind;

/// A node of one [`Outline`](super::Outline): its index in the order of the tree, parents before
/// children.
pub type NodeId = u32;

/// The root of every outline.
pub const ROOT: NodeId = 0;

/// The facts about a node that tree reducers use.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The kind of the node.
    pub kind: NodeKind,
    /// The symbol that it is an instance of; for the node of a quantifier, that of the node around
    /// it.
    pub symbol: SymbolId,
    /// The mention of it in the rule of the node around it, where it is in a rule.
    pub place: Option<ExprId>,
    /// The field of it in the node around it, where it has one.
    pub field: Option<NameId>,
    /// The text of the node, in offsets of the input.
    pub span: Span,
    /// The node around it; its own number for the root.
    pub parent: NodeId,
    /// The first node after its subtree.
    pub end: NodeId,
    /// The number of levels above it.
    pub level: u32,
}

/// The symbol that a node is an instance of, and its place. A node into which others were
/// [squeezed](super::squeeze()) has several names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The symbol, as in [`Node::symbol`].
    pub symbol: SymbolId,
    /// The place, as in [`Node::place`].
    pub place: Option<ExprId>,
    /// The field, as in [`Node::field`].
    pub field: Option<NameId>,
}
