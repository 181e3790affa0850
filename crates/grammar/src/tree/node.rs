use crate::grammar::{ExprId, NameId, SymbolId};
use std::ops::Range;

/// A node of one [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// Its place in the order of the tree: parents before children, left before right.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// An instance of a rule.
    Rule,
    /// A terminal with its text: a leaf.
    Token,
    /// An optional part, with or without it.
    Optional,
    /// A repetition: its children are iterations and what separates them.
    Repeat,
    /// One iteration.
    Iteration,
    /// What stands between two iterations.
    Separator,
    /// Text between tokens that is in no rule: a leaf. A comment bears the symbol it has among the
    /// grammar's [extras](Grammar::extras), all other text that of the node around it.
    Gap,
    /// What does not fit the grammar, with children that may.
    Error,
    /// A token that would have to be there: no text.
    Missing,
}

/// One node, without its children: those follow it in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// What it is shown as; for a quantifier's node, the symbol of the node around it.
    pub symbol: SymbolId,
    /// The expression it is an instance of: the quantifier, or the mention of the symbol. `None` for
    /// the root and for what is in no rule.
    pub expr: Option<ExprId>,
    /// One more than the name, or 0.
    pub(super) field: u16,
    pub(super) parent: u32,
    /// First node that is not below this one.
    pub(super) end: u32,
    pub(super) start: u32,
    pub(super) stop: u32,
}

impl Node {
    /// Where its text is.
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.stop as usize
    }

    /// The role it has in the node around it, where it has one: that of its mention, or of a hidden rule
    /// whose content it is.
    pub fn field(&self) -> Option<NameId> {
        u32::from(self.field).checked_sub(1).map(NameId)
    }

    /// Whether it has text of its own.
    pub fn is_leaf(&self) -> bool {
        matches!(self.kind, NodeKind::Token | NodeKind::Gap)
    }
}

const _: () = assert!(size_of::<Node>() <= 32);
