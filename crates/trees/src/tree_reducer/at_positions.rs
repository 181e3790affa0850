use super::keeping::{Bodies, Keeping, Variants};
use super::program::items::Items;
use super::program::references::References;
use super::root::{Root, RootKind};
use super::search::SearchMachine;
use super::{Program, TreeReducer};
use crate::tree::{NodeId, Outline};
use nubbin_edit::Span;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_grammar::tree::NodeKind;
use nubbin_view::tokens::is_word_byte;
use std::sync::Arc;

/// Keeps the items at given positions with all that they need, and removes all others and all
/// comments in one test.
///
/// Compilers and interpreters print where a failure is. So the declarations around these positions
/// are needed, and so is what they reach by name, as [`Unreachable`](super::Unreachable) guesses
/// it. No search is needed: if the guesses are right, the first test leaves only the needed
/// declarations.
///
/// Small statements without a name that need little, such as imports, are kept as well. If that
/// does not fail, the second test also keeps callers of the items at the positions, the entry
/// points, all statements without a name, and the variables of needed types, in languages without
/// positional values all members. If that does not fail either, the positions do not help, and
/// there are no more tests. Otherwise the bodies of functions without a position are replaced with
/// [the shortest text that may stand for them](super::Stubs), with all that only these bodies need.
/// Then the items of notes are left out, and then the items of steps on the way to the failure.
///
/// Prefer it to all others as the first pass where the failing run printed positions. The tree
/// reducer removes nothing within functions. It is not in the catalogue, since it is made for one
/// input.
///
/// Cost: at most five tests, two if neither of the first two is adopted; the time of two runs of
/// the analysis of [`Unreachable`](super::Unreachable).
///
/// Source: nubbin. A slice of a program from where its failure shows is that of Weiser: Program
/// Slicing, ICSE 1981; here declarations are sliced, and by names alone.
///
/// ```
/// use nubbin_reduce::span::Span;
/// use nubbin_reduce::tree_reducer::{AtPositions, Root, RootKind, trace};
///
/// let program = "<p> ::= <s>*\n<s> ::= <n> '=' <v> ';'\n<v> ::= <n> | '0'\n<n> ::= [a-z]+\n";
/// let text = "a=zero;b=a;c=b;d=a;e=d;";
/// let root = Root { span: Span::new(15, 16), kind: RootKind::Failure };
/// let run = trace(&AtPositions::new(vec![root]), program, text, |text| text.contains("d=a"));
/// assert_eq!(run.texts(), ["a=zero;d=a;"]);
/// ```
#[derive(Clone, Debug)]
pub struct AtPositions {
    roots: Arc<[Root]>,
}

impl AtPositions {
    /// Creates the tree reducer for the given parts of the input.
    pub fn new(roots: Vec<Root>) -> Self {
        AtPositions {
            roots: roots.into(),
        }
    }
}

impl TreeReducer for AtPositions {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "positions",
            "keeps what is at the positions that the failing run printed, with all that it needs",
            "nubbin, after program slicing (Weiser, ICSE 1981)",
        )
        .joining_files()
    }

    fn open(&self, outline: &Arc<Outline>, _lists: &Lists) -> Option<Work> {
        let references = References::of(outline);
        let whole = Items::of(outline, &references);
        let (lean, bodies) = self.without_bodies(0, outline, references);
        let lean = Items::of(outline, &lean);
        self.work(vec![Arc::clone(outline)], whole, (lean, bodies))
    }

    fn open_all(&self, program: &Program<'_>, _lists: &Lists) -> Option<Work> {
        let outlines = program.outlines();
        let whole = Items::of_program(program);
        let lean = Items::of_references(program, |tree, outline| {
            let (references, _) = self.without_bodies(tree, outline, References::of(outline));
            Arc::new(references)
        });
        let bodies = (0..).zip(&outlines).flat_map(|(tree, outline)| {
            self.without_bodies(tree, outline, References::of(outline))
                .1
        });
        let bodies = bodies.collect();
        self.work(outlines, whole, (lean, bodies))
    }
}

impl AtPositions {
    /// Returns the references without those in bodies that have no position, and these bodies.
    fn without_bodies(
        &self,
        tree: u32,
        outline: &Outline,
        mut references: References,
    ) -> (References, Bodies) {
        let node = |at: u32| references.statements[at as usize].node;
        let bodies = references.bodies(|at| {
            let parent = references.statements[at as usize].parent;
            let is_fixed = parent.is_some_and(|parent| is_fixed(outline, node(parent), node(at)));
            !is_fixed && !self.meets(outline.node(node(at)).span)
        });
        let nodes = bodies.iter().map(|&at| (tree, node(at))).collect();
        references.without_mentions_in(&bodies);
        (references, nodes)
    }

    fn work(
        &self,
        outlines: Vec<Arc<Outline>>,
        whole: Items,
        (lean, bodies): (Items, Bodies),
    ) -> Option<Work> {
        let roots = self.items(&outlines, &whole);
        let comments = self.comments(&outlines);
        let variants = Variants {
            whole,
            lean,
            bodies,
        };
        let keeping = Keeping::new(outlines, variants, comments, roots)?;
        Some(SearchMachine::work(keeping))
    }

    /// Returns whether a position is in the given bytes.
    fn meets(&self, span: Span) -> bool {
        self.roots.iter().any(|root| meet(root.span, span))
    }

