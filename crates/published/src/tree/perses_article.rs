use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::grammar::SymbolKind;
use nubbin_grammar::tree::NodeKind;
use nubbin_trees::tree::{Draft, NodeId, Outline, Piece, Preparation};
use nubbin_trees::tree_reducer::TreeReducer;
use nubbin_trees::tree_reducer::search::{Search, SearchMachine};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The variant of Perses in an article: the smallest node first, replaced with subtrees of the same
/// symbol.
///
/// At first a queue holds the root. The node with the fewest leaves is taken from it, and every
/// node below it that is an instance of the same symbol is tried in its place, in the order of the
/// text. After a success the replacement is put into the queue, otherwise the node's children are.
///
/// This version is for comparison. [`Perses`](nubbin_trees::tree_reducer::Perses) takes the
/// heaviest node first, which saves most of the tests, and also deletes. This variant is short, and
/// suits grammars without repetitions and optional parts, where nothing can be deleted.
///
/// Trees are not [prepared](nubbin_trees::tree::Preparation), as in the article. On a squeezed
/// tree, nodes are of the same symbol if they share any of their names.
///
/// Cost: at worst one test per pair of nodes of the same symbol of which one is below the
/// other.
///
/// Source: R. Gopinath, "Delta Debugging" (rahul.gopinath.org, 2019), section on Perses.
///
/// Where the article's text and code disagree, the code is followed: the queue is a heap that
/// returns the *smallest* node, though the variable is called the biggest; equally small nodes are
/// ordered by their symbols and children alphabetically; the list sorted by depth and the empty
/// alternative at its head are made, but never tried.
///
/// Changed: subtrees that are equal in every way are ordered by their position in the text, not by
/// the heap. Optional parts and repetitions, which the article's grammars do not have, are replaced
/// like rules. A replacement with the same text as before is made without a test.
///
/// ```
/// use nubbin_published::tree::PersesArticle;
/// use nubbin_reduce::tree_reducer::trace;
///
/// let sums = "<s> ::= <t> '+' <s> | <t>\n<t> ::= '(' <s> ')' | [0-9]\n";
/// let run = trace(&PersesArticle, sums, "1+(2+3)", |text| text.contains("("));
/// assert_eq!(run.texts(), ["(2+3)", "2+3", "3", "2", "(3)"]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PersesArticle;

impl TreeReducer for PersesArticle {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "perses-article",
            "replaces the smallest node first with the nodes of its symbol below it",
            "Gopinath: Delta Debugging (article), 2019, after Sun and others, ICSE 2018",
        )
    }

    fn preparation(&self) -> Preparation {
        Preparation::NONE
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let mut leaves = Vec::with_capacity(outline.len() as usize + 1);
        let mut count = 0;
        for id in 0..outline.len() {
            leaves.push(count);
            let node = outline.node(id);
            count += u32::from(node.end == id + 1 && node.kind != NodeKind::Gap);
        }
        leaves.push(count);
        let draft = Draft::new(Arc::clone(outline));
        let mut search = Smallest {
            leaves: leaves.into(),
            queue: Arc::default(),
            now: None,
            below: Arc::default(),
            tried: 0,
            draft,
        };
        search.push(search.draft.root());
        Some(SearchMachine::work(search))
    }
}

#[derive(Clone)]
struct Smallest {
    draft: Draft,
    /// The number of leaves before each node. The last element is the number of all leaves.
    leaves: Arc<[u32]>,
    queue: Arc<BinaryHeap<Reverse<Entry>>>,
    now: Option<Piece>,
    /// The replacements to try for the current node.
    below: Arc<[Piece]>,
    tried: usize,
}

