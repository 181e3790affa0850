use super::TreeReducer;
use super::search::{ListSearch, NodeList, SearchStep, WithLists};
use crate::tree::{Draft, NodeId, Outline, Piece};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::grammar::SymbolId;
use nubbin_grammar::tree::NodeKind;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The smallest text of the same kind: replaces nodes with the shortest instance of their symbol
/// anywhere in the file.
///
/// It works level by level from the root. The nodes of a level whose symbol has a shorter text
/// somewhere, or one as long and earlier in the alphabet, are a list for a list minimizer, which
/// replaces as many as it can at once. Then comes the level below the nodes that were kept.
///
/// The file is a source of small texts that are known to be valid: in a program, an expression that
/// compiles is a better guess than the shortest one of the grammar. Only the symbols of the nodes
/// are needed from the grammar. Run it late: it puts many copies of one text into the input, which
/// other tree reducers then delete.
///
/// Cost: the list minimizer's tests on each level.
///
/// Source: after D. MacIver's Shrink Ray, which replaces nodes with the shortest of their kind that
/// it has seen.
///
/// Changed: level by level, many at once.
///
/// ```
/// use nubbin_reduce::tree_reducer::{SameKind, trace};
///
/// let sums = "<s> ::= <t> '+' <s> | <t>\n<t> ::= '(' <s> ')' | [0-9]+\n";
/// let run = trace(&SameKind, sums, "(12+5)+34+2", |text| text.contains("+2"));
/// assert_eq!(run.texts(), ["2", "2+2"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SameKind;

impl TreeReducer for SameKind {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "same-kind",
            "replaces each node with the shortest of its symbol in the file",
            "after MacIver: Shrink Ray",
        )
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let mut shortest: FxHashMap<SymbolId, (usize, &[u8], NodeId)> = FxHashMap::default();
        for id in 0..outline.len() {
            if is_an_instance(outline, id) {
                let text = outline.text_of(id);
                let own = (text.len(), text, id);
                let least = shortest.entry(outline.node(id).symbol).or_insert(own);
                *least = own.min(*least);
            }
        }
        let shortest = shortest
            .into_iter()
            .map(|(symbol, (_, _, id))| (symbol, id));
        let draft = Draft::new(Arc::clone(outline));
        let mut search = Levels {
            shortest: Arc::new(shortest.collect()),
            lists: lists.clone(),
            level: Arc::new(vec![draft.root()]),
            draft,
            list: None,
        };
        search.begin_level();
        Some(WithLists::work(search))
    }
}

fn is_an_instance(outline: &Outline, id: NodeId) -> bool {
    matches!(outline.node(id).kind, NodeKind::Rule | NodeKind::Token)
}

#[derive(Clone)]
struct Levels {
    draft: Draft,
    /// For each symbol, the node with the shortest text.
    shortest: Arc<FxHashMap<SymbolId, NodeId>>,
    lists: Lists,
    level: Arc<Vec<Piece>>,
    /// The list of nodes with which the reducer begins.
    list: Option<NodeList>,
}

impl Levels {
    fn replacement(&self, id: NodeId) -> Option<&[u8]> {
        let outline = self.draft.outline();
        let by = *self.shortest.get(&outline.node(id).symbol)?;
        let (own, other) = (outline.text_of(id), outline.text_of(by));
        let better = (other.len(), other) < (own.len(), own);
        (is_an_instance(outline, id) && better).then_some(other)
    }

    fn begin_level(&mut self) {
        let mut nodes = self.level.to_vec();
        nodes.retain(|piece| self.replacement(piece.node).is_some());
        self.list = (!nodes.is_empty()).then(|| {
            let outline = self.draft.outline();
            NodeList::new(
                nodes,
                |piece| outline.node(piece.node).span.len(),
                0,
                &self.lists,
            )
            .whole()
        });
    }
}

impl ListSearch for Levels {
    fn step(&mut self) -> Option<SearchStep> {
        loop {
            if let Some(list) = self.list.take() {
                return Some(SearchStep::List(list));
            }
            let mut below = vec![];
            for &piece in self.level.iter() {
                if !self.draft.gone().contains(piece.slot) {
                    self.draft.each_child(piece, |child| below.push(child));
                }
            }
            if below.is_empty() {
                return None;
            }
            self.level = Arc::new(below);
            self.begin_level();
        }
    }

    /// All steps are lists, so there is nothing to do.
    fn settle(&mut self, _adopted: bool) {}

    fn edit(&self, nodes: &[Piece]) -> Option<Edit> {
        let outline = self.draft.outline();
        let splices = nodes.iter().flat_map(|piece| {
            let text = self.replacement(piece.node).unwrap_or_default();
            outline.replace(piece.node, text).into_splices()
        });
        Some(Edit::new(splices).unwrap_or_default())
    }

    /// The search does not descend into nodes that were replaced.
    fn remove(&mut self, nodes: &[Piece]) {
        self.draft.remove(nodes);
    }

    fn list_ended(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::super::cases::stays_in_the_grammar;
    use super::*;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&SameKind);
    }
}
