use super::TreeReducer;
use super::search::{ListSearch, NodeList, SearchStep, WithLists};
use crate::tree::{Draft, NodeId, Outline, Piece, Preparation, Sort};
use nubbin_edit::Edit;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::grammar::{Expr, SymbolId};
use nubbin_grammar::tree::NodeKind;
use nubbin_minimize::MinimizerChoice;
use std::collections::{BinaryHeap, VecDeque};
use std::sync::Arc;

/// Perses: the heaviest node first, with only those edits that the grammar allows.
///
/// At first a queue holds the parts of the root. The heaviest node, by its tokens, is taken from
/// it, and the grammar decides which edits are tried:
///
/// * An optional part, or a repetition that may be empty, is removed as a whole. If that is not
///   adopted, the iterations are a list for a list minimizer.
/// * A repetition that must not be empty is replaced with its first iteration. If that is not
///   adopted, the iterations are a list.
/// * Any other node is replaced with a node below it that may take its place: for each path
///   down the nearest one, at most five levels below, smallest first. The first candidate that
///   fails is adopted. A symbol that may be empty is also removed; an iteration is also replaced
///   with a repetition of such iterations below it.
///
/// The rest of the node, its children or its replacement, is put into the queue.
///
/// Large parts of an input are removed in few tests, and every candidate parses. Prefer this tree
/// reducer for programs with a full grammar. Where light children of a heavy list keep it busy
/// while other heavy nodes wait, Pardis, in the crate `nubbin-published`, is faster.
///
/// Trees are [flattened](crate::tree::flatten_chains()) and not prepared further: the publication
/// turns recursion of the grammar into quantifiers.
///
/// Cost: the list minimizer's tests per repetition, up to a hundred for every other node, usually
/// none or a few. Not 1-minimal by itself: a replaced node may be made smaller in a second run.
///
/// Source: C. Sun, Y. Li, Q. Zhang, T. Gu, Z. Su, "Perses: Syntax-Guided Program Reduction", ICSE
/// 2018, and its public implementation: depths, the limit of a hundred, the order.
///
/// Changed: the grammar is not rewritten to a normal form, since it contains optional parts and
/// repetitions itself, and decides which node may occur where. Only a symbol that may be empty is
/// removed as such: a node alone in an optional part is removed with that part. Of equally heavy
/// nodes the one that comes last in the text is first.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Perses, trace};
///
/// let calls = "<p> ::= <call>*\n<call> ::= 'f(' <arg>* ');'\n<arg> ::= [0-9] | '-' <arg>\n";
/// let run = trace(&Perses, calls, "f(1--2);f();f(3);", |text| text.contains('2'));
/// assert_eq!(run.texts(), [
///     "",              // no calls
///     "f(1--2);",      // without the last half of the calls
///     "f();",          // without arguments
///     "f(1);",         // only the first argument; then only the last
///     "f(--2);",
///     "f(-2);",        // the nearest node below that may stand for an argument
///     "f(2);",
/// ]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Perses;

impl TreeReducer for Perses {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "perses",
            "removes and replaces nodes as the grammar allows, the heaviest node first",
            "Sun, Li, Zhang, Gu, Su: Perses: Syntax-Guided Program Reduction, ICSE 2018",
        )
    }

    fn preparation(&self) -> Preparation {
        Preparation {
            flatten_chains: true,
            ..Preparation::NONE
        }
    }

    fn list_minimizer(&self) -> MinimizerChoice {
        MinimizerChoice::dfs_halving()
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let own = || self.list_minimizer();
        let mut search = Heaviest {
            draft: Draft::new(Arc::clone(outline)),
            lists: Lists {
                algorithm: Some(lists.algorithm.clone().unwrap_or_else(own)),
                seed: lists.seed,
            },
            queue: Arc::default(),
            now: None,
            candidates: Arc::default(),
            tried: 0,
        };
        let root = search.draft.root();
        let grammar = outline.grammar();
        let node = outline.node(root.node);
        // If the whole file is one repetition, the repetition is the root of a squeezed tree.
        if node.kind != NodeKind::Rule || grammar.facts().recursive(node.symbol) {
            search.push(root);
        } else {
            search.push_children(root);
        }
        Some(WithLists::work(search))
    }
}

