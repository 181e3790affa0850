use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::grammar::{Grammar, SymbolId};
use nubbin_grammar::tree::NodeKind;
use nubbin_trees::tree::{Draft, Outline, Piece, Preparation, ROOT, Sort};
use nubbin_trees::tree_reducer::TreeReducer;
use nubbin_trees::tree_reducer::search::{ListSearch, NodeList, SearchStep, WithLists};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Generalized tree reduction: on each level, first deletes nodes, then replaces nodes with their
/// children.
///
/// It works level by level from the root. The deletable nodes of a level are a list for a list
/// minimizer. Then each node of the level is replaced with one of its children, smaller and
/// smaller, again and again until no node of the level can be replaced any more. Then comes the
/// next level.
///
/// The rules for deleting and replacing come from the grammar ([`Gtr::by_grammar`]) or are learned
/// from trees ([`Gtr::learned`]): a node may be deleted where a parent of that symbol was seen
/// without such a child, and a child may occur where one of its symbol was seen. Learning does not
/// need optional parts in the grammar, so it suits trees from external parsers. Learning may also
/// find edits for which a grammar is too strict. Its candidates need not parse.
///
/// It is between HDD and Perses: it takes whole levels at once like the former and changes shapes
/// like the latter, but looks only one step down. Prefer it where the failing part is deep under
/// layers that can each be replaced with one child.
///
/// Trees are not [prepared](nubbin_trees::tree::Preparation), as in the publication.
///
/// Cost: the list minimizer's tests on each level, and for each level at most one test per
/// child of each of its nodes, again after each success.
///
/// Source: S. Herfert, J. Patra, M. Pradel, "Automatically Reducing Tree-Structured Test Inputs",
/// ASE 2017. The definition of a level where there are quantifiers comes from RedPEG (P. Kreutzer
/// and others).
///
/// Changed: templates come from the grammar by default. A repetition keeps as many iterations as it
/// must have. A replacement with the same text as before is made without a test.
///
/// ```
/// use nubbin_published::tree::Gtr;
/// use nubbin_reduce::tree_reducer::trace;
///
/// let nested = "<s> ::= <i>*\n<i> ::= '(' <i> ')' | '[' <i> <i> ']' | [0-9]\n";
/// let run = trace(&Gtr::by_grammar(), nested, "1([2(3)])4", |text| text.contains('3'));
/// assert_eq!(run.texts(), [
///     "",
///     "1([2(3)])",     // the second level has three nodes: without the last
///     "1",
///     "([2(3)])",
///     "[2(3)]",        // brackets replaced with their content
///     "[23]",          // a level below
/// ]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Gtr {
    learns: bool,
    examples: Option<Arc<Examples>>,
}

/// The facts learned from example trees: the symbols that occurred below each symbol, and the
/// symbols that always did.
///
/// Examples of several grammars are kept separate: for a tree, only examples of its own grammar are
/// used.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    by_grammar: Vec<(Arc<Grammar>, Templates)>,
}

/// The knowledge from the trees of one grammar.
#[derive(Clone, Debug, Default)]
struct Templates {
    /// For each parent symbol, the child symbols that were seen.
    seen: FxHashMap<SymbolId, FxHashSet<SymbolId>>,
    /// For each symbol, the child symbols that all its nodes had.
    always: FxHashMap<SymbolId, FxHashSet<SymbolId>>,
}

impl Examples {
    /// Learns from a tree. The tree must be prepared in the same way as the trees to reduce, since
    /// preparation changes the children of nodes.
    pub fn learn(&mut self, outline: &Outline) {
        let known = self.templates_of(outline.grammar());
        let at = known.unwrap_or_else(|| {
            let new = (Arc::clone(outline.grammar()), Templates::default());
            self.by_grammar.push(new);
            self.by_grammar.len() - 1
        });
        if let Some((_, templates)) = self.by_grammar.get_mut(at) {
            templates.learn(outline);
        }
    }

    fn templates_of(&self, grammar: &Arc<Grammar>) -> Option<usize> {
        let mut all = self.by_grammar.iter();
        all.position(|(known, _)| {
            Arc::ptr_eq(known, grammar) || has_the_same_symbols(known, grammar)
        })
    }

    /// Returns the knowledge from trees of the given grammar.
    fn of(&self, grammar: &Arc<Grammar>) -> Option<&Templates> {
        let (_, templates) = self.by_grammar.get(self.templates_of(grammar)?)?;
        Some(templates)
    }
}

