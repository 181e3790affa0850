use super::{Node, NodeKind, Tree};
use crate::grammar::{Expr, ExprId, Grammar, NameId, SymbolId};
use std::sync::Arc;

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
