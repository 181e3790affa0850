//! The parts of a rule, found by their fields.

use crate::tree::{NodeId, Outline, ROOT};
use nubbin_grammar::tree::NodeKind;

/// Returns whether a node has one of the given fields in the rule around it.
pub(in crate::tree_reducer) fn has_field(outline: &Outline, id: NodeId, known: &[&str]) -> bool {
    let mut fields = outline.names(id).filter_map(|name| name.field);
    fields.any(|field| known.contains(&outline.grammar().text_of(field)))
}

/// Returns the innermost rule around a node.
pub(in crate::tree_reducer) fn rule_around(outline: &Outline, id: NodeId) -> NodeId {
    let mut around = outline.node(id).parent;
    while around != ROOT && outline.node(around).kind != NodeKind::Rule {
        around = outline.node(around).parent;
    }
    around
}

/// Returns the first part of a rule that has one of the given fields, if there is one.
pub(in crate::tree_reducer) fn part(
    outline: &Outline,
    rule: NodeId,
    roles: &[&str],
) -> Option<NodeId> {
    let mut at = rule + 1;
    let end = outline.node(rule).end;
    while at < end {
        if has_field(outline, at, roles) {
            return Some(at);
        }
        // A quantifier is not a part by itself.
        let node = outline.node(at);
        at = match node.kind {
            NodeKind::Rule | NodeKind::Token => node.end,
            _ => at + 1,
        };
    }
    None
}

/// Returns the iterations of a list, such as the arguments of a call.
pub(in crate::tree_reducer) fn iterations(outline: &Outline, list: NodeId) -> Vec<NodeId> {
    let is_iteration = |id: &NodeId| outline.node(*id).kind == NodeKind::Iteration;
    let mut at = list;
    let end = outline.node(list).end;
    while at < end {
        let node = outline.node(at);
        match node.kind {
            NodeKind::Repeat => return outline.children(at).filter(is_iteration).collect(),
            NodeKind::Rule | NodeKind::Token if at != list => at = node.end,
            _ => at += 1,
        }
    }
    vec![]
}
