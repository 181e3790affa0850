use super::TreeReducer;
use super::search::nested::{outermost, parents};
use crate::tree::{Gone, Needed, NodeId, Outline};
use nubbin_edit::Edit;
use nubbin_engine::work::{Forest, Lists, PassInfo, Units, Work};
use std::ops::Range;
use std::sync::Arc;

/// Removes whole subtrees that the grammar allows to be absent: iterations, optional parts,
/// comments, and text that the parser could not place. The heaviest lists come first, wherever they
/// are.
///
/// The nodes are the nodes of Coarse HDD, in another order. A level of a tree has a function of a
/// thousand lines next to a semicolon. Here a list waits until no heavier list is waiting, and
/// lists of similar weight are worked through as one, see
/// [`HeaviestFirst`](nubbin_engine::work::HeaviestFirst). Every candidate fits the grammar. The
/// default plan runs it first where it knows the language: no other tree reducer removes as much in
/// the first tests.
///
/// Cost: the tests of the list minimizer over all removable nodes whose ancestors are kept; one
/// test per node where all must be kept.
///
/// Source: nubbin. Removable nodes as units of one global order: Gharachorlu, Sumner: Pardis:
/// Priority Aware Test Case Reduction, FASE 2019; lists of nodes without replacement: Hodován,
/// Kiss, Gyimóthy: Coarse Hierarchical Delta Debugging, ICSME 2017.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Subtrees, trace};
///
/// let blocks = "<s> ::= <i>*\n<i> ::= '{' <i>* '}' | [a-z]\n";
/// let trace = trace(&Subtrees, blocks, "ab{cdefgh{ix}}", |text| text.contains('x'));
/// assert_eq!(trace.texts()[0], "");                          // the list as a whole
/// assert_eq!(trace.result, "{{x}}");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Subtrees;

impl TreeReducer for Subtrees {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "subtrees",
            "removes nodes that the grammar allows to be absent, heaviest lists first",
            "nubbin, after Pardis (Gharachorlu, Sumner, FASE 2019) and Coarse HDD (Hodován, Kiss, Gyimóthy, ICSME 2017)",
        )
        .joining_files()
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let can_go = |id: NodeId| {
            outline.phrase(id).is_empty()
                && !outline.node(id).span.is_empty()
                && !outline.text_of(id).trim_ascii().is_empty()
                && !outline.is_hidden(id)
        };
        let nodes: Arc<[NodeId]> = (0..outline.len()).filter(|&id| can_go(id)).collect();
        let parents = parents(outline, &nodes);
        let units = Removable {
            outline: Arc::clone(outline),
            nodes,
        };
        Forest::new(units, &parents).cumulative().walk()
    }
}

/// Nodes that can be removed independently of each other.
struct Removable {
    outline: Arc<Outline>,
    nodes: Arc<[NodeId]>,
}

impl Units for Removable {
    fn len(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn weight(&self, unit: u32) -> u32 {
        self.outline
            .node(self.nodes[unit as usize])
            .span
            .len()
            .max(1)
    }

    fn edit(&self, units: &[Range<u32>]) -> Edit {
        let chosen = units
            .iter()
            .flat_map(|range| &self.nodes[range.start as usize..range.end as usize]);
        // Removing a node also removes the nodes below it.
        let outer: Vec<NodeId> = outermost(&self.outline, chosen.copied()).collect();
        let count = outer.len();
        let cut = self.outline.cut(outer, &Gone::default(), Needed::Stay);
        // The repetition may have kept an iteration that cannot be removed.
        if cut.taken.len() < count {
            return Edit::none();
        }
        cut.edit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_removed_and_needed_iterations_are_kept() {
        let lists = "<l> ::= '[' (<i> (',' <i>)*)? ']'\n<i> ::= [0-9] | <l>\n";
        let trace = crate::tree_reducer::trace(&Subtrees, lists, "[1,[2,3],[4,5,6],7]", |text| {
            text.contains('5')
        });
        assert_eq!(trace.result, "[1,[4,5]]");
        let plus = "<s> ::= <i>+ '.'\n<i> ::= [a-z]\n";
        let trace = crate::tree_reducer::trace(&Subtrees, plus, "abc.", |text| text.ends_with('.'));
        assert!(
            trace.tests.iter().all(|(text, _)| text.len() > 1),
            "{trace:?}"
        );
    }
}
