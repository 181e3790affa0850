use super::TreeReducer;
use super::search::{OneAtATime, Proposal, Source};
use crate::tree::{Expansions, LONGEST_PHRASE, NodeId, Outline};
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::grammar::SymbolId;
use nubbin_grammar::tree::NodeKind;
use std::cmp::Reverse;
use std::sync::Arc;

/// Small phrases of other alternatives: replaces a node by the smallest text of an alternative of
/// its rule, or by that alternative made of the node's own children.
///
/// The heaviest nodes come first, and for each its alternatives, those of the fewest symbols first.
/// Each alternative is tried twice: once with the smallest text of every symbol, and once with the
/// node's children wherever they have the symbol that the alternative needs. Only shorter texts are
/// tried.
///
/// HDD knows one smallest text for each symbol. Where that one is not accepted, another alternative
/// may be: `{}` for a statement where `;` is not possible. Run it late.
///
/// Cost: up to two tests for each alternative of each node that has a shorter one.
///
/// Source: sub-tree replacement in Z. Xu, Y. Tian, M. Zhang, G. Zhao, Y. Jiang, C. Sun, "Pushing
/// the Limit of 1-Minimality of Language-Agnostic Program Reduction", OOPSLA 2023.
///
/// Changed: also alternatives of which the text has no instance, with repetitions and optional
/// parts at their least.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Phrases, trace};
///
/// let program = "<s> ::= ';' | '{' <s>* '}' | 'if(' <e> ')' <s>\n<e> ::= [0-9] '+' <e> | [0-9]\n";
/// let run = trace(&Phrases, program, "if(1+2){;}", |text| text.contains('{'));
/// assert_eq!(run.texts(), [";", "{}"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Phrases;

impl TreeReducer for Phrases {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "phrases",
            "replaces nodes by the smallest texts of other alternatives, the heaviest nodes first",
            "Xu and others: Pushing the Limit of 1-Minimality (Vulcan), OOPSLA 2023",
        )
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let expansions = Expansions::of(outline.grammar());
        let mut nodes: Vec<NodeId> = (0..outline.len())
            .filter(|&id| {
                let node = outline.node(id);
                node.kind == NodeKind::Rule && expansions.of_symbol(node.symbol).len() > 1
            })
            .collect();
        nodes.sort_by_key(|&id| (Reverse(outline.tokens(id)), id));
        let mut first = vec![];
        let mut sum = 0;
        for &id in &nodes {
            first.push(sum);
            sum += 2 * expansions.of_symbol(outline.node(id).symbol).len();
        }
        (sum > 0).then(|| {
            let source = Alternatives {
                expansions,
                nodes,
                first,
                len: sum,
            };
            OneAtATime::work(Arc::clone(outline), source)
        })
    }
}

struct Alternatives {
    expansions: Expansions,
    nodes: Vec<NodeId>,
    /// The number of proposals before each node.
    first: Vec<usize>,
    len: usize,
}

impl Alternatives {
    /// Returns the text of an alternative, with or without the children of a node.
    fn phrase(
        &self,
        outline: &Outline,
        id: NodeId,
        row: &[SymbolId],
        reuse: bool,
    ) -> Option<Vec<u8>> {
        let grammar = outline.grammar();
        let mut children = children(outline, id);
        let mut text: Vec<u8> = vec![];
        let mut reused = false;
        for &symbol in row {
            let at = children.iter().position(|&(other, _)| other == symbol);
            let part = match at.filter(|_| reuse) {
                Some(at) => {
                    let (_, child) = children.remove(at);
                    reused |= grammar.body(symbol).is_some();
                    outline.text_of(child).to_vec()
                }
                None => grammar.facts().min_yield(grammar, symbol, LONGEST_PHRASE)?,
            };
            if let (Some(&last), Some(&first)) = (text.last(), part.first()) {
                text.extend(outline.joins(last, first).then_some(b' '));
            }
            text.extend(part);
        }
        (reused || !reuse).then_some(text)
    }
}

/// Returns the children of a node; a quantifier is replaced by its own children.
fn children(outline: &Outline, id: NodeId) -> Vec<(SymbolId, NodeId)> {
    let mut found = vec![];
    let mut next = id + 1;
    while next < outline.node(id).end {
        let node = outline.node(next);
        match node.kind {
            NodeKind::Rule | NodeKind::Token => {
                found.push((node.symbol, next));
                next = node.end;
            }
            NodeKind::Gap => next = node.end,
            _ => next += 1,
        }
    }
    found
}

impl Source for Alternatives {
    fn len(&self) -> usize {
        self.len
    }

    fn proposal(&self, at: usize, outline: &Outline) -> Proposal {
        let node = self.first.partition_point(|&first| first <= at) - 1;
        let id = self.nodes[node];
        let at = at - self.first[node];
        let row = &self.expansions.of_symbol(outline.node(id).symbol)[at / 2];
        let own = outline.text_of(id);
        let text = self.phrase(outline, id, row, at % 2 == 1);
        let smaller = text.filter(|text| (text.len(), &text[..]) < (own.len(), own));
        Proposal {
            also: smaller.map_or_else(Default::default, |text| outline.replace(id, &text)),
            ..Proposal::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::cases::stays_in_the_grammar;
    use super::*;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&Phrases);
    }
}
