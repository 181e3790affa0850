use nubbin_edit::Span;
use nubbin_grammar::grammar::{ExprId, NameId, SymbolId};
use nubbin_grammar::tree::NodeKind;

/// The index of a node of one [`Outline`](super::Outline), in the order of the tree. Parents come
/// before children.
pub type NodeId = u32;

/// The root of every outline.
pub const ROOT: NodeId = 0;

/// The facts about a node that tree reducers use.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The kind of the node.
    pub kind: NodeKind,
    /// The symbol of which the node is an instance. For the node of a quantifier, this is the
    /// symbol of its parent.
    pub symbol: SymbolId,
    /// The mention of the node in the rule of its parent, if the rule mentions it.
    pub place: Option<ExprId>,
    /// The field of the node in its parent, if it has one.
    pub field: Option<NameId>,
    /// The text of the node, in offsets of the input.
    pub span: Span,
    /// The parent of the node. The parent of the root is the root.
    pub parent: NodeId,
    /// The first node after the subtree of the node.
    pub end: NodeId,
    /// The number of levels above the node.
    pub level: u32,
}

/// The symbol of which a node is an instance, and the place of the node. A node into which other
/// nodes were [squeezed](super::squeeze()) has several names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The symbol, as in [`Node::symbol`].
    pub symbol: SymbolId,
    /// The place, as in [`Node::place`].
    pub place: Option<ExprId>,
    /// The field, as in [`Node::field`].
    pub field: Option<NameId>,
}
