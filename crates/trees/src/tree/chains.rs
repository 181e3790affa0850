use super::{Name, NodeId};

/// The names of the nodes that were squeezed into other nodes, from the outside in.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// For each node up to the last one with names, the index in `names` at which the names of the
    /// node begin.
    starts: Vec<u32>,
    names: Vec<Name>,
}

impl Chains {
    pub(super) fn of(&self, id: NodeId) -> &[Name] {
        let Some(&start) = self.starts.get(id as usize) else {
            return &[];
        };
        let end = self.starts.get(id as usize + 1).map(|&end| end as usize);
        &self.names[start as usize..end.unwrap_or(self.names.len())]
    }

    /// Adds the names of a node. The node must come after all nodes that have names.
    pub(super) fn push(&mut self, id: NodeId, names: &[Name]) {
        if !names.is_empty() {
            self.starts.resize(id as usize + 1, self.names.len() as u32);
            self.names.extend_from_slice(names);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.names.capacity() * size_of::<Name>()
    }
}
