use super::node::{Kind, RoughNode};
use super::rules::Rules;
use nubbin_grammar::tree::{NodeKind, Tree, TreeBuilder, TreeError};
use std::sync::Arc;

/// A tree up to a position in the text, with the nodes that are open at that position.
pub(super) struct Assembly<'a> {
    rules: &'a Rules,
    tree: TreeBuilder,
    at: u32,
    open: Vec<OpenNode>,
}

struct OpenNode {
    kind: Kind,
    end: u32,
    /// Whether the node contains another node.
    has_nodes: bool,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(rules: &'a Rules, text: &[u8]) -> Self {
        Assembly {
            rules,
            tree: TreeBuilder::new(Arc::clone(&rules.grammar), text.into()),
            at: 0,
            open: vec![],
        }
    }

    /// Adds a node, after the nodes that end before it.
    pub(super) fn add(&mut self, node: RoughNode) {
        self.close_until(node.start);
        let Some(kind) = node.kind else {
            return self.comma(node.end);
        };
        let mut mention = None;
        if let Some(outer) = self.open.last_mut() {
            let (outer, is_first) = (outer.kind, !std::mem::replace(&mut outer.has_nodes, true));
            let rule = self.rules.rule(outer);
            mention = rule.mention(kind);
            self.gap(outer, node.start);
            if is_first {
                self.tree
                    .open(NodeKind::Repeat, rule.symbol, Some(rule.body));
            }
            self.tree
                .open(NodeKind::Iteration, rule.symbol, Some(rule.body));
        }
        self.tree
            .open(NodeKind::Rule, self.rules.rule(kind).symbol, mention);
        self.open.push(OpenNode {
            kind,
            end: node.end,
            has_nodes: false,
        });
    }

    fn comma(&mut self, end: u32) {
        let Some(kind) = self.open.last().map(|outer| outer.kind) else {
            return;
        };
        let rule = self.rules.rule(kind);
        self.gap(kind, end - 1);
        self.tree
            .open(NodeKind::Separator, rule.symbol, Some(rule.body));
        self.gap(kind, end);
        self.tree.close();
    }

    fn close_until(&mut self, at: u32) {
        while let Some(node) = self.open.pop_if(|node| node.end <= at) {
            if node.has_nodes {
                self.tree.close();
            }
            self.gap(node.kind, node.end);
            self.tree.close();
            if !self.open.is_empty() {
                self.tree.close();
            }
        }
    }

    /// Adds the text up to a place, which belongs to no node within one of this kind.
    fn gap(&mut self, kind: Kind, to: u32) {
        if to > self.at {
            let symbol = self.rules.rule(kind).symbol;
            let len = (to - self.at) as usize;
            self.tree.leaf(NodeKind::Gap, symbol, None, len);
            self.at = to;
        }
    }

    pub(super) fn finish(mut self) -> Result<Tree, TreeError> {
        self.close_until(u32::MAX);
        self.tree.finish()
    }
}