/// A waiting node. Nothing below it has changed, since nodes around it come first.
#[derive(Clone)]
struct Entry {
    leaves: u32,
    node: NodeId,
    slot: u32,
    outline: Arc<Outline>,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.leaves
            .cmp(&other.leaves)
            .then_with(|| alphabetical(&self.outline, self.node, other.node))
            .then(self.node.cmp(&other.node))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Entry {}

/// Compares two trees as lists of a symbol and children: node by node in the order of the text,
/// where the list that ends first is the smaller one.
fn alphabetical(outline: &Outline, left: NodeId, right: NodeId) -> Ordering {
    let level = |id: NodeId, root: NodeId| outline.node(id).level - outline.node(root).level;
    let pairs = outline.subtree(left).zip(outline.subtree(right));
    for (a, b) in pairs {
        let names = (name(outline, a), name(outline, b));
        let order = (level(a, left).cmp(&level(b, right))).then_with(|| names.0.cmp(&names.1));
        if order.is_ne() {
            return order;
        }
    }
    outline
        .subtree(left)
        .len()
        .cmp(&outline.subtree(right).len())
}

/// Returns the name of a symbol in the article's notation: rules in angle brackets, terminals
/// without.
fn name(outline: &Outline, id: NodeId) -> (bool, &[u8]) {
    let node = outline.node(id);
    match node.kind {
        NodeKind::Token | NodeKind::Gap | NodeKind::Missing => {
            let text = outline.text_of(id);
            (text.first() > Some(&b'<'), text)
        }
        _ => {
            let symbol = outline.grammar().symbol(node.symbol);
            debug_assert!(matches!(symbol.kind, SymbolKind::Rule(_)) || node.place.is_some());
            (false, symbol.name.as_bytes())
        }
    }
}

impl Smallest {
    fn push(&mut self, piece: Piece) {
        let outline = self.draft.outline();
        let end = outline.node(piece.node).end;
        let entry = Entry {
            leaves: self.leaves[end as usize] - self.leaves[piece.node as usize],
            node: piece.node,
            slot: piece.slot,
            outline: Arc::clone(outline),
        };
        Arc::make_mut(&mut self.queue).push(Reverse(entry));
    }

    fn begin(&mut self) -> bool {
        let Some(Reverse(entry)) = Arc::make_mut(&mut self.queue).pop() else {
            return false;
        };
        let piece = self.draft.in_slot(entry.slot);
        let mut below = vec![];
        if self.draft.sorts(piece).next().is_some() {
            self.draft.each_below(piece, u32::MAX, |inner, _| {
                if self.draft.are_alike(piece, inner) {
                    below.push(inner);
                }
                true
            });
        }
        self.now = Some(piece);
        self.below = below.into();
        self.tried = 0;
        true
    }

    fn adopt(&mut self) {
        if let (Some(now), Some(&with)) = (self.now.take(), self.below.get(self.tried)) {
            self.draft.put(now, with);
            let piece = self.draft.in_slot(now.slot);
            self.push(piece);
        }
    }
}

impl Search for Smallest {
    fn propose(&mut self) -> Option<Edit> {
        loop {
            let Some(now) = self.now else {
                if self.begin() {
                    continue;
                }
                return None;
            };
            match self.below.get(self.tried) {
                Some(&with) if self.draft.same_text(now, with) => self.adopt(),
                Some(&with) => return Some(self.draft.put_edit(now, with)),
                None => {
                    self.now = None;
                    for child in self.draft.children(now) {
                        match self.draft.kind(child) {
                            NodeKind::Token | NodeKind::Gap | NodeKind::Missing => {}
                            _ => self.push(child),
                        }
                    }
                }
            }
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
    use nubbin_trees::tree_reducer::cases::{EXPRESSIONS, stays_in_the_grammar};
    use nubbin_trees::tree_reducer::trace;

    fn doubled(text: &str) -> bool {
        let open = text.find("((");
        open.is_some_and(|open| text[open + 2..].contains("))"))
    }

    #[test]
    fn the_run_is_that_of_the_article() {
        let run = trace(&PersesArticle, EXPRESSIONS, "1 + ((2 * 3 / 4))", doubled);
        // These candidates are from the code of the article, for the tree that it prints.
        let asked =
            "((2 * 3 / 4)) (2 * 3 / 4) 2 * 3 / 4 3 / 4 4 2 3 (3 / 4) (4) (2) (3) ((3 / 4)) ((4))";
        assert_eq!(run.texts().join(" "), asked);
        assert_eq!(run.result, "((4))");
    }

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&PersesArticle);
    }
}
