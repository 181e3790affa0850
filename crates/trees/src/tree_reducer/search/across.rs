use super::{Proposal, Search, SearchMachine, leaves_enough};
use crate::tree::{Gone, NodeId, Outline};
use nubbin_edit::Edit;
use nubbin_engine::work::Work;
use std::sync::Arc;

/// A proposal over the trees of several files: the proposed removals by the number of the tree.
pub(in crate::tree_reducer) type Parts = Vec<(usize, Proposal)>;

/// The nodes that a proposal removes, by the number of the tree.
type Removed = Vec<(usize, Vec<NodeId>)>;

/// Proposals that change the trees of several files at once. The proposals are tried one after
/// another, independent of the verdicts on the others.
///
/// The type is a variant of [`OneAtATime`](super::OneAtATime) for more than one tree.
#[derive(Clone)]
pub(in crate::tree_reducer) struct Across {
    trees: Arc<[Arc<Outline>]>,
    steps: Arc<[Parts]>,
    gone: Vec<Gone>,
    at: usize,
    asked: Option<(Removed, Edit)>,
}

impl Across {
    /// Wraps proposals as the work of a tree reducer. Returns `None` if there are no proposals.
    pub(in crate::tree_reducer) fn work(
        trees: Vec<Arc<Outline>>,
        steps: Vec<Parts>,
    ) -> Option<Work> {
        let gone = vec![Gone::default(); trees.len()];
        (!steps.is_empty()).then(|| {
            SearchMachine::work(Across {
                trees: trees.into(),
                steps: steps.into(),
                gone,
                at: 0,
                asked: None,
            })
        })
    }

    fn make(&self, parts: &Parts) -> Option<(Removed, Edit)> {
        let mut all = Edit::none();
        let mut removed = vec![];
        for (tree, proposal) in parts {
            let (outline, gone) = (&self.trees[*tree], &self.gone[*tree]);
            let left = proposal.remove.iter().copied();
            let remove: Vec<NodeId> = left.filter(|&id| !gone.contains(id)).collect();
            if remove.len() < proposal.at_least || !leaves_enough(outline, gone, &remove) {
                return None;
            }
            let edit = outline.prune(remove.iter().copied(), gone);
            all = all.combine(&edit).ok()?.combine(&proposal.also).ok()?;
            removed.push((*tree, remove));
        }
        (!all.is_none()).then_some((removed, all))
    }
}

impl Search for Across {
    fn propose(&mut self) -> Option<Edit> {
        while self.asked.is_none() {
            let parts = self.steps.get(self.at)?;
            self.asked = self.make(parts);
            self.at += 1;
        }
        self.asked.as_ref().map(|(_, edit)| edit.clone())
    }

    fn settle(&mut self, adopted: bool) {
        let Some((removed, _)) = self.asked.take().filter(|_| adopted) else {
            return;
        };
        for (tree, nodes) in removed {
            nodes.iter().for_each(|&id| self.gone[tree].insert(id));
        }
    }
}
