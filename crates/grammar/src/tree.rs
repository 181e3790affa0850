//! Trees: one arena in the order of the text.

mod replace;
mod show;
mod svg;

pub use show::{Indented, dot};
pub use svg::{SvgError, svg};

use crate::grammar::{Expr, ExprId, Grammar, NameId, SymbolId};
use std::ops::Range;
use std::sync::Arc;

/// A node of one [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

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
    field: u16,
    parent: u32,
    /// First node that is not below this one.
    end: u32,
    start: u32,
    stop: u32,
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

/// A text as a tree of a [`Grammar`].
///
/// Nodes are in one vector, parents before children, left before right, each with the index behind
/// its last descendant. So going over a subtree is going over a slice, skipping one is an addition,
/// and neither needs recursion or a stack. 28 bytes a node.
///
/// The spans of the leaves tile the text: they are in order, without overlap, and together they are
/// all of it. So printing a tree gives back its text.
///
/// A tree is not changed in place; another one is made with a [`TreeBuilder`].
#[derive(Clone, Debug)]
pub struct Tree {
    grammar: Arc<Grammar>,
    text: Arc<[u8]>,
    nodes: Vec<Node>,
}

const _: () = assert!(size_of::<Node>() <= 32);

impl Tree {
    /// What it is a tree of.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// The whole text.
    pub fn text(&self) -> &Arc<[u8]> {
        &self.text
    }

    /// How many nodes there are; never none.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// All nodes, parents before children, left before right.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        let numbered = self.nodes.iter().enumerate();
        numbered.map(|(i, node)| (NodeId(i as u32), node))
    }

    /// The node and all below it, in the same order.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        let range = id.index()..self.node(id).end as usize;
        let numbered = self.nodes[range].iter().enumerate();
        numbered.map(move |(i, node)| (NodeId(id.0 + i as u32), node))
    }

    /// The node around this one.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::ROOT).then(|| NodeId(self.node(id).parent))
    }

    /// The index of the first node that is not below this one.
    pub fn end(&self, id: NodeId) -> u32 {
        self.node(id).end
    }

    /// The direct children, from left to right.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(id).end;
        let mut next = id.0 + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = NodeId(next);
                next = self.nodes[child.index()].end;
                child
            })
        })
    }

    /// Whether `inner` is below `outer`, or the same.
    pub fn covers(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner.0 < self.node(outer).end
    }

    /// The text of a node.
    pub fn text_of(&self, id: NodeId) -> &[u8] {
        &self.text[self.node(id).span()]
    }

    /// The rule whose body the children of a node follow: what is meant where the node is mentioned,
    /// which is not what it is shown as if the mention has an alias.
    pub fn rule(&self, id: NodeId) -> SymbolId {
        let node = self.node(id);
        match node.expr.map(|expr| self.grammar.expr(expr)) {
            Some(Expr::Symbol { symbol, .. }) => symbol,
            _ => node.symbol,
        }
    }

    /// The symbols of the children as the grammar counts them: those of quantifier nodes in their
    /// place, gaps and what does not fit left out. With [`Tree::rule`], what [`Automata::accepts`](crate::automaton::Automata::accepts) takes.
    pub fn child_symbols(&self, id: NodeId) -> Vec<SymbolId> {
        let mut found = vec![];
        let end = self.node(id).end;
        let mut next = id.0 + 1;
        while next < end {
            let node = &self.nodes[next as usize];
            match node.kind {
                NodeKind::Rule | NodeKind::Token | NodeKind::Missing => {
                    found.push(node.symbol);
                    next = node.end;
                }
                NodeKind::Gap | NodeKind::Error => next = node.end,
                NodeKind::Optional
                | NodeKind::Repeat
                | NodeKind::Iteration
                | NodeKind::Separator => next += 1,
            }
        }
        found
    }

    /// The text, put together from the leaves.
    pub fn print(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.text.len());
        for node in self.nodes.iter().filter(|node| node.is_leaf()) {
            text.extend_from_slice(&self.text[node.span()]);
        }
        text
    }

    /// Bytes in use, without the text and the grammar.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }
}

