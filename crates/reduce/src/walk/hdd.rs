use super::Walk;
use crate::edit::Edit;
use crate::pick::{Configuration, ListShape, Picker, Probe};
use crate::tree::{Gone, NodeId, Outline, ROOT};
use crate::work::{Lists, Machine, Work};
use std::sync::Arc;

/// Hierarchical delta debugging: one list for each level of the tree, from the root down.
///
/// The nodes of a level that are still there are a list; a list algorithm takes out as many as it
/// can, each replaced by the smallest text of its symbol; then comes the next level, below the nodes
/// that stayed. What is taken out high up costs one test and saves all that is below it.
///
/// Cost: the tests of the list algorithm on each level; nodes whose text is its own replacement are
/// never in a list.
///
/// Source: Misherghi, Su: HDD: Hierarchical Delta Debugging, ICSE 2006; minimal replacements and
/// hiding what cannot go after Hodován, Kiss, Gyimóthy (AST 2017).
#[derive(Clone, Copy, Debug, Default)]
pub struct Hdd;

impl Walk for Hdd {
    fn id(&self) -> &'static str {
        "hdd"
    }

    fn about(&self) -> &'static str {
        "level by level from the root, each level one list"
    }

    fn source(&self) -> &'static str {
        "Misherghi, Su: HDD: Hierarchical Delta Debugging, ICSE 2006"
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        Some(Work::Machine(Box::new(Levels {
            outline: Arc::clone(outline),
            lists: lists.clone(),
            gone: Gone::default(),
            nodes: Arc::new(vec![ROOT]),
            list: None,
        })))
    }
}

struct Levels {
    outline: Arc<Outline>,
    lists: Lists,
    gone: Gone,
    /// The nodes of the level, also those that are not in its list.
    nodes: Arc<Vec<NodeId>>,
    list: Option<List>,
}

struct List {
    nodes: Arc<[NodeId]>,
    left: Configuration,
    picker: Box<dyn Picker>,
    asked: Option<Probe>,
}

impl Levels {
    fn list(&self) -> Option<List> {
        let nodes: Arc<[NodeId]> = self
            .nodes
            .iter()
            .copied()
            .filter(|&id| self.removable(id))
            .collect();
        if nodes.is_empty() {
            return None;
        }
        let weights: Vec<u32> = nodes
            .iter()
            .map(|&id| self.outline.tokens(id).max(1))
            .collect();
        let shape = ListShape {
            len: nodes.len() as u32,
            weights: Some(weights.into()),
            seed: self.lists.seed,
        };
        Some(List {
            left: Configuration::new(shape.len),
            picker: self.lists.algorithm.start(&shape),
            nodes,
            asked: None,
        })
    }

    fn removable(&self, id: NodeId) -> bool {
        self.outline.text_of(id) != &**self.outline.phrase(id)
    }
}

impl Machine for Levels {
    fn next(&mut self) -> Option<Edit> {
        loop {
            if self.list.is_none() {
                if self.nodes.is_empty() {
                    return None;
                }
                self.list = self.list();
            }
            if let Some(list) = &mut self.list {
                list.asked = list.picker.next();
                if let Some(probe) = &list.asked {
                    let taken = probe.remove.iter().cloned().flatten();
                    let nodes = taken
                        .filter(|&at| list.left.contains(at))
                        .map(|at| list.nodes[at as usize]);
                    return Some(self.outline.prune(nodes, &self.gone));
                }
            }
            self.list = None;
            let below = self.nodes.iter().filter(|&&id| !self.gone.contains(id));
            self.nodes = Arc::new(below.flat_map(|&id| self.outline.children(id)).collect());
        }
    }

    fn record(&mut self, adopted: bool) {
        let Some(list) = &mut self.list else { return };
        list.picker.record(adopted);
        if let Some(probe) = list.asked.take().filter(|_| adopted) {
            for at in probe.remove.iter().cloned().flatten() {
                self.gone.insert(list.nodes[at as usize]);
            }
            list.left.adopt(&probe);
        }
    }

    fn fork(&self) -> Box<dyn Machine> {
        Box::new(Levels {
            outline: Arc::clone(&self.outline),
            lists: self.lists.clone(),
            gone: self.gone.clone(),
            nodes: Arc::clone(&self.nodes),
            list: self.list.as_ref().map(|list| List {
                nodes: Arc::clone(&list.nodes),
                left: list.left.clone(),
                picker: list.picker.fork(),
                asked: list.asked.clone(),
            }),
        })
    }
}
