use crate::tree::Piece;
use nubbin_engine::work::Lists;
use nubbin_minimize::{Configuration, ListMinimizer, ListShape, Removal};
use std::sync::Arc;

/// A list of nodes of a tree for a list minimizer: the iterations of a repetition, or the nodes of
/// a level.
pub struct NodeList {
    nodes: Arc<[Piece]>,
    left: Configuration,
    minimizer: Box<dyn ListMinimizer>,
    asked: Option<Removal>,
    /// The number of nodes that must be kept.
    least: u32,
    /// Whether to try the removal of all nodes first, and the removal of the last node at the end.
    whole: bool,
    began: bool,
    ended: bool,
}

impl NodeList {
    /// Creates a list of nodes with their weights, of which at least `least` must be kept.
    pub fn new(
        nodes: Vec<Piece>,
        weight: impl Fn(Piece) -> u32,
        least: u32,
        lists: &Lists,
    ) -> Self {
        let weights: Vec<u32> = nodes.iter().map(|&node| weight(node).max(1)).collect();
        let shape = ListShape {
            len: nodes.len() as u32,
            weights: Some(weights.into()),
            seed: lists.seed,
        };
        NodeList {
            left: Configuration::new(shape.len),
            minimizer: lists.start(&shape),
            nodes: nodes.into(),
            asked: None,
            least,
            whole: false,
            began: false,
            ended: false,
        }
    }

    /// Returns the list with two further proposals, which list minimizers do not make themselves:
    /// the removal of all nodes at the beginning, and the removal of the last remaining node. Use
    /// it for lists that no other edit removes as a whole.
    pub fn whole(mut self) -> Self {
        self.whole = self.least == 0;
        self
    }

    /// Returns the nodes to remove next, which have not been removed before. The result does not
    /// change until [`NodeList::record`] is called.
    pub fn next_nodes(&mut self) -> Option<Vec<Piece>> {
        if self.ended {
            return None;
        }
        if self.whole && !self.began {
            return Some(self.nodes.to_vec());
        }
        loop {
            let Some(probe) = self.minimizer.next() else {
                // The last node is only tried if the list had more nodes at the start.
                let last = self.whole && self.left.len() == 1 && self.nodes.len() > 1;
                self.asked = None;
                return last.then(|| vec![self.nodes[self.left.element(0) as usize]]);
            };
            let taken = probe.remove.iter().cloned().flatten();
            let taken: Vec<u32> = taken.filter(|&at| self.left.contains(at)).collect();
            if !taken.is_empty() && taken.len() as u32 + self.least <= self.left.len() {
                let nodes = taken.iter().map(|&at| self.nodes[at as usize]).collect();
                self.asked = Some(probe);
                return Some(nodes);
            }
            self.minimizer.record(false);
        }
    }

    /// Records whether the proposed removal was adopted.
    pub fn record(&mut self, adopted: bool) {
        if self.whole && !self.began {
            self.began = true;
            self.ended = adopted;
            return;
        }
        let Some(probe) = self.asked.take() else {
            self.ended = true;
            return;
        };
        self.minimizer.record(adopted);
        if adopted {
            self.left.adopt(&probe);
        }
    }
}

impl Clone for NodeList {
    fn clone(&self) -> Self {
        NodeList {
            nodes: Arc::clone(&self.nodes),
            left: self.left.clone(),
            minimizer: self.minimizer.fork(),
            asked: self.asked.clone(),
            least: self.least,
            whole: self.whole,
            began: self.began,
            ended: self.ended,
        }
    }
}
