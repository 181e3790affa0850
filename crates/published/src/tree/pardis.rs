use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::tree::NodeKind;
use nubbin_trees::tree::{Draft, NodeId, Outline, Piece, Preparation};
use nubbin_trees::tree_reducer::TreeReducer;
use nubbin_trees::tree_reducer::search::{ListSearch, NodeList, SearchStep, WithLists};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Pardis: removes the heaviest removable part, wherever it is.
///
/// A queue holds parts of the tree by their number of tokens. The heaviest is taken from it. If the
/// grammar allows its removal (an iteration of a repetition, a repetition that may be empty, an
/// optional part, a symbol that may be empty), it is tried by itself. If the part is kept, its
/// children are put into the queue.
///
/// [`Perses`](nubbin_trees::tree_reducer::Perses) works through a whole list when its turn comes,
/// with all its light elements, while heavier parts wait in the queue. Here each element waits with
/// its own weight, so each test tries to remove as much as possible. Take it for large inputs whose
/// lists are uneven. Pardis replaces no nodes: run a tree reducer that replaces nodes after it.
///
/// [`Pardis::hybrid`] gives neighbors of equal weight to a list minimizer, as one list.
///
/// Trees are [flattened](nubbin_trees::tree::flatten_chains()) and not prepared further, as for
/// [`Perses`](nubbin_trees::tree_reducer::Perses), on whose trees the publication builds.
///
/// Cost: one test per removable part that is reached; fewer in the hybrid where many equal
/// siblings are removed or kept together.
///
/// Source: G. Gharachorlu, N. Sumner, "PARDIS: Priority Aware Test Case Reduction", FASE 2019. The
/// order of equally heavy parts (upper levels first, from right to left) and the rule that a part
/// is not tried again after the same text was tried as a whole come from RedPEG (P. Kreutzer and
/// others).
///
/// Changed: symbols that may be empty can be removed as well.
///
/// ```
/// use nubbin_published::tree::Pardis;
/// use nubbin_reduce::tree_reducer::trace;
///
/// let lists = "<p> ::= <l>+\n<l> ::= '[' <i>* ']'\n<i> ::= [0-9] | <l>\n";
/// let run = trace(&Pardis::plain(), lists, "[1[222]3][4444]", |text| text.contains('3'));
/// assert_eq!(run.texts(), [
///     "[4444]",        // the heavier of the two lists
///     "[][4444]",      // its content
///     "[1[222]3]",     // the other list, lighter than both
///     "[13]",          // the heaviest element
///     "[1]",
///     "[3]",
/// ]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pardis {
    hybrid: bool,
}

impl Pardis {
    /// Creates the variant that tries each part by itself.
    pub const fn plain() -> Self {
        Pardis { hybrid: false }
    }

    /// Creates the variant that tries neighbors of equal weight together.
    pub const fn hybrid() -> Self {
        Pardis { hybrid: true }
    }
}

impl TreeReducer for Pardis {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            if self.hybrid {
                "pardis-hybrid"
            } else {
                "pardis"
            },
            if self.hybrid {
                "as pardis, with neighbors of equal weight as one list"
            } else {
                "removes the heaviest removable node of the whole tree, one at a time"
            },
            "Gharachorlu, Sumner: PARDIS: Priority Aware Test Case Reduction, FASE 2019",
        )
    }

    fn preparation(&self) -> Preparation {
        Preparation {
            flatten_chains: true,
            ..Preparation::NONE
        }
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let mut search = Priority {
            draft: Draft::new(Arc::clone(outline)),
            lists: lists.clone(),
            hybrid: self.hybrid,
            queue: Arc::default(),
            single: None,
            list: None,
            group: Arc::default(),
            kept: Arc::default(),
        };
        search.push(search.draft.root());
        Some(WithLists::work(search))
    }
}