/// The number of levels below a node on which its replacements are searched for.
const DEEPEST: u32 = 5;
/// The number of levels below an iteration on which repetitions are searched for.
const DEEPEST_REPEAT: u32 = 3;
/// The number of replacements of one node that are tried at most.
const MAX_REPLACEMENTS: usize = 100;

#[derive(Clone)]
struct Heaviest {
    draft: Draft,
    lists: Lists,
    /// The queue of tokens, node, and slot.
    queue: Arc<BinaryHeap<(u32, NodeId, u32)>>,
    now: Option<Piece>,
    candidates: Arc<[Candidate]>,
    tried: usize,
}

#[derive(Clone)]
enum Candidate {
    Remove,
    Put(Piece),
    /// Removes these iterations.
    Without(Arc<[Piece]>),
}

impl Heaviest {
    fn push(&mut self, piece: Piece) {
        let tokens = self.draft.outline().tokens(piece.node);
        Arc::make_mut(&mut self.queue).push((tokens, piece.node, piece.slot));
    }

    fn push_children(&mut self, piece: Piece) {
        for child in self.draft.children(piece) {
            match self.draft.kind(child) {
                NodeKind::Token | NodeKind::Gap | NodeKind::Missing => {}
                _ => self.push(child),
            }
        }
    }

    /// Starts with the heaviest node. Returns `false` if there is none.
    fn begin(&mut self) -> bool {
        let Some((_, _, slot)) = Arc::make_mut(&mut self.queue).pop() else {
            return false;
        };
        let piece = self.draft.in_slot(slot);
        self.now = Some(piece);
        self.tried = 0;
        self.candidates = self.candidates(piece).into();
        true
    }

    fn candidates(&self, piece: Piece) -> Vec<Candidate> {
        let outline = self.draft.outline();
        match self.draft.kind(piece) {
            NodeKind::Repeat => {
                let least = outline.least_iterations(piece.node);
                let iterations = self.iterations(piece);
                let mut found = vec![];
                if !iterations.is_empty() && outline.phrase(piece.node).is_empty() {
                    found.push(Candidate::Remove);
                }
                if least > 0 && iterations.len() as u32 > least {
                    found.push(Candidate::Without(iterations[least as usize..].into()));
                }
                found
            }
            NodeKind::Optional | NodeKind::Error => vec![Candidate::Remove],
            NodeKind::Rule => self.replacements(piece),
            _ => vec![],
        }
    }

    fn iterations(&self, piece: Piece) -> Vec<Piece> {
        let mut children = self.draft.children(piece);
        children.retain(|&child| self.draft.kind(child) == NodeKind::Iteration);
        children
    }

    fn replacements(&self, piece: Piece) -> Vec<Candidate> {
        let outline = self.draft.outline();
        let mut found: Vec<(u32, Candidate)> = vec![];
        let has_text = !outline.text_of(piece.node).is_empty();
        if has_text && outline.phrase(piece.slot).is_empty() {
            found.push((0, Candidate::Remove));
        }
        let mut put = |piece: Piece| {
            if found.len() < MAX_REPLACEMENTS {
                found.push((outline.tokens(piece.node), Candidate::Put(piece)));
            }
        };
        if let Some(element) = self.element_of(piece.slot) {
            self.nearest(piece, DEEPEST_REPEAT, |below| {
                let fits = self.draft.kind(below) == NodeKind::Repeat
                    && self.fits_as_elements(piece.slot, element, below);
                if fits {
                    put(below);
                }
                fits
            });
        }
        self.nearest(piece, DEEPEST, |below| {
            if self.is_one_of_many(piece, below) {
                return true;
            }
            let fits = match self.draft.sort(below) {
                Sort::Symbol(symbol) => {
                    matches!(self.draft.kind(below), NodeKind::Rule | NodeKind::Token)
                        && outline.fits(piece.slot, symbol)
                }
                _ => false,
            };
            if fits {
                put(below);
            }
            fits
        });
        found.sort_by_key(|&(tokens, _)| tokens);
        found.into_iter().map(|(_, candidate)| candidate).collect()
    }

