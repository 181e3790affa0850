use crate::grammar::{ExprId, NameId, SymbolId};
use std::ops::Range;

/// The id of a node of one [`Tree`](super::Tree).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the index in the order of the tree: parents before children, left before right.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// An instance of a rule.
    Rule,
    /// A terminal with its text: a leaf.
    Token,
    /// An optional part, which may be absent.
    Optional,
    /// A repetition, with iterations and separators as children. Without an expression, it is the
    /// list of the parts of an [`Error`](NodeKind::Error) node.
    Repeat,
    /// One iteration of a repetition.
    Iteration,
    /// The text between two iterations.
    Separator,
    /// Text between tokens that belongs to no rule: a leaf. A comment has its symbol among the
    /// [extras](crate::grammar::Grammar::extras) of the grammar. Other text has the symbol of the
    /// enclosing node.
    Gap,
    /// A part that does not fit the grammar. Its children may fit.
    Error,
    /// A token that is missing in the text, with no text.
    Missing,
}

/// A node of a tree. Its children follow it in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The kind of the node.
    pub kind: NodeKind,
    /// The symbol under which the node is shown. The node of a quantifier has the symbol of the
    /// enclosing node.
    pub symbol: SymbolId,
    /// The expression of which the node is an instance: a quantifier, or a mention of the symbol.
    /// The value is `None` for the root and for nodes that belong to no rule.
    pub expr: Option<ExprId>,
    /// The index of the name plus one, or 0 for no field.
    pub(super) field: u16,
    pub(super) parent: u32,
    /// The index of the first node after the subtree.
    pub(super) end: u32,
    pub(super) start: u32,
    pub(super) stop: u32,
}

impl Node {
    /// Returns the span of the node in the text.
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.stop as usize
    }

    /// Returns the field of the node in the enclosing node, if it has one: the field of its
    /// mention, or of the hidden rule to which it belongs.
    pub fn field(&self) -> Option<NameId> {
        u32::from(self.field).checked_sub(1).map(NameId)
    }

    /// Returns whether the node is a leaf, which has its own text.
    pub fn is_leaf(&self) -> bool {
        matches!(self.kind, NodeKind::Token | NodeKind::Gap)
    }
}

const _: () = assert!(size_of::<Node>() <= 32);
