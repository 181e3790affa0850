mod candidates;
mod reducer;
mod reducing;
mod state;

/// Grammar-based reduction: replaces nodes with subtrees of the same symbol, then with other
/// alternatives made of subtrees.
///
/// From the root down, each child of a node is replaced with something smaller: with a subtree
/// below it of the same symbol, in the order of the text; or by another alternative of its rule
/// whose symbols are all found below it, the fewest nodes first. A replacement that passes the test
/// is dropped, and the next one for that child is tried. After a success all children of the node
/// are tried again. When no child can be made smaller, the same is done for the children of each.
/// Every candidate fits the grammar.
///
/// Other tree reducers delete; this one also changes the shape: `(expr)` becomes a number inside
/// it, a product one of its factors. Take it where the grammar has few repetitions, so that there
/// is little to delete, or where a test that rejects a candidate for its syntax says nothing else
/// about it.
///
/// Four variants:
///
/// * [`Grabr::plain`] looks for subtrees at any depth.
/// * [`Grabr::by_depth`] looks for those exactly 0, 1, 2, … levels below, and begins again at 0
///   after a pass that found something: large subtrees first. Usually fewer tests.
/// * [`Grabr::all_combinations`] tries every way to fill an alternative, not only the first. The
///   option `all` does the same for the other variants, and `most=N` tries at most `N` ways. Their
///   number grows with the power of the symbols of an alternative.
/// * [`Grabr::generative`] fills symbols that are not found below the node with new text: the
///   smallest text of the symbol, or one of its alternatives made of subtrees that are found.
///
/// Trees are not [prepared](crate::tree::Preparation), as in the book. A run of this algorithm
/// alone compares trees by their number of nodes, so that a candidate may be longer than the text
/// before.
///
/// Cost: for each node, one test per smaller subtree of its symbol and per alternative; a list
/// minimizer's tests per repetition. Searching for subtrees takes time linear in the size of the
/// tree for each of its levels, and for each pair of levels in the variants by depth.
///
/// Source: A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book* (2019),
/// chapter "Reducing Failure-Inducing Inputs" (`GrammarReducer`; the last variant is its second
/// exercise).
///
/// Changed: optional parts and repetitions, which the book's grammars do not have. An optional part
/// may be removed; the iterations of a repetition are a list for a list minimizer. A replacement
/// with the same text as before is made without a test. The generative variant, which the book
/// leaves to its readers, also replaces the root, tries empty alternatives, and replaces new text
/// with shorter new text.
///
/// ```
/// use nubbin_reduce::tree_reducer::{Grabr, trace};
///
/// let numbers = "<n> ::= <float> | <int> | 'NaN'\n<float> ::= <ds> '.' <ds>\n<int> ::= <ds>\n<ds> ::= [0-9] <ds> | [0-9]\n";
/// let any = |text: &str| text.contains('9');
/// assert_eq!(trace(&Grabr::by_depth(), numbers, "10.9", any).result, "9.9");
/// assert_eq!(trace(&Grabr::generative(), numbers, "10.9", any).result, "9");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Grabr {
    id: &'static str,
    about: &'static str,
    by_depth: bool,
    all: bool,
    /// The maximum number of ways to fill an alternative, with `all`.
    most: Option<usize>,
    generative: bool,
    empty: bool,
    root: bool,
}

/// The options of all variants.
const OPTIONS: [(&str, &str); 4] = [
    ("all", "tries every way to fill an alternative"),
    (
        "most=N",
        "with `all`, tries at most N ways to fill an alternative",
    ),
    (
        "empty",
        "also tries an empty alternative where nothing below the node is empty",
    ),
    ("root", "also replaces the root, if its symbol is recursive"),
];

impl Grabr {
    /// Creates the variant that searches for subtrees at any depth.
    pub const fn plain() -> Self {
        Grabr {
            id: "grabr",
            about: "replace nodes with subtrees of their symbol, then alternatives made of them",
            by_depth: false,
            all: false,
            most: None,
            generative: false,
            empty: false,
            root: false,
        }
    }

    /// Creates the variant that searches for large subtrees first.
    pub const fn by_depth() -> Self {
        Grabr {
            id: "grabr-depth",
            about: "as grabr, with subtrees one level below first, then two levels, and so on",
            by_depth: true,
            ..Grabr::plain()
        }
    }

    /// Creates the variant that tries every way to fill an alternative. `grabr:all` does so with
    /// subtrees at any depth.
    pub const fn all_combinations() -> Self {
        Grabr {
            id: "grabr-all",
            about: "as grabr-depth, with every way to fill an alternative with subtrees",
            all: true,
            ..Grabr::by_depth()
        }
    }

    /// Returns the variant that also fills alternatives with text that was not in the input.
    pub const fn generative() -> Self {
        Grabr {
            id: "grabr-generative",
            about: "as grabr-depth, also with smallest texts of symbols that are not found below",
            generative: true,
            empty: true,
            root: true,
            ..Grabr::by_depth()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::TreeReducer;
    use super::super::cases::{EXPRESSIONS, mystery, stays_in_the_grammar};
    use super::super::trace;
    use super::*;

    #[test]
    fn the_run_is_that_of_the_book() {
        let run = trace(&Grabr::plain(), EXPRESSIONS, "1 + (2 * 3)", mystery);
        assert_eq!(run.texts(), ["(2 * 3)", "2 * 3", "3", "2", "(3)"]);
        assert_eq!(run.result, "(3)");
    }

    #[test]
    fn the_run_by_depth_is_that_of_the_book() {
        let run = trace(&Grabr::by_depth(), EXPRESSIONS, "1 + (2 * 3)", mystery);
        assert_eq!(run.texts(), ["(2 * 3)", "(3)", "3"]);
        assert_eq!(run.result, "(3)");
    }

    #[test]
    fn a_replacement_is_replaced_by_a_longer_one_with_fewer_nodes() {
        let query = "<q> ::= '?' <ps>\n<ps> ::= <p> | <p> '&' <ps>\n\
            <p> ::= <id> '=' <id> | <id> '=' <n>\n<id> ::= 'abc' | 'x'\n\
            <n> ::= <d> <d> | <d>\n<d> ::= '0' | '5'\n";
        let has_b = |text: &str| text.contains('b');
        // After the parameters have become `abc=5`, this is replaced by `abc=abc`, which has one
        // node less.
        for reducer in [Grabr::plain(), Grabr::by_depth(), Grabr::all_combinations()] {
            let run = trace(&reducer, query, "?abc=abc&abc=5", has_b);
            assert_eq!(run.texts().last(), Some(&"?abc=abc"), "{}", reducer.id());
            assert_eq!(run.result, "?abc=abc", "{}", reducer.id());
        }
        let run = trace(&Grabr::plain(), query, "?abc=abc&abc=5", has_b);
        assert_eq!(run.texts(), ["?abc=5", "?abc=abc"]);
    }

    #[test]
    fn every_candidate_fits_the_grammar() {
        for reducer in [
            Grabr::plain(),
            Grabr::by_depth(),
            Grabr::all_combinations(),
            Grabr::generative(),
        ] {
            stays_in_the_grammar(&reducer);
        }
    }
}