    /// Whether, between an element and `piece` or the nearest rule around the element, there is a
    /// repetition of several iterations, which a list minimizer works through.
    fn is_one_of_many(&self, piece: Piece, below: Piece) -> bool {
        let outline = self.draft.outline();
        let mut id = outline.node(below.slot).parent;
        while id > piece.node {
            let node = outline.node(id);
            match node.kind {
                NodeKind::Rule => return false,
                NodeKind::Repeat => {
                    let iterations = self.iterations(self.draft.in_slot(id));
                    if iterations.len() > 1 {
                        return true;
                    }
                }
                _ => {}
            }
            id = node.parent;
        }
        false
    }

    /// Visits nodes breadth first, down to those for which `is_enough` holds. Iterations do not
    /// count as a level.
    fn nearest(&self, piece: Piece, deepest: u32, mut is_enough: impl FnMut(Piece) -> bool) {
        let mut todo = VecDeque::from([(piece, 0)]);
        while let Some((above, depth)) = todo.pop_front() {
            if depth == deepest {
                continue;
            }
            self.draft
                .each_child(above, |below| match self.draft.kind(below) {
                    NodeKind::Iteration => todo.push_back((below, depth)),
                    _ if is_enough(below) => {}
                    _ => todo.push_back((below, depth + 1)),
                });
        }
    }

    /// Returns the repetition of which a slot is a whole iteration.
    fn element_of(&self, slot: u32) -> Option<NodeId> {
        let outline = self.draft.outline();
        let around = outline.node(slot).parent;
        let alone = outline.children(around).nth(1).is_none();
        (outline.node(around).kind == NodeKind::Iteration && alone)
            .then(|| outline.node(around).parent)
    }

    /// Returns whether all iterations of a repetition may replace one iteration of another
    /// repetition.
    fn fits_as_elements(&self, slot: u32, repeat: NodeId, below: Piece) -> bool {
        let outline = self.draft.outline();
        let grammar = outline.grammar();
        let quantifier = |node: NodeId| match grammar.expr(outline.node(node).place?) {
            Expr::Repeat(repeat) => Some(repeat),
            _ => None,
        };
        let (Some(outer), Some(inner)) = (quantifier(repeat), quantifier(below.node)) else {
            return false;
        };
        let element: Option<SymbolId> = match grammar.expr(inner.body) {
            Expr::Symbol { symbol, alias, .. } => Some(alias.unwrap_or(symbol)),
            _ => None,
        };
        let expr = |id| grammar.expr(id);
        let same_body = expr(inner.body) == expr(outer.body);
        // The replacement of a single iteration must not be empty if at least one is required.
        outer.max.is_none()
            && inner.min >= outer.min
            && outer.separator.map(expr) == inner.separator.map(expr)
            && !self.iterations(below).is_empty()
            && (same_body || element.is_some_and(|symbol| outline.fits(slot, symbol)))
    }

    fn list(&self, piece: Piece) -> Option<NodeList> {
        if self.draft.kind(piece) != NodeKind::Repeat {
            return None;
        }
        let outline = self.draft.outline();
        let iterations = self.iterations(piece);
        (iterations.len() > 1).then(|| {
            NodeList::new(
                iterations,
                |piece| outline.tokens(piece.node),
                outline.least_iterations(piece.node),
                &self.lists,
            )
        })
    }

