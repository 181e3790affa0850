//! The check whether one node may replace another.

use super::{NodeId, NodeKind, Tree};
use crate::grammar::Visibility;

impl Tree {
    /// Returns the nearest enclosing node of a rule, without quantifier nodes.
    pub fn rule_around(&self, id: NodeId) -> Option<NodeId> {
        let mut at = self.parent(id)?;
        while matches!(
            self.node(at).kind,
            NodeKind::Optional | NodeKind::Repeat | NodeKind::Iteration | NodeKind::Separator
        ) {
            at = self.parent(at)?;
        }
        Some(at)
    }

    /// Returns whether the grammar allows the text of `new` in place of `old`.
    ///
    /// The rule around `old` must accept its new children. A name never replaces punctuation, and
    /// punctuation never replaces a name, even if the rule would accept that, as for a line end
    /// instead of a semicolon. A node [bound](crate::grammar::Grammar::is_bound) to other text
    /// neither replaces nor is replaced. Within an error node, every replacement is allowed.
    ///
    /// The time is linear in the number of children of the rule around `old`.
    pub fn may_replace(&self, old: NodeId, new: NodeId) -> bool {
        let grammar = &*self.grammar;
        let is_child = |id| matches!(self.node(id).kind, NodeKind::Rule | NodeKind::Token);
        if !is_child(old) || !is_child(new) {
            return false;
        }
        if grammar.is_bound(self.rule(old)) || grammar.is_bound(self.rule(new)) {
            return false;
        }
        let anonymous =
            |id: NodeId| grammar.symbol(self.node(id).symbol).visibility == Visibility::Anonymous;
        if anonymous(old) != anonymous(new) {
            return false;
        }
        let Some(around) = self.rule_around(old) else {
            return false;
        };
        if self.node(around).kind == NodeKind::Error {
            return true;
        }
        let mut before = 0;
        let mut next = around.0 + 1;
        // The number of counted children before the old one.
        while next < old.0 {
            let node = &self.nodes[next as usize];
            match node.kind {
                NodeKind::Rule | NodeKind::Token | NodeKind::Missing => {
                    before += 1;
                    next = node.end;
                }
                NodeKind::Gap | NodeKind::Error => next = node.end,
                _ => next += 1,
            }
        }
        let mut children = self.child_symbols(around);
        match children.get_mut(before) {
            Some(child) => *child = self.node(new).symbol,
            None => return false,
        }
        grammar.automata().accepts(self.rule(around), &children)
    }
}
