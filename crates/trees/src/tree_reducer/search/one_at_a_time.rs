use super::{Search, SearchMachine};
use crate::tree::{Gone, NodeId, Outline};
use nubbin_edit::Edit;
use nubbin_engine::work::Work;
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Proposals that are tried one after another, independent of the verdicts on the others, and
/// computed on demand.
pub(in crate::tree_reducer) trait Source: Send + Sync {
    /// Returns the number of proposals.
    fn len(&self) -> usize;

    /// Creates one of the proposals: nodes to remove, and an additional edit.
    fn proposal(&self, at: usize, outline: &Outline) -> Proposal;
}

#[derive(Clone, Debug, Default)]
pub(in crate::tree_reducer) struct Proposal {
    pub(in crate::tree_reducer) remove: Vec<NodeId>,
    pub(in crate::tree_reducer) also: Edit,
    /// The minimum number of nodes to remove that must still be present for the proposal to be
    /// tested.
    pub(in crate::tree_reducer) at_least: usize,
}

#[derive(Clone)]
pub(in crate::tree_reducer) struct OneAtATime {
    outline: Arc<Outline>,
    source: Arc<dyn Source>,
    gone: Gone,
    at: usize,
    asked: Option<(Arc<[NodeId]>, Edit)>,
}

impl OneAtATime {
    /// Wraps a source of proposals as the work of a tree reducer.
    pub(in crate::tree_reducer) fn work(
        outline: Arc<Outline>,
        source: impl Source + 'static,
    ) -> Work {
        SearchMachine::work(OneAtATime {
            outline,
            source: Arc::new(source),
            gone: Gone::default(),
            at: 0,
            asked: None,
        })
    }

    fn make(&self, mut proposal: Proposal) -> Option<(Arc<[NodeId]>, Edit)> {
        let remove = &mut proposal.remove;
        remove.retain(|&id| !self.gone.contains(id));
        if remove.len() < proposal.at_least || !leaves_enough(&self.outline, &self.gone, remove) {
            return None;
        }
        let edit = self.outline.prune(remove.iter().copied(), &self.gone);
        let edit = edit.combine(&proposal.also).ok()?;
        (!edit.is_none()).then(|| (Arc::from(&**remove), edit))
    }
}

impl Search for OneAtATime {
    fn propose(&mut self) -> Option<Edit> {
        while self.asked.is_none() {
            if self.at == self.source.len() {
                return None;
            }
            self.asked = self.make(self.source.proposal(self.at, &self.outline));
            self.at += 1;
        }
        self.asked.as_ref().map(|(_, edit)| edit.clone())
    }

    fn settle(&mut self, adopted: bool) {
        if let Some((removed, _)) = self.asked.take()
            && adopted
        {
            removed.iter().for_each(|&id| self.gone.insert(id));
        }
    }
}

/// Returns whether every repetition keeps its minimum of iterations if the nodes of `going` are
/// also removed.
pub(in crate::tree_reducer) fn leaves_enough(
    outline: &Outline,
    gone: &Gone,
    going: &[NodeId],
) -> bool {
    let mut counts: FxHashMap<NodeId, u32> = FxHashMap::default();
    for &id in going {
        if outline.node(id).kind == NodeKind::Iteration {
            *counts.entry(outline.node(id).parent).or_default() += 1;
        }
    }
    counts.into_iter().all(|(repeat, going)| {
        let least = outline.least_iterations(repeat);
        let is_there =
            |&id: &NodeId| outline.node(id).kind == NodeKind::Iteration && !gone.contains(id);
        let there = || outline.children(repeat).filter(is_there).count() as u32;
        least == 0 || there() >= least + going
    })
}

/// Returns whether the grammar allows the removal of a node, as long as enough other nodes are
/// kept.
pub(in crate::tree_reducer) fn may_go(outline: &Outline, id: NodeId) -> bool {
    let node = outline.node(id);
    !node.span.is_empty()
        && match node.kind {
            NodeKind::Iteration | NodeKind::Optional | NodeKind::Error => true,
            NodeKind::Repeat | NodeKind::Rule => outline.phrase(id).is_empty(),
            _ => false,
        }
}
