use super::{Node, NodeId, NodeKind};
use crate::grammar::{Expr, Grammar, SymbolId};
use std::sync::Arc;

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
    pub(super) grammar: Arc<Grammar>,
    pub(super) text: Arc<[u8]>,
    pub(super) nodes: Vec<Node>,
}

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