/// Returns whether two grammars have the same symbols. The knowledge is about symbols and nothing
/// else of a grammar.
fn has_the_same_symbols(one: &Grammar, other: &Grammar) -> bool {
    let (one, other) = (one.symbols().iter(), other.symbols().iter());
    one.map(|symbol| &symbol.name)
        .eq(other.map(|symbol| &symbol.name))
}

impl Templates {
    fn learn(&mut self, outline: &Outline) {
        for id in 0..outline.len() {
            let node = outline.node(id);
            if node.kind != NodeKind::Rule {
                continue;
            }
            let children: FxHashSet<SymbolId> = symbols_below(outline, id).collect();
            self.always
                .entry(node.symbol)
                .and_modify(|always| always.retain(|symbol| children.contains(symbol)))
                .or_insert_with(|| children.clone());
            self.seen.entry(node.symbol).or_default().extend(children);
        }
    }

    fn may_lack(&self, parent: SymbolId, child: SymbolId) -> bool {
        let always = self.always.get(&parent);
        always.is_some_and(|always| !always.contains(&child))
    }

    fn may_have(&self, parent: SymbolId, child: SymbolId) -> bool {
        let seen = self.seen.get(&parent);
        seen.is_some_and(|seen| seen.contains(&child))
    }
}

/// Returns the symbols of the children of a node; a quantifier is replaced with its own children.
fn symbols_below(outline: &Outline, id: u32) -> impl Iterator<Item = SymbolId> + '_ {
    let end = outline.node(id).end;
    let mut next = id + 1;
    std::iter::from_fn(move || {
        while next < end {
            let node = outline.node(next);
            next = match node.kind {
                NodeKind::Rule | NodeKind::Token => {
                    next = node.end;
                    return Some(node.symbol);
                }
                NodeKind::Gap => node.end,
                _ => next + 1,
            };
        }
        None
    })
}

impl Gtr {
    /// Creates a reducer that takes the rules for deleting and replacing from the grammar.
    pub fn by_grammar() -> Self {
        Gtr::default()
    }

    /// Creates a reducer that learns the rules from the file itself and from the examples.
    pub fn learned(examples: Examples) -> Self {
        Gtr {
            learns: true,
            examples: Some(Arc::new(examples)),
        }
    }
}

impl TreeReducer for Gtr {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            if self.learns { "gtr-learned" } else { "gtr" },
            if self.learns {
                "as gtr, with rules learned from the file itself or from examples"
            } else {
                "removes nodes level by level, then replaces nodes with their children"
            },
            "Herfert, Patra, Pradel: Automatically Reducing Tree-Structured Test Inputs, ASE 2017",
        )
    }

    fn preparation(&self) -> Preparation {
        Preparation::NONE
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let lore = self.learns.then(|| {
            let examples = self.examples.as_deref();
            let examples = examples.and_then(|lore| lore.of(outline.grammar()));
            let mut templates = examples.cloned().unwrap_or_default();
            templates.learn(outline);
            Arc::new(templates)
        });
        let draft = Draft::new(Arc::clone(outline));
        let mut search = Levels {
            level: Arc::new(vec![draft.root()]),
            before: Arc::default(),
            draft,
            lore,
            lists: lists.clone(),
            list: None,
            at: 0,
            children: Arc::default(),
            tried: 0,
            improved: false,
        };
        search.begin_level();
        Some(WithLists::work(search))
    }
}

#[derive(Clone)]
struct Levels {
    draft: Draft,
    lore: Option<Arc<Templates>>,
    lists: Lists,
    /// The present nodes of the level.
    level: Arc<Vec<Piece>>,
    /// The nodes of the level before anything was replaced.
    before: Arc<Vec<Piece>>,
    /// The list of nodes to delete, with which the level begins.
    list: Option<NodeList>,
    /// The index of the node of the level that is replaced next.
    at: usize,
    /// The possible replacements of the node: its children before the change.
    children: Arc<[Piece]>,
    tried: usize,
    /// Whether a node was replaced since the first node of the level.
    improved: bool,
}

impl Levels {
    fn begin_level(&mut self) {
        let mut nodes: Vec<Piece> = self.level.to_vec();
        nodes.retain(|&piece| self.may_go(piece));
        self.at = 0;
        self.improved = false;
        self.children = Arc::default();
        self.list = (!nodes.is_empty()).then(|| {
            let outline = self.draft.outline();
            NodeList::new(nodes, |piece| outline.tokens(piece.node), 0, &self.lists).whole()
        });
        if self.list.is_none() {
            self.begin_replacing();
        }
    }

