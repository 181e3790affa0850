use super::Items;
use crate::tree::{Gone, NodeId, Outline};
use nubbin_edit::Edit;
use std::sync::Arc;

impl Items {
    /// Makes an edit that removes items from the trees of a program, and other nodes, each with the
    /// number of its tree. `gone` has the nodes that were already removed from each tree.
    pub(in crate::tree_reducer) fn removal(
        &self,
        outlines: &[Arc<Outline>],
        gone: &[Gone],
        items: &[u32],
        others: &[(u32, NodeId)],
    ) -> Edit {
        let mut is_in = vec![false; self.all.len()];
        for &at in items {
            is_in[at as usize] = true;
        }
        let is_outer = |at: &&u32| {
            let around = self.all[**at as usize].around;
            around.is_none_or(|around| !is_in[around as usize])
        };
        let outer = items
            .iter()
            .filter(is_outer)
            .map(|&at| &self.all[at as usize]);
        let mut nodes: Vec<(u32, NodeId)> = outer.map(|item| (item.tree, item.node)).collect();
        nodes.sort_unstable();
        let is_outside = |&&(tree, node): &&(u32, NodeId)| {
            let before = nodes.partition_point(|&one| one <= (tree, node));
            let last = before.checked_sub(1).map(|at| nodes[at]);
            last.is_none_or(|(of, outer)| {
                of != tree || !outlines[tree as usize].covers(outer, node)
            })
        };
        let others: Vec<(u32, NodeId)> = others.iter().filter(is_outside).copied().collect();
        nodes.extend(others);
        nodes.sort_unstable();
        let trees = nodes.chunk_by(|one, other| one.0 == other.0);
        let splices = trees.flat_map(|nodes| {
            let tree = nodes[0].0 as usize;
            let nodes = nodes.iter().map(|&(_, node)| node).collect::<Vec<_>>();
            let edit = outlines[tree].prune(nodes, &gone[tree]);
            edit.splices().to_vec()
        });
        // Edits of different trees do not overlap.
        Edit::new(splices).unwrap_or_else(|_| Edit::none())
    }
}
