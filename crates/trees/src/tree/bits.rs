use super::NodeId;
use std::sync::Arc;

/// A set of nodes, with one bit per node.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Arc<Vec<u64>>);

impl Bits {
    pub(super) fn contains(&self, node: NodeId) -> bool {
        let word = self.0.get(node as usize / 64);
        word.is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    pub(super) fn insert(&mut self, node: NodeId) {
        let bits = Arc::make_mut(&mut self.0);
        let word = node as usize / 64;
        if bits.len() <= word {
            bits.resize(word + 1, 0);
        }
        bits[word] |= 1 << (node % 64);
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u64>()
    }
}