    /// Returns the items at the positions, and those without a name that come before them: a line
    /// marker, a label, an attribute.
    fn items(&self, outlines: &[Arc<Outline>], items: &Items) -> Vec<(u32, RootKind)> {
        let span = |at: u32| {
            let item = &items.all[at as usize];
            outlines[item.tree as usize].node(item.node).span
        };
        let mut roots: Vec<(u32, RootKind)> = vec![];
        for root in &*self.roots {
            let mut all: Vec<u32> = (0..items.all.len() as u32).collect();
            all.retain(|&at| meet(root.span, span(at)));
            let around: Vec<_> = all
                .iter()
                .map(|&at| items.all[at as usize].around)
                .collect();
            all.retain(|&at| !around.contains(&Some(at)));
            for at in all {
                roots.push((at, root.kind));
                let around = |at: &u32| items.all[*at as usize].around;
                for outer in std::iter::successors(Some(at), around) {
                    roots.extend(before(items, outer).map(|at| (at, root.kind)));
                }
            }
        }
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Returns the comments that have no position.
    fn comments(&self, outlines: &[Arc<Outline>]) -> Vec<(u32, NodeId)> {
        let trees = (0..).zip(outlines);
        let comments = trees.flat_map(|(tree, outline)| {
            let extras = outline.grammar().extras();
            let nodes = (0..).zip(outline.nodes());
            nodes.filter_map(move |(id, node)| {
                let is_comment = node.kind == NodeKind::Gap && extras.contains(&node.symbol);
                (is_comment && !self.meets(node.span)).then_some((tree, id))
            })
        });
        comments.collect()
    }
}

/// Returns whether a compiler uses the body of a function for more than its code.
fn is_fixed(outline: &Outline, function: NodeId, body: NodeId) -> bool {
    let words = outline.grammar().conventions().words.open_bodies;
    let len = outline.node(body).span.start - outline.node(function).span.start;
    let head = outline
        .text_of(function)
        .get(..len as usize)
        .unwrap_or_default();
    let mut head = head.split(|byte| !is_word_byte(*byte));
    head.any(|word| words.iter().any(|known| word == known.as_bytes()))
}

/// The largest number of items without a name that are kept before an item.
const BEFORE: usize = 2;

/// Returns the items without a name that come directly before an item.
fn before(items: &Items, at: u32) -> impl Iterator<Item = u32> {
    let around = items.all[at as usize].around;
    let before = (0..at).rev();
    let is_unnamed = move |&at: &u32| {
        let item = &items.all[at as usize];
        item.is_root && item.around == around
    };
    before.take_while(is_unnamed).take(BEFORE)
}

/// Returns whether two spans have a byte in common. An empty span counts as one byte.
fn meet(one: Span, other: Span) -> bool {
    one.start < other.end && other.start < one.end.max(one.start + 1)
}

#[cfg(test)]
mod tests {
    use super::super::trace_with;
    use super::*;
    use nubbin_languages::catalogue;

    /// Returns the candidates for roots that begin with these words.
    fn texts(
        language: &str,
        text: &str,
        roots: &[(&str, RootKind)],
        fails: impl Fn(&str) -> bool,
    ) -> Vec<(String, bool)> {
        let syntax = catalogue::named(language).unwrap().syntax().unwrap();
        let root = |(word, kind): &(&str, RootKind)| {
            let at = text.find(word).unwrap();
            let span = Span::at(0, at..at + word.len());
            Root { span, kind: *kind }
        };
        let roots = roots.iter().map(root).collect();
        let fails = |text: &[u8]| fails(std::str::from_utf8(text).unwrap());
        let lists = Lists::default();
        let reducer = AtPositions::new(roots);
        let run = trace_with(&reducer, &*syntax, text.as_bytes(), &lists, fails);
        let words = |(text, fails): (String, bool)| {
            let words: Vec<_> = text.split_whitespace().collect();
            (words.join(" "), fails)
        };
        run.tests.into_iter().map(words).collect()
    }

    const PROGRAM: &str = "/* about a */ struct a { int m; };\nstruct b { int n; };\n\
        int g(struct b *x) { return x->n; }\nint f(struct a *x) { return g(0) + x->m; }\n\
        int note(void) { return 1; }\nint last(struct a *x) { return f(x) + wrong; }\n\
        int other(void) { return 2; }\nint main(void) { return other(); }\n";

    #[test]
    fn unneeded_items_are_removed_in_one_test_then_bodies_then_notes() {
        let roots = [("wrong", RootKind::Failure), ("note", RootKind::Note)];
        let run = texts("c", PROGRAM, &roots, |text| text.contains("f(x) + wrong"));
        let first = "struct a { int m; }; struct b { int n; }; \
            int g(struct b *x) { return x->n; } int f(struct a *x) { return g(0) + x->m; } \
            int note(void) { return 1; } int last(struct a *x) { return f(x) + wrong; }";
        // Only the body of `f` used the member of `a`.
        let lean = "struct a { }; int f(struct a *x) {return 0;} \
            int note(void) {return 0;} int last(struct a *x) { return f(x) + wrong; }";
        let fewer = "struct a { }; int f(struct a *x) {return 0;} \
            int last(struct a *x) { return f(x) + wrong; }";
        let expected = [first, lean, fewer].map(|text| (text.to_owned(), true));
        assert_eq!(run, expected);
    }

    #[test]
    fn two_rejected_candidates_end_the_search() {
        let roots = [("wrong", RootKind::Failure)];
        let run = texts("c", PROGRAM, &roots, |_| false);
        assert_eq!(run.len(), 2, "{run:#?}");
        assert!(run[1].0.contains("int main"), "{run:#?}");
    }

    #[test]
    fn a_line_marker_before_an_item_stays() {
        let text = "# 1 \"x.h\" 3\nint a;\nint b;\n# 5 \"x.c\"\nint c = wrong;\n";
        let roots = [("wrong", RootKind::Failure)];
        let run = texts("c", text, &roots, |text| text.contains("wrong"));
        assert_eq!(run[0].0, "# 5 \"x.c\" int c = wrong;", "{run:#?}");
    }
}