#[derive(Clone)]
struct Priority {
    draft: Draft,
    lists: Lists,
    hybrid: bool,
    /// The queue of tokens, level, and node. The heaviest node comes first, then the uppermost,
    /// then the last.
    queue: Arc<BinaryHeap<(u32, Reverse<u32>, NodeId)>>,
    single: Option<Piece>,
    /// The list of nodes with which the reducer begins.
    list: Option<NodeList>,
    /// The nodes of the current list.
    group: Arc<[Piece]>,
    /// For each node that was tried, the number of children that are still present.
    kept: Arc<FxHashMap<NodeId, u32>>,
}

impl Priority {
    fn push(&mut self, piece: Piece) {
        let outline = self.draft.outline();
        let node = outline.node(piece.node);
        let key = (outline.tokens(piece.node), Reverse(node.level), piece.node);
        Arc::make_mut(&mut self.queue).push(key);
    }

    fn push_children(&mut self, piece: Piece) {
        for child in self.draft.children(piece) {
            let node = self.draft.outline().node(child.node);
            match node.kind {
                NodeKind::Token | NodeKind::Gap | NodeKind::Missing => {}
                _ if node.span.is_empty() => {}
                _ => self.push(child),
            }
        }
    }

    /// Takes the heaviest part from the queue, in the hybrid with its equals; returns `false` at
    /// the end.
    fn begin(&mut self) -> bool {
        let queue = Arc::make_mut(&mut self.queue);
        let Some((tokens, _, first)) = queue.pop() else {
            return false;
        };
        let outline = Arc::clone(self.draft.outline());
        let mut nodes = vec![first];
        while self.hybrid
            && let Some(&(other, _, next)) = queue.peek()
            && other == tokens
            && outline.node(next).parent == outline.node(first).parent
        {
            nodes.push(next);
            queue.pop();
        }
        nodes.sort_unstable();
        let pieces = nodes.into_iter().map(|id| self.draft.in_slot(id));
        let pieces: Vec<Piece> = pieces.collect();
        let (can_go, stays): (Vec<Piece>, Vec<Piece>) =
            pieces.into_iter().partition(|&piece| self.can_go(piece));
        for piece in stays {
            self.push_children(piece);
        }
        match can_go[..] {
            [] => {}
            [only] => self.single = Some(only),
            _ => {
                self.group = can_go.clone().into();
                let least = self.least(&can_go);
                let list = NodeList::new(
                    can_go,
                    |piece| outline.tokens(piece.node),
                    least,
                    &self.lists,
                );
                self.list = Some(list.whole());
            }
        }
        true
    }

    /// Returns the number of the given nodes that must be kept, whether or not they are iterations
    /// of one repetition.
    fn least(&mut self, group: &[Piece]) -> u32 {
        let outline = Arc::clone(self.draft.outline());
        let parent = |piece: &Piece| outline.node(piece.node).parent;
        match group.first() {
            Some(first) if self.draft.kind(*first) == NodeKind::Iteration => {
                let others = self.kept(parent(first)) - group.len() as u32;
                outline
                    .least_iterations(parent(first))
                    .saturating_sub(others)
            }
            _ => 0,
        }
    }

    /// Returns the number of children of a node that are still present.
    fn kept(&mut self, node: NodeId) -> u32 {
        if let Some(&kept) = self.kept.get(&node) {
            return kept;
        }
        let mut kept = 0;
        self.draft.each_child(self.draft.in_slot(node), |child| {
            let kind = self.draft.kind(child);
            kept += u32::from(!matches!(kind, NodeKind::Gap | NodeKind::Separator));
        });
        Arc::make_mut(&mut self.kept).insert(node, kept);
        kept
    }

