use super::{Node, NodeId, NodeKind};
use crate::grammar::{Expr, Grammar, SymbolId};
use std::sync::Arc;

/// The syntax tree of a text, by a [`Grammar`].
///
/// The nodes are in one vector, parents before children, left before right, each with the index
/// after its last descendant. A subtree is therefore a slice, and neither a visit nor a skip of a
/// subtree needs recursion or a stack. A node takes 28 bytes.
///
/// The spans of the leaves tile the text: they are in order, do not overlap, and cover the text.
/// Printing a tree therefore returns its text.
///
/// A tree is immutable. A [`TreeBuilder`](super::TreeBuilder) builds a new tree.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) grammar: Arc<Grammar>,
    pub(super) text: Arc<[u8]>,
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// Returns the grammar of the tree.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// Returns the whole text.
    pub fn text(&self) -> &Arc<[u8]> {
        &self.text
    }

    /// Returns the number of nodes, which is at least one.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns `false`, since every tree has a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the node with the given id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Iterates over all nodes, parents before children, left before right.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        let numbered = self.nodes.iter().enumerate();
        numbered.map(|(i, node)| (NodeId(i as u32), node))
    }

    /// Iterates over a node and its descendants, in the same order.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        let range = id.index()..self.node(id).end as usize;
        let numbered = self.nodes[range].iter().enumerate();
        numbered.map(move |(i, node)| (NodeId(id.0 + i as u32), node))
    }

    /// Returns the parent of a node, or `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::ROOT).then(|| NodeId(self.node(id).parent))
    }

    /// Returns the index of the first node after the subtree of a node.
    pub fn end(&self, id: NodeId) -> u32 {
        self.node(id).end
    }

    /// Iterates over the children of a node, from left to right.
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

    /// Returns whether `inner` is `outer` or a descendant of `outer`.
    pub fn covers(&self, outer: NodeId, inner: NodeId) -> bool {
        outer <= inner && inner.0 < self.node(outer).end
    }

    /// Returns the text of a node.
    pub fn text_of(&self, id: NodeId) -> &[u8] {
        &self.text[self.node(id).span()]
    }

    /// Returns the rule whose body the children of a node follow. The rule differs from the symbol
    /// of the node if the mention has an alias.
    pub fn rule(&self, id: NodeId) -> SymbolId {
        let node = self.node(id);
        match node.expr.map(|expr| self.grammar.expr(expr)) {
            Some(Expr::Symbol { symbol, .. }) => symbol,
            _ => node.symbol,
        }
    }

    /// Returns the symbols of the children of a node as the grammar counts them, for
    /// [`Automata::accepts`](crate::automaton::Automata::accepts) with [`Tree::rule`].
    ///
    /// The children of quantifier nodes take the place of these nodes. Gaps and errors are skipped.
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

    /// Returns the text, as the concatenation of the leaves.
    pub fn print(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(self.text.len());
        for node in self.nodes.iter().filter(|node| node.is_leaf()) {
            text.extend_from_slice(&self.text[node.span()]);
        }
        text
    }

    /// Returns the number of bytes in [`Error`](NodeKind::Error) nodes that are in no rule inside
    /// these nodes. White space and comments do not count.
    pub fn outside_rules(&self) -> usize {
        // Whether a node is inside an error node, with neither a rule nor a part of one in between.
        let mut outside: Vec<bool> = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for node in &self.nodes {
            let around = outside.get(node.parent as usize).copied().unwrap_or(false);
            let is_comment = self.grammar.extras().contains(&node.symbol);
            if around && node.is_leaf() && !is_comment {
                let text = &self.text[node.span()];
                count += text.iter().filter(|b| !b.is_ascii_whitespace()).count();
            }
            outside.push(match node.kind {
                NodeKind::Error => true,
                // The parts of an error have no expression.
                NodeKind::Repeat | NodeKind::Iteration => around && node.expr.is_none(),
                _ => false,
            });
        }
        count
    }

    /// Returns the memory of the nodes in bytes, without the text and the grammar.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }
}
