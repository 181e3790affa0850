//! Which node may stand in the place of another.

use super::{NodeId, NodeKind, Tree};
use crate::grammar::Visibility;

impl Tree {
    /// The node around this one whose rule it is part of: quantifiers are passed over.
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

    /// Whether the grammar allows the text of `new` in the place of `old`.
    ///
    /// The rule around `old` must accept the children that it then has. More than that, names do not
    /// stand in for punctuation nor the other way round: where a line end can do instead of a
    /// semicolon, the rule would accept that. Nothing that is
    /// [bound](crate::grammar::Grammar::is_bound) to text elsewhere replaces or is replaced. What
    /// does not fit the grammar has no say, so there everything may stand.
    ///
    /// Time in the number of children of the rule around.
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
        // As many children as are counted before the old one.
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