    /// Returns whether the grammar allows the node to be removed, and removing it is not the same
    /// as removing the part around it, which has been tried.
    fn can_go(&mut self, piece: Piece) -> bool {
        let outline = Arc::clone(self.draft.outline());
        let node = outline.node(piece.node);
        let may_be_nothing = |id: NodeId| match outline.node(id).kind {
            NodeKind::Optional | NodeKind::Error => true,
            NodeKind::Repeat | NodeKind::Rule => outline.phrase(id).is_empty(),
            _ => false,
        };
        let is_iteration = node.kind == NodeKind::Iteration;
        if is_iteration {
            let kept = self.kept(node.parent);
            if kept <= outline.least_iterations(node.parent) {
                return false;
            }
            if kept > 1 {
                return true;
            }
        } else if !may_be_nothing(piece.node) {
            return false;
        }
        let mut id = piece.node;
        loop {
            let around = outline.node(id).parent;
            if around == id || self.kept(around) != 1 {
                return true;
            }
            if may_be_nothing(around) {
                return false;
            }
            id = around;
        }
    }
}

impl ListSearch for Priority {
    fn step(&mut self) -> Option<SearchStep> {
        loop {
            if let Some(single) = self.single {
                return Some(SearchStep::Try(self.draft.remove_edit(&[single])));
            }
            if let Some(list) = self.list.take() {
                return Some(SearchStep::List(list));
            }
            if !self.begin() {
                return None;
            }
        }
    }

    fn settle(&mut self, adopted: bool) {
        if let Some(single) = self.single.take() {
            if adopted {
                self.remove(&[single]);
            } else {
                self.push_children(single);
            }
        }
    }

    fn edit(&self, nodes: &[Piece]) -> Option<Edit> {
        Some(self.draft.remove_edit(nodes))
    }

    fn remove(&mut self, nodes: &[Piece]) {
        self.draft.remove(nodes);
        let kept = Arc::make_mut(&mut self.kept);
        for node in nodes {
            let parent = self.draft.outline().node(node.node).parent;
            if let Some(kept) = kept.get_mut(&parent) {
                *kept = kept.saturating_sub(1);
            }
        }
    }

    fn list_ended(&mut self) {
        let group = std::mem::take(&mut self.group);
        let left = group.iter().filter(|p| !self.draft.gone().contains(p.slot));
        for piece in left.copied().collect::<Vec<Piece>>() {
            self.push_children(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_trees::tree_reducer::cases::stays_in_the_grammar;
    use nubbin_trees::tree_reducer::{Perses, trace};

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&Pardis::plain());
        stays_in_the_grammar(&Pardis::hybrid());
    }

    #[test]
    fn heavy_parts_do_not_wait_for_light_ones() {
        let lists = "<p> ::= <l>+\n<l> ::= '[' <i>* ']'\n<i> ::= [0-9] | <l>\n";
        let text = format!("[{}][[{}]7]", "1".repeat(60), "2".repeat(40));
        let fails = |text: &str| text.contains('7') && text.contains('1');
        // Counts the tests until the second list is as small as possible.
        let until = |tests: &[(String, bool)]| {
            let done = |(text, fails): &(String, bool)| *fails && text.contains("[7]");
            tests.iter().position(done)
        };
        let pardis = trace(&Pardis::plain(), lists, &text, fails);
        let perses = trace(&Perses, lists, &text, fails);
        assert_eq!(pardis.result, "[1][7]");
        assert_eq!(perses.result, "[1][7]");
        assert!(until(&pardis.tests) < until(&perses.tests));
    }

    #[test]
    fn equal_neighbors_are_removed_together() {
        let lists = "<p> ::= '(' <i>+ ')'\n<i> ::= [0-9]\n";
        let text = format!("({}7{})", "1".repeat(50), "2".repeat(49));
        let run = |reducer| trace(&reducer, lists, &text, |text| text.contains('7'));
        let (plain, hybrid) = (run(Pardis::plain()), run(Pardis::hybrid()));
        assert_eq!((&*plain.result, &*hybrid.result), ("(7)", "(7)"));
        assert_eq!(plain.tests.len(), 100);
        assert!(hybrid.tests.len() < 30, "{}", hybrid.tests.len());
    }
}
