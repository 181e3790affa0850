use super::{Node, NodeKind, Tree};
use crate::grammar::{Expr, ExprId, Grammar, NameId, SymbolId};
use std::sync::Arc;

/// The reason why a [`TreeBuilder`] cannot finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The leaves omit or repeat a part of the text.
    #[error("the leaves do not tile the input at byte {0}")]
    NotTiled(usize),
    /// The calls of open and close do not match, or there is not exactly one root.
    #[error("a tree must have one root, and every opened node must be closed")]
    NotATree,
    /// The text has 4 GiB or more, or the tree has 2³² nodes or more.
    #[error("trees are limited to inputs below 4 GiB")]
    TooLarge,
    /// The tree would have too many nodes. A short text can have an endless tree: parts that derive
    /// nothing are nested in each other, and each level has twice as many.
    #[error("the input is too ambiguous: its tree would take more than {} MiB", bytes >> 20)]
    TooMany {
        /// The limit in bytes.
        bytes: usize,
    },
}

/// A builder that creates a [`Tree`] in the order of its nodes.
#[derive(Debug)]
pub struct TreeBuilder {
    grammar: Arc<Grammar>,
    text: Arc<[u8]>,
    nodes: Vec<Node>,
    open: Vec<u32>,
    /// The field of the next node, if it was set.
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

    /// Gives the tree up. The first reason is that of [`TreeBuilder::finish`].
    pub(crate) fn give_up(&mut self, wrong: TreeError) {
        self.wrong = self.wrong.or(Some(wrong));
    }

    /// Begins a node with children.
    pub fn open(&mut self, kind: NodeKind, symbol: SymbolId, expr: Option<ExprId>) {
        let index = self.push(kind, symbol, expr);
        self.open.push(index);
    }

    /// Ends the innermost open node.
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

    /// Sets the field of the next node. By default, it is the field of the node's mention.
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
            // No grammar has more names than this field can hold.
            field: field.map_or(0, |name| u16::try_from(name.0 + 1).unwrap_or(0)),
            parent: self.open.last().copied().unwrap_or(0),
            end: index + 1,
            start: self.at,
            stop: self.at,
        });
        index
    }

    /// Finishes the tree.
    ///
    /// # Errors
    ///
    /// Returns an error if the nodes are not a tree, or if the leaves do not tile the text.
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
