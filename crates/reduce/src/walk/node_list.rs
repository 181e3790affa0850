use crate::pick::{Choice, Configuration, ListShape, Picker, Probe};
use crate::tree::Piece;
use std::sync::Arc;

/// Nodes of a tree as a list that a list algorithm works through: the iterations of a repetition,
/// or the nodes of a level.
pub(super) struct NodeList {
    nodes: Arc<[Piece]>,
    left: Configuration,
    picker: Box<dyn Picker>,
    asked: Option<Probe>,
    /// So many must stay.
    least: u32,
}

impl NodeList {
    /// A list of nodes with their weights, of which at least so many must stay.
    pub(super) fn new(
        nodes: Vec<Piece>,
        weight: impl Fn(Piece) -> u32,
        least: u32,
        algorithm: &Choice,
        seed: u64,
    ) -> Self {
        let weights: Vec<u32> = nodes.iter().map(|&node| weight(node).max(1)).collect();
        let shape = ListShape {
            len: nodes.len() as u32,
            weights: Some(weights.into()),
            seed,
        };
        NodeList {
            left: Configuration::new(shape.len),
            picker: algorithm.start(&shape),
            nodes: nodes.into(),
            asked: None,
            least,
        }
    }

    /// The nodes to take out now, beyond those that are gone. Asks for the same until
    /// [`NodeList::record`].
    pub(super) fn next(&mut self) -> Option<Vec<Piece>> {
        loop {
            let probe = self.picker.next()?;
            let taken = probe.remove.iter().cloned().flatten();
            let taken: Vec<u32> = taken.filter(|&at| self.left.contains(at)).collect();
            if !taken.is_empty() && taken.len() as u32 + self.least <= self.left.len() {
                let nodes = taken.iter().map(|&at| self.nodes[at as usize]).collect();
                self.asked = Some(probe);
                return Some(nodes);
            }
            self.picker.record(false);
        }
    }

    /// Whether what was asked for has gone.
    pub(super) fn record(&mut self, adopted: bool) {
        self.picker.record(adopted);
        if let Some(probe) = self.asked.take().filter(|_| adopted) {
            self.left.adopt(&probe);
        }
    }
}

impl Clone for NodeList {
    fn clone(&self) -> Self {
        NodeList {
            nodes: Arc::clone(&self.nodes),
            left: self.left.clone(),
            picker: self.picker.fork(),
            asked: self.asked.clone(),
            least: self.least,
        }
    }
}