/// Why a [`TreeBuilder`] cannot finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The leaves leave out or repeat text.
    #[error("the leaves do not tile the text at byte {0}")]
    NotTiled(usize),
    /// Open and close do not match, or there is not exactly one root.
    #[error("a tree has one root, and every node that is opened is closed")]
    NotATree,
    /// 4 GiB of text or more, or as many nodes.
    #[error("trees are for texts below 4 GiB")]
    TooLarge,
}

/// Makes a [`Tree`] in the order of its nodes.
#[derive(Debug)]
pub struct TreeBuilder {
    grammar: Arc<Grammar>,
    text: Arc<[u8]>,
    nodes: Vec<Node>,
    open: Vec<u32>,
    /// Of the next node, where somebody knows.
    field: Option<Option<NameId>>,
    at: u32,
    wrong: Option<TreeError>,
}

impl TreeBuilder {
    /// Starts a tree over `text`.
    pub fn new(grammar: Arc<Grammar>, text: Arc<[u8]>) -> Self {
        let wrong = (u32::try_from(text.len()).is_err()).then_some(TreeError::TooLarge);
        TreeBuilder {
            grammar,
            text,
            nodes: vec![],
            open: vec![],
            field: None,
            at: 0,
            wrong,
        }
    }

    /// Begins a node that has children.
    pub fn open(&mut self, kind: NodeKind, symbol: SymbolId, expr: Option<ExprId>) {
        let index = self.push(kind, symbol, expr);
        self.open.push(index);
    }

    /// Ends the node that was begun last.
    pub fn close(&mut self) {
        match self.open.pop() {
            Some(index) => {
                let end = self.nodes.len() as u32;
                let node = &mut self.nodes[index as usize];
                node.end = end;
                node.stop = self.at;
            }
            None => self.wrong = self.wrong.or(Some(TreeError::NotATree)),
        }
    }

    /// Adds a leaf with the next `len` bytes of the text.
    pub fn leaf(&mut self, kind: NodeKind, symbol: SymbolId, expr: Option<ExprId>, len: usize) {
        let index = self.push(kind, symbol, expr);
        let stop = self.at as usize + len;
        if stop > self.text.len() {
            self.wrong = self.wrong.or(Some(TreeError::NotTiled(self.text.len())));
            return;
        }
        self.at = stop as u32;
        let node = &mut self.nodes[index as usize];
        node.stop = self.at;
        node.end = index + 1;
    }

    /// The role of the node that is added next, if it is not the one its mention says.
    pub fn in_field(&mut self, field: Option<NameId>) {
        self.field = Some(field);
    }

    fn push(&mut self, kind: NodeKind, symbol: SymbolId, expr: Option<ExprId>) -> u32 {
        let mentioned = match expr.map(|expr| self.grammar.expr(expr)) {
            Some(Expr::Symbol { field, .. }) => field,
            _ => None,
        };
        let field = self.field.take().unwrap_or(mentioned);
        let index = self.nodes.len() as u32;
        if (index > 0 && self.open.is_empty()) || index == u32::MAX {
            self.wrong = self.wrong.or(Some(TreeError::NotATree));
        }
        self.nodes.push(Node {
            kind,
            symbol,
            expr,
            // Nobody has as many names.
            field: field.map_or(0, |name| u16::try_from(name.0 + 1).unwrap_or(0)),
            parent: self.open.last().copied().unwrap_or(0),
            end: index + 1,
            start: self.at,
            stop: self.at,
        });
        index
    }

    /// The tree.
    ///
    /// # Errors
    ///
    /// The nodes are no tree, or the leaves not all of the text.
    pub fn finish(mut self) -> Result<Tree, TreeError> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        if !self.open.is_empty() || self.nodes.is_empty() {
            return Err(TreeError::NotATree);
        }
        if self.at as usize != self.text.len() {
            return Err(TreeError::NotTiled(self.at as usize));
        }
        self.nodes.shrink_to_fit();
        Ok(Tree {
            grammar: self.grammar,
            text: self.text,
            nodes: self.nodes,
        })
    }
}
