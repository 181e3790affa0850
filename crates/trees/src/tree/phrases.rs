use super::{Node, NodeId};
use nubbin_grammar::grammar::{Expr, ExprId, SymbolId, SymbolKind};
use nubbin_grammar::tree::{NodeKind, Tree};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The maximum length in bytes at which the shortest text of a symbol is used as a replacement. For
/// a longer text, the shortest text of the symbol in the file is used.
pub const LONGEST_PHRASE: u64 = 256;

/// The smallest text of each node. Each text is stored once.
#[derive(Clone, Debug)]
pub(super) struct Phrases {
    texts: Arc<[Arc<[u8]>]>,
    /// For each text, whether it is the shortest text by the grammar, and not a text of the file.
    of_grammar: Arc<[bool]>,
    /// For each node, an index into `texts`.
    nodes: Vec<u32>,
    /// For each repetition that must not be empty, the smallest text of one iteration, if it is
    /// known.
    iterations: Arc<FxHashMap<ExprId, u32>>,
}

/// The index of the smallest text of a node that may be absent.
pub(super) const NOTHING: u32 = 0;

const UNKNOWN: u32 = u32::MAX;

/// The thing that a smallest text belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Of {
    Symbol(SymbolId),
    Expr(ExprId),
}

impl Phrases {
    pub(super) fn of(tree: &Tree, nodes: &[Node]) -> Self {
        let grammar = tree.grammar();
        let facts = grammar.facts();
        let mut shortest: FxHashMap<SymbolId, (usize, usize)> = FxHashMap::default();
        for (id, node) in tree.nodes() {
            if matches!(node.kind, NodeKind::Rule | NodeKind::Token) {
                let span = (node.span().len(), id.index());
                let least = shortest.entry(node.symbol).or_insert(span);
                *least = span.min(*least);
            }
        }
        let mut texts: Vec<Arc<[u8]>> = vec![Arc::default()];
        let mut of_grammar = vec![true];
        let mut known: FxHashMap<Of, u32> = FxHashMap::default();
        let mut text_of = |of: Of| {
            *known.entry(of).or_insert_with(|| {
                let phrase = match of {
                    Of::Expr(expr) => facts.min_yield_of(grammar, expr, LONGEST_PHRASE),
                    Of::Symbol(symbol) => match grammar.symbol(symbol).kind {
                        SymbolKind::External => None,
                        _ => facts.min_yield(grammar, symbol, LONGEST_PHRASE),
                    },
                };
                let is_of_grammar = phrase.is_some();
                let phrase = phrase.or_else(|| {
                    let Of::Symbol(symbol) = of else { return None };
                    let &(_, index) = shortest.get(&symbol)?;
                    Some(tree.text()[range(nodes, index)?].to_vec())
                });
                match phrase {
                    Some(phrase) if phrase.is_empty() => NOTHING,
                    Some(phrase) => {
                        texts.push(phrase.into());
                        of_grammar.push(is_of_grammar);
                        texts.len() as u32 - 1
                    }
                    None => UNKNOWN,
                }
            })
        };
        let mut iterations = FxHashMap::default();
        let mut of_nodes: Vec<u32> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let repeat = match node.place.map(|expr| grammar.expr(expr)) {
                Some(Expr::Repeat(repeat)) => Some(repeat),
                _ => None,
            };
            of_nodes.push(match (node.kind, node.place, repeat) {
                (NodeKind::Rule | NodeKind::Token, ..) => text_of(Of::Symbol(node.symbol)),
                (NodeKind::Repeat, Some(place), _) if !facts.expr_nullable(place) => {
                    text_of(Of::Expr(place))
                }
                (NodeKind::Separator, _, Some(repeat)) => repeat
                    .separator
                    .map_or(NOTHING, |expr| text_of(Of::Expr(expr))),
                (NodeKind::Iteration, Some(place), Some(repeat)) => {
                    if repeat.min > 0 && !iterations.contains_key(&place) {
                        iterations.insert(place, text_of(Of::Expr(repeat.body)));
                    }
                    NOTHING
                }
                _ => NOTHING,
            });
        }
        iterations.retain(|_, text| *text != UNKNOWN);
        // A node without a smallest text can only be kept unchanged.
        for (index, phrase) in of_nodes.iter_mut().enumerate() {
            if *phrase == UNKNOWN {
                *phrase = range(nodes, index).map_or(NOTHING, |range| {
                    texts.push(tree.text()[range].into());
                    of_grammar.push(false);
                    texts.len() as u32 - 1
                });
            }
        }
        Phrases {
            texts: texts.into(),
            of_grammar: of_grammar.into(),
            nodes: of_nodes,
            iterations: Arc::new(iterations),
        }
    }

    pub(super) fn of_node(&self, id: NodeId) -> &Arc<[u8]> {
        &self.texts[self.nodes[id as usize] as usize]
    }

    /// Returns whether the grammar has no shorter text for the node, so that nothing in the
    /// smallest text can shrink.
    pub(super) fn is_of_grammar(&self, id: NodeId) -> bool {
        self.of_grammar[self.nodes[id as usize] as usize]
    }

    /// Returns the smallest text of one iteration of a repetition that must not be empty.
    pub(super) fn of_iteration(&self, repeat: ExprId) -> Option<&Arc<[u8]>> {
        let &text = self.iterations.get(&repeat)?;
        self.texts.get(text as usize)
    }

    /// Returns the number of the smallest text of a node. Equal numbers mean equal texts of one
    /// kind.
    pub(super) fn number(&self, id: NodeId) -> u32 {
        self.nodes[id as usize]
    }

    /// Returns whether two nodes have the same smallest text.
    pub(super) fn same(&self, a: NodeId, b: NodeId) -> bool {
        self.number(a) == self.number(b) || self.of_node(a) == self.of_node(b)
    }

    /// Returns the same texts for other nodes.
    pub(super) fn with_nodes(&self, nodes: Vec<u32>) -> Self {
        Phrases {
            texts: Arc::clone(&self.texts),
            of_grammar: Arc::clone(&self.of_grammar),
            nodes,
            iterations: Arc::clone(&self.iterations),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let texts: usize = self.texts.iter().map(|text| text.len() + 32).sum();
        self.nodes.capacity() * 4 + self.of_grammar.len() + texts
    }
}

/// Returns the range of the text of a node in the text of the tree.
fn range(nodes: &[Node], index: usize) -> Option<std::ops::Range<usize>> {
    let span = nodes.get(index)?.span;
    let from = nodes.first()?.span.start;
    Some((span.start - from) as usize..(span.end - from) as usize)
}