    /// Applies the present candidate, which was adopted or has the same text as before.
    fn adopt(&mut self) {
        let (Some(now), Some(candidate)) = (self.now, self.candidates.get(self.tried).cloned())
        else {
            return;
        };
        match candidate {
            Candidate::Remove => self.draft.remove(&[now]),
            Candidate::Put(with) => {
                self.draft.put(now, with);
                let piece = self.draft.in_slot(now.slot);
                self.push(piece);
            }
            Candidate::Without(iterations) => {
                self.draft.remove(&iterations);
                self.push_children(now);
            }
        }
        self.now = None;
    }
}

impl ListSearch for Heaviest {
    fn step(&mut self) -> Option<SearchStep> {
        loop {
            let Some(now) = self.now else {
                if self.begin() {
                    continue;
                }
                return None;
            };
            let edit = match self.candidates.get(self.tried) {
                Some(Candidate::Put(with)) if self.draft.same_text(now, *with) => {
                    self.adopt();
                    continue;
                }
                Some(Candidate::Put(with)) => self.draft.put_edit(now, *with),
                Some(Candidate::Remove) => self.draft.remove_edit(&[now]),
                Some(Candidate::Without(nodes)) => self.draft.remove_edit(nodes),
                None => {
                    if let Some(list) = self.list(now) {
                        return Some(SearchStep::List(list));
                    }
                    self.list_ended();
                    continue;
                }
            };
            return Some(SearchStep::Try(edit));
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
        Some(self.draft.remove_edit(nodes))
    }

    fn remove(&mut self, nodes: &[Piece]) {
        self.draft.remove(nodes);
    }

    fn list_ended(&mut self) {
        if let Some(now) = self.now.take() {
            self.push_children(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cases::{EXPRESSIONS, STATEMENTS, parser, stays_in_the_grammar};
    use super::super::trace;
    use super::*;
    use crate::tree::{Outline, Preparation};

    fn doubled(text: &str) -> bool {
        let open = text.find("((");
        open.is_some_and(|open| text[open + 2..].contains("))"))
    }

    #[test]
    fn the_example_of_the_article_is_reduced_as_there() {
        let run = trace(&Perses, EXPRESSIONS, "1 + ((2 * 3 / 4))", doubled);
        assert_eq!(run.result, "((2))");
    }

    #[test]
    fn a_file_that_is_one_repetition_is_a_list() {
        let letters = parser("<s> ::= <letter>+\n<letter> ::= [a-z]\n");
        let outline = Outline::of(&letters, b"abcdefgh", 0).unwrap();
        let outline = Arc::new(Preparation::ALL.apply(outline));
        let lists = Lists::default();
        let driven =
            crate::tree_reducer::drive(&Perses, &outline, &lists, |text| text.contains(&b'f'));
        assert_eq!(driven.text, b"f");
    }

    #[test]
    fn a_list_that_may_be_empty_does_not_replace_one_that_may_not() {
        let program = parser("<p> ::= <s>+\n<s> ::= '{' <s>* '}' | [a-z]\n");
        let outline = Outline::of(&program, b"{a{b}}", 0).unwrap();
        let outline = Arc::new(Preparation::ALL.apply(outline));
        let mut asked = vec![];
        crate::tree_reducer::drive(&Perses, &outline, &Lists::default(), |text| {
            asked.push(text.to_vec());
            text != b"{}"
        });
        assert!(
            asked.len() > 1 && asked.iter().all(|text| !text.is_empty()),
            "{asked:?}"
        );
    }

    #[test]
    fn every_candidate_fits_the_grammar() {
        stays_in_the_grammar(&Perses);
    }

    #[test]
    fn perses_needs_few_tests_for_statements() {
        let text = "x=1;".repeat(40) + "f(g(1,2),(3));" + &"{y=2;}".repeat(20);
        let text = text.replace('y', "x");
        let run = trace(&Perses, STATEMENTS, &text, |text| text.contains("g(1"));
        assert_eq!(run.result, "g(1);");
        assert!(run.tests.len() < 40, "{}", run.tests.len());
    }
}
