use super::Node;
use nubbin_grammar::grammar::{ExprId, SymbolId, SymbolKind};
use nubbin_grammar::tree::{NodeKind, Tree};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Beyond so many bytes the shortest text of a symbol is no use as a replacement; then the shortest
/// one in the file counts.
pub const LONGEST_PHRASE: u64 = 256;

/// The smallest text for each node, each text once.
#[derive(Clone, Debug)]
pub(super) struct Phrases {
    texts: Vec<Arc<[u8]>>,
    /// For each node, an index into `texts`.
    nodes: Vec<u32>,
}

const NOTHING: u32 = 0;

impl Phrases {
    pub(super) fn of(tree: &Tree, nodes: &[Node]) -> Self {
        let mut texts: Vec<Arc<[u8]>> = vec![Arc::default()];
        let mut known: FxHashMap<(SymbolId, Option<ExprId>), u32> = FxHashMap::default();
        let mut shortest: FxHashMap<SymbolId, (usize, usize)> = FxHashMap::default();
        for (id, node) in tree.nodes() {
            if matches!(node.kind, NodeKind::Rule | NodeKind::Token) {
                let span = (node.span().len(), id.index());
                let least = shortest.entry(node.symbol).or_insert(span);
                *least = span.min(*least);
            }
        }
        let grammar = tree.grammar();
        let facts = grammar.facts();
        let mut of_node = |node: &Node| {
            let quantifier = match node.kind {
                NodeKind::Rule | NodeKind::Token => None,
                NodeKind::Repeat => node.place.filter(|&expr| !facts.expr_nullable(expr)),
                _ => return NOTHING,
            };
            if node.kind == NodeKind::Repeat && quantifier.is_none() {
                return NOTHING;
            }
            *known.entry((node.symbol, quantifier)).or_insert_with(|| {
                let phrase = match quantifier {
                    Some(expr) => facts.min_yield_of(grammar, expr, LONGEST_PHRASE),
                    None => match grammar.symbol(node.symbol).kind {
                        SymbolKind::External => None,
                        _ => facts.min_yield(grammar, node.symbol, LONGEST_PHRASE),
                    },
                };
                let phrase = phrase.or_else(|| {
                    let &(_, index) = shortest
                        .get(&node.symbol)
                        .filter(|_| quantifier.is_none())?;
                    let span = nodes.get(index)?.span;
                    let from = nodes.first()?.span.start;
                    let range = (span.start - from) as usize..(span.end - from) as usize;
                    tree.text().get(range).map(<[u8]>::to_vec)
                });
                match phrase {
                    Some(phrase) if phrase.is_empty() => NOTHING,
                    Some(phrase) => {
                        texts.push(phrase.into());
                        texts.len() as u32 - 1
                    }
                    None => UNKNOWN,
                }
            })
        };
        let mut of_nodes: Vec<u32> = nodes.iter().map(&mut of_node).collect();
        // What has no smallest text at all can only stay as it is.
        for (node, phrase) in nodes.iter().zip(&mut of_nodes) {
            if *phrase == UNKNOWN {
                let from = nodes[0].span.start;
                let range = (node.span.start - from) as usize..(node.span.end - from) as usize;
                texts.push(tree.text()[range].into());
                *phrase = texts.len() as u32 - 1;
            }
        }
        Phrases {
            texts,
            nodes: of_nodes,
        }
    }

    pub(super) fn of_node(&self, id: u32) -> &Arc<[u8]> {
        &self.texts[self.nodes[id as usize] as usize]
    }
}

const UNKNOWN: u32 = u32::MAX;