    fn begin_replacing(&mut self) {
        let mut level = self.level.to_vec();
        level.retain(|piece| !self.draft.gone().contains(piece.slot));
        self.level = Arc::new(level);
        self.before = Arc::clone(&self.level);
        self.look();
    }

    /// Visits the children of a node as levels count them: the parts of a repetition are one level
    /// below the node around it.
    fn each_below(&self, piece: Piece, mut visit: impl FnMut(Piece)) {
        self.draft.each_below(piece, u32::MAX, |below, _| {
            match self.draft.kind(below) {
                NodeKind::Repeat => return true,
                NodeKind::Separator | NodeKind::Gap | NodeKind::Missing => {}
                _ => visit(below),
            }
            false
        });
    }

    fn symbol(&self, piece: Piece) -> Option<SymbolId> {
        match self.draft.sort(piece) {
            Sort::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Returns the node whose rule decides which nodes may occur in a slot, and whether no
    /// quantifier is in between.
    fn rule_around(&self, slot: u32) -> Option<(u32, bool)> {
        let outline = self.draft.outline();
        let mut id = slot;
        let mut direct = true;
        while id != ROOT {
            id = outline.node(id).parent;
            match outline.node(id).kind {
                NodeKind::Rule => return Some((id, direct)),
                NodeKind::Error => return None,
                _ => direct = false,
            }
        }
        None
    }

    fn may_go(&self, piece: Piece) -> bool {
        if self.draft.outline().node(piece.node).span.is_empty() || piece.slot == ROOT {
            return false;
        }
        match self.draft.kind(piece) {
            NodeKind::Iteration | NodeKind::Optional | NodeKind::Error => true,
            NodeKind::Rule | NodeKind::Token => {
                let (Some((around, direct)), Some(symbol)) =
                    (self.rule_around(piece.slot), self.symbol(piece))
                else {
                    return false;
                };
                match &self.lore {
                    Some(lore) => lore.may_lack(self.draft.outline().node(around).symbol, symbol),
                    None => direct && self.accepts(around, piece.slot, None),
                }
            }
            _ => false,
        }
    }

    fn may_be_replaced(&self, piece: Piece, by: Piece) -> bool {
        let Some(symbol) = self.symbol(by) else {
            return false;
        };
        if piece.slot == ROOT || self.symbol(piece).is_none() {
            return false;
        }
        let outline = self.draft.outline();
        match (&self.lore, self.rule_around(piece.slot)) {
            (Some(lore), Some((around, _))) => lore.may_have(outline.node(around).symbol, symbol),
            (None, Some((around, direct))) => {
                outline.fits(piece.slot, symbol)
                    || direct && self.accepts(around, piece.slot, Some(symbol))
            }
            _ => false,
        }
    }

    /// Returns whether a node may have its present children with another symbol, or none, in one
    /// slot.
    fn accepts(&self, around: u32, slot: u32, instead: Option<SymbolId>) -> bool {
        let outline = self.draft.outline();
        let rule = outline.node(around).symbol;
        let mut symbols = vec![];
        let mut around = self.draft.in_slot(around);
        around.node = outline.node(slot).parent;
        self.draft.each_below(around, u32::MAX, |below, _| {
            if below.slot == slot {
                symbols.extend(instead);
                return false;
            }
            match self.draft.sort(below) {
                Sort::Symbol(symbol) => symbols.push(symbol),
                Sort::Quantifier(_) => return true,
                Sort::Nothing => return self.draft.kind(below) != NodeKind::Gap,
            }
            false
        });
        let grammar = outline.grammar();
        grammar.body(rule).is_some() && grammar.automata().accepts(rule, &symbols)
    }

    /// Collects the replacements for the present node.
    fn look(&mut self) {
        self.tried = 0;
        self.children = match self.before.get(self.at) {
            Some(&piece) => {
                let mut found = vec![];
                let mut todo = vec![piece];
                // A node in an iteration or an optional part counts as a child as well.
                while let Some(above) = todo.pop() {
                    let mut inner = vec![];
                    self.each_below(above, |below| inner.push(below));
                    for below in inner {
                        match self.draft.kind(below) {
                            NodeKind::Iteration | NodeKind::Optional => todo.push(below),
                            _ if self.may_be_replaced(piece, below) => found.push(below),
                            _ => {}
                        }
                    }
                }
                found.sort_by_key(|below| below.slot);
                found.into()
            }
            None => Arc::default(),
        };
    }

    /// Returns a child of the present node. If that node has been replaced before, the text of the
    /// child is no longer present and has to be written again.
    fn as_it_is_now(&self, child: Piece) -> Piece {
        let replaced = self.level.get(self.at) != self.before.get(self.at);
        let mut child = child;
        child.in_place &= !replaced;
        child
    }

    fn adopt(&mut self) {
        let (Some(&piece), Some(&with)) = (self.level.get(self.at), self.children.get(self.tried))
        else {
            return;
        };
        self.draft.put(piece, self.as_it_is_now(with));
        let here = self.draft.again(piece);
        if let Some(piece) = Arc::make_mut(&mut self.level).get_mut(self.at) {
            *piece = here;
        }
        self.improved = true;
        self.tried += 1;
    }

    /// Goes on to the next node, to the first node again after a success, or to the next level;
    /// returns `false` at the end.
    fn advance(&mut self) -> bool {
        self.at += 1;
        if self.at < self.level.len() {
            self.look();
        } else if self.improved {
            self.improved = false;
            self.at = 0;
            self.look();
        } else {
            let mut below = vec![];
            for &piece in self.level.iter() {
                self.each_below(piece, |child| below.push(child));
            }
            self.level = Arc::new(below);
            self.begin_level();
        }
        !self.level.is_empty()
    }

    /// Returns whether every repetition keeps as many iterations as it must have.
    fn leaves_enough(&self, going: &[Piece]) -> bool {
        let outline = self.draft.outline();
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        for piece in going {
            if self.draft.kind(*piece) == NodeKind::Iteration {
                *counts.entry(outline.node(piece.slot).parent).or_default() += 1;
            }
        }
        counts.into_iter().all(|(repeat, going)| {
            let least = outline.least_iterations(repeat);
            let iterations = || {
                let children = outline.children(repeat);
                let is_there = |&id: &u32| {
                    outline.node(id).kind == NodeKind::Iteration && !self.draft.gone().contains(id)
                };
                children.filter(is_there).count() as u32
            };
            least == 0 || iterations() >= least + going
        })
    }
}

impl ListSearch for Levels {
    fn step(&mut self) -> Option<SearchStep> {
        loop {
            if let Some(list) = self.list.take() {
                return Some(SearchStep::List(list));
            }
            if let (Some(&piece), Some(&with)) =
                (self.level.get(self.at), self.children.get(self.tried))
            {
                let with = self.as_it_is_now(with);
                if self.draft.count(with) >= self.draft.count(piece) {
                    self.tried += 1;
                } else if self.draft.same_text(piece, with) {
                    self.adopt();
                } else {
                    return Some(SearchStep::Try(self.draft.put_edit(piece, with)));
                }
            } else if !self.advance() {
                return None;
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

    fn edit(&self, nodes: &[Piece]) -> Option<Edit> {
        self.leaves_enough(nodes)
            .then(|| self.draft.remove_edit(nodes))
    }

    fn remove(&mut self, nodes: &[Piece]) {
        self.draft.remove(nodes);
    }

    fn list_ended(&mut self) {
        self.begin_replacing();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_trees::tree_reducer::cases::parser;
    use nubbin_trees::tree_reducer::trace;

    #[test]
    fn deletable_nodes_come_from_the_grammar_or_from_examples() {
        let pairs =
            "<p> ::= <c>+\n<c> ::= '(' <x> <y> ')' | '(' <x> ')'\n<x> ::= 'a'\n<y> ::= 'b'\n";
        let left =
            |reducer: Gtr| trace(&reducer, pairs, "(ab)(ab)", |text| text.contains("(a")).result;
        assert_eq!(left(Gtr::by_grammar()), "(a)");
        // The examples contain only pairs.
        let alone = trace(
            &Gtr::learned(Examples::default()),
            pairs,
            "(ab)(ab)",
            |text| text.contains("(a") && text.contains(')'),
        );
        assert_eq!(alone.result, "(ab)");
        let mut lore = Examples::default();
        lore.learn(&Outline::of(&parser(pairs), b"(a)", 0).unwrap());
        assert_eq!(left(Gtr::learned(lore)), "(a)");
    }

    #[test]
    fn a_smaller_sibling_replaces_a_larger_one() {
        let sums = "<p> ::= <s>\n<s> ::= '[' <s> <s> ']' | '(' <s> ')' | [0-9]\n";
        let run = trace(&Gtr::by_grammar(), sums, "[((1))2]", |text| {
            text == "((1))" || text == "2"
        });
        assert_eq!(run.texts(), ["((1))", "2"]);
        assert_eq!(run.result, "2");
    }
}
