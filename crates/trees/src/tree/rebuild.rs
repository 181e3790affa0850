use super::bits::Bits;
use super::chains::Chains;
use super::phrases::NOTHING;
use super::{Name, Node, NodeId, Outline};
use nubbin_edit::Span;
use nubbin_engine::work::Remembered;
use nubbin_grammar::tree::NodeKind;

/// Builds an outline from nodes of another outline, in the order of the text.
pub(super) struct Rebuild {
    from: Outline,
    nodes: Vec<Node>,
    tokens: Vec<u32>,
    phrases: Vec<u32>,
    chains: Chains,
    hidden: Bits,
    open: Vec<NodeId>,
    count: u32,
}

impl Rebuild {
    pub(super) fn new(from: Outline) -> Self {
        let len = from.nodes.len();
        Rebuild {
            from,
            nodes: Vec::with_capacity(len),
            tokens: Vec::with_capacity(len + 1),
            phrases: Vec::with_capacity(len),
            chains: Chains::default(),
            hidden: Bits::default(),
            open: vec![],
            count: 0,
        }
    }

    pub(super) fn from(&self) -> &Outline {
        &self.from
    }

    /// Starts a copy of an old node, with the given names before its own names.
    pub(super) fn open(&mut self, old: NodeId, names: &[Name]) {
        let node = *self.from.node(old);
        let phrase = self.from.phrases.number(old);
        let id = self.push(node, phrase);
        self.chains.push(id, names);
        if self.from.is_hidden(old) {
            self.hidden.insert(id);
        }
        self.count += u32::from(node.kind == NodeKind::Token && !node.span.is_empty());
    }

    /// Starts a removable node with the text from the first to the last of some old nodes.
    pub(super) fn open_part(&mut self, first: NodeId, last: NodeId) {
        let around = *self.from.node(self.from.node(first).parent);
        let node = Node {
            kind: NodeKind::Optional,
            place: None,
            field: None,
            span: Span::new(
                self.from.node(first).span.start,
                self.from.node(last).span.end,
            ),
            ..around
        };
        self.push(node, NOTHING);
    }

    fn push(&mut self, mut node: Node, phrase: u32) -> NodeId {
        let id = self.nodes.len() as NodeId;
        node.level = self.open.len() as u32;
        node.parent = self.open.last().copied().unwrap_or(id);
        self.nodes.push(node);
        self.tokens.push(self.count);
        self.phrases.push(phrase);
        self.open.push(id);
        id
    }

    /// Ends the node that was started last.
    pub(super) fn close(&mut self) {
        if let Some(id) = self.open.pop() {
            self.nodes[id as usize].end = self.nodes.len() as NodeId;
        }
    }

    pub(super) fn finish(mut self) -> Outline {
        while !self.open.is_empty() {
            self.close();
        }
        self.tokens.push(self.count);
        self.nodes.shrink_to_fit();
        self.tokens.shrink_to_fit();
        self.phrases.shrink_to_fit();
        Outline {
            phrases: self.from.phrases.with_nodes(self.phrases),
            nodes: self.nodes,
            tokens: self.tokens,
            chains: self.chains,
            hidden: self.hidden,
            facts: Remembered::default(),
            ..self.from
        }
    }
}
