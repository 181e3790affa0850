use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_trees::tree::{Draft, Outline, Piece, Preparation, Sort};
use nubbin_trees::tree_reducer::TreeReducer;
use nubbin_trees::tree_reducer::search::{Search, SearchMachine};
use std::sync::Arc;

/// Hoisting: replaces nodes with the nearest nodes of the same rule below them.
///
/// It works level by level from the root: for each node of the level, the nearest nodes below it
/// that are instances of the same rule, one per path down, are tried in its place. After a
/// success the level is begun again with the hoisted node, until no node on it can be replaced any
/// more. Deeper instances are reached step by step.
///
/// It removes the text *around* a node: a loop around its body, operators around an operand. The
/// tree reducer never removes a node as a whole, so run it before or after a tree reducer that
/// deletes; it often makes further deletions possible. Every candidate fits the grammar.
///
/// Trees are not [prepared](nubbin_trees::tree::Preparation). On a squeezed tree, nodes are of the
/// same rule if they share any of their names.
///
/// Cost: a test per node and nearest instance below it, again for the whole level after each
/// success: where much can be hoisted, that is quadratic in the width of a level.
///
/// Source: D. Vince, R. Hodován, D. Bársony, Á. Kiss, "Extending Hierarchical Delta Debugging with
/// Hoisting", AST 2021, and picireny.
///
/// Changed: it runs by itself, where picireny has it as a second transformation on each level of
/// HDD.
///
/// ```
/// use nubbin_published::tree::Hoist;
/// use nubbin_reduce::tree_reducer::trace;
///
/// let nested = "<s> ::= <s> '+' <s> | '(' <s> ')' | [0-9]\n";
/// let run = trace(&Hoist, nested, "1+(2+3)", |text| text.contains('2'));
/// assert_eq!(run.texts(), ["1", "(2+3)", "2+3", "2"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Hoist;

impl TreeReducer for Hoist {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "hoist",
            "replaces nodes with the nearest nodes of the same rule below them, level by level",
            "Vince, Hodován, Bársony, Kiss: Extending HDD with Hoisting, AST 2021",
        )
    }

    fn preparation(&self) -> Preparation {
        Preparation::NONE
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let draft = Draft::new(Arc::clone(outline));
        let mut search = Mapping {
            level: Arc::new(vec![draft.root()]),
            draft,
            at: 0,
            hoistable: Arc::default(),
            tried: 0,
        };
        search.look();
        Some(SearchMachine::work(search))
    }
}

#[derive(Clone)]
struct Mapping {
    draft: Draft,
    level: Arc<Vec<Piece>>,
    at: usize,
    /// The nearest instances of the same rule below the current node.
    hoistable: Arc<[Piece]>,
    tried: usize,
}

impl Mapping {
    fn look(&mut self) {
        self.tried = 0;
        let node = self.level.get(self.at);
        self.hoistable = node.map_or_else(Arc::default, |&node| self.hoistable(node).into());
    }

    fn hoistable(&self, node: Piece) -> Vec<Piece> {
        let mut found = vec![];
        let facts = self.draft.outline().grammar().facts();
        let is_recursive = |sort| matches!(sort, Sort::Symbol(symbol) if facts.recursive(symbol));
        if self.draft.sorts(node).any(is_recursive) {
            self.draft.each_below(node, u32::MAX, |below, _| {
                let is_same = self.draft.are_alike(node, below);
                if is_same {
                    found.push(below);
                }
                !is_same
            });
        }
        found
    }

    fn adopt(&mut self) {
        let (Some(&node), Some(&with)) = (self.level.get(self.at), self.hoistable.get(self.tried))
        else {
            return;
        };
        self.draft.put(node, with);
        let here = self.draft.in_slot(node.slot);
        if let Some(node) = Arc::make_mut(&mut self.level).get_mut(self.at) {
            *node = here;
        }
        self.at = 0;
        self.look();
    }
}

impl Search for Mapping {
    fn propose(&mut self) -> Option<Edit> {
        loop {
            let &node = self.level.get(self.at)?;
            if let Some(&with) = self.hoistable.get(self.tried) {
                if !self.draft.same_text(node, with) {
                    return Some(self.draft.put_edit(node, with));
                }
                self.adopt();
                continue;
            }
            self.at += 1;
            if self.at == self.level.len() {
                let mut below = vec![];
                for &node in self.level.iter() {
                    self.draft.each_child(node, |child| below.push(child));
                }
                self.level = Arc::new(below);
                self.at = 0;
            }
            self.look();
        }
    }

    fn settle(&mut self, adopted: bool) {
        if adopted {
            self.adopt();
        } else {
            self.tried += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_trees::tree_reducer::cases::stays_in_the_grammar;

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&Hoist);
    }
}
