//! Nodes of a tree in the order of the tree, some of which may contain others.

use crate::tree::{NodeId, Outline};

/// Returns, for each node, the index of the innermost other node of the list that contains it, if
/// there is one.
pub(in crate::tree_reducer) fn parents(outline: &Outline, nodes: &[NodeId]) -> Vec<Option<u32>> {
    let mut around: Vec<(u32, NodeId)> = vec![];
    let each = (0u32..).zip(nodes).map(|(unit, &id)| {
        while around.pop_if(|&mut (_, end)| end <= id).is_some() {}
        let parent = around.last().map(|&(unit, _)| unit);
        around.push((unit, outline.node(id).end));
        parent
    });
    each.collect()
}

/// Returns the nodes that no other node of the list contains.
pub(in crate::tree_reducer) fn outermost(
    outline: &Outline,
    nodes: impl IntoIterator<Item = NodeId>,
) -> impl Iterator<Item = NodeId> {
    let mut end = 0;
    nodes.into_iter().filter(move |&id| {
        let is_outer = id >= end;
        end = end.max(outline.node(id).end);
        is_outer
    })
}
