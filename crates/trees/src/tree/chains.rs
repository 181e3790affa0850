use super::{Name, NodeId};

/// The names of the nodes that were squeezed into others, from the outside in.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    /// For each node, the index in `names` at which its own names begin.
    starts: Vec<(NodeId, u32)>,
    names: Vec<Name>,
}

impl Chains {
    pub(super) fn of(&self, id: NodeId) -> &[Name] {
        let Ok(at) = self.starts.binary_search_by_key(&id, |&(node, _)| node) else {
            return &[];
        };
        let end = self.starts.get(at + 1).map(|&(_, start)| start as usize);
        &self.names[self.starts[at].1 as usize..end.unwrap_or(self.names.len())]
    }

    /// Adds the names of a node that comes after all nodes with names.
    pub(super) fn push(&mut self, id: NodeId, names: &[Name]) {
        if !names.is_empty() {
            self.starts.push((id, self.names.len() as u32));
            self.names.extend_from_slice(names);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<(NodeId, u32)>()
            + self.names.capacity() * size_of::<Name>()
    }
}
