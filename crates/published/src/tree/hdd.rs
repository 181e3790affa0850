use super::descent::{Descent, DescentOrder, Rules};
use nubbin_engine::order::Order;
use nubbin_engine::work::{Lists, PassInfo, Work};
use nubbin_trees::tree::{Outline, Preparation};
use nubbin_trees::tree_reducer::TreeReducer;
use std::sync::Arc;

/// Hierarchical delta debugging: one list per level of the tree, from the root down.
///
/// The present nodes of a level are a list. A list minimizer removes as many as it can, each
/// replaced with the [smallest text](Outline::phrase) that may occur there. Then comes the next
/// level, below the kept nodes. A removal near the root costs one test and removes all nodes below
/// it.
///
/// It is the reference for comparing other tree reducers. The algorithm descends once, so a node
/// that becomes removable only after the removal of a deeper one is kept: [`Hdd::STAR`] descends
/// again. A level has nodes from all parts of the text, which are seldom needed together;
/// [`Hddr`](super::Hddr) takes the children of one node at a time and usually needs fewer tests.
/// Where structure should be removed and names and numbers may be kept as they are, [`Hdd::COARSE`]
/// needs far fewer tests.
///
/// * *Cost:* the tests of the list minimizer on each level.
/// * *Result:* in the language of the grammar. Not 1-tree-minimal: a node may be removable at the
///   end that was not when it was tested.
/// * *Trees:* as they are parsed, as in the publication.
/// * *Adopted:* in a run of this algorithm alone, every candidate that fails and is no longer, also
///   one whose smallest texts are as long as the texts before. Nodes that have their smallest text
///   already are removed without a test.
/// * *Source:* G. Misherghi, Z. Su, "HDD: Hierarchical Delta Debugging", ICSE 2006. Smallest texts:
///   G. Misherghi, "Hierarchical Delta Debugging", master's thesis, University of California, 2007.
/// * *Changed:* the last node of a level is tried, too, which the list minimizer by itself never
///   does. A repetition that must not be empty keeps as many iterations as it needs, in their
///   smallest text, and separators are removed with iterations.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::{self, Outline};
/// use nubbin_published::tree::Hdd;
/// use nubbin_reduce::tree_reducer;
/// use nubbin_reduce::work::Lists;
/// use std::sync::Arc;
///
/// let grammar = read::read("<e> ::= <e> '+' <e> | '(' <e> ')' | [0-9]", None, "sums")?;
/// let parser = Parser::new(Arc::new(grammar))?;
/// let outline = Arc::new(tree::hide(Outline::of(&parser, b"(1+2)+(3+4)", 0).unwrap()));
/// let mut tests = vec![];
/// let driven = tree_reducer::drive(&Hdd::default(), &outline, &Lists::default(), |text| {
///     tests.push(String::from_utf8_lossy(text).into_owned());
///     text.contains(&b'3')
/// });
/// assert_eq!(tests[..3], ["0", "(1+2)+0", "0+(3+4)"]); // the root, then its two operands
/// assert_eq!(driven.text, b"0+(3+0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hdd {
    /// Whether only nodes whose smallest text is empty are tried.
    pub coarse: bool,
    /// Whether the descent starts again from the root, until a whole descent changes nothing.
    pub star: bool,
}

impl Hdd {
    /// [`Hdd`] again and again, until a whole descent removes nothing.
    ///
    /// A declaration is near the root of the tree and its uses are further down: when the
    /// declaration is tested, its uses are still present. The next descent tests it alone.
    ///
    /// Prefer it to `hdd` wherever the result matters. In a plan that repeats its passes, it saves
    /// only the parsing in between.
    ///
    /// The list minimizer is `ddmin`, as published. On generated texts, `--list-algorithm sweep`
    /// takes 36 % fewer tests for the same results (`notes/data/trees.md`).
    ///
    /// * *Cost:* at least one descent more than `hdd`, over the rest. Where verdicts are
    ///   remembered, as in the engine, the last descent takes almost no tests.
    /// * *Result:* 1-tree-minimal, if the list minimizer ends 1-minimal: no single node that is
    ///   left in the tree can be replaced with its smallest text.
    /// * *Source:* G. Misherghi, Z. Su, "HDD: Hierarchical Delta Debugging", ICSE 2006.
    /// * *Changed:* as `hdd`. The tree is the one that was parsed first, without the removed nodes.
    ///
    /// ```
    /// use nubbin_grammar::{parse::Parser, read};
    /// use nubbin_reduce::tree::{self, Outline};
    /// use nubbin_published::tree::Hdd;
    /// use nubbin_reduce::tree_reducer;
    /// use nubbin_reduce::work::Lists;
    /// use std::sync::Arc;
    ///
    /// let grammar = read::read("<p> ::= <s>*\n<s> ::= 'let ' <n> ';' | '{' <s>* '}' | <n> ';'\n<n> ::= [a-z]", None, "p")?;
    /// let parser = Parser::new(Arc::new(grammar))?;
    /// let outline = Arc::new(tree::hide(Outline::of(&parser, b"let x;let y;{x;y;}", 0).unwrap()));
    /// // Fails where a block ends with `y`; used names must be declared.
    /// let fails = |text: &[u8]| {
    ///     let text = String::from_utf8_lossy(text);
    ///     let has = |what: &str| text.contains(what);
    ///     has("let y;") && has("y;}") && (has("let x;") || !has("x;"))
    /// };
    /// let once = tree_reducer::drive(&Hdd::default(), &outline, &Lists::default(), fails);
    /// assert_eq!(String::from_utf8_lossy(&once.text), "let a;let y;{y;}");
    /// let star = tree_reducer::drive(&Hdd::STAR, &outline, &Lists::default(), fails);
    /// assert_eq!(String::from_utf8_lossy(&star.text), "let y;{y;}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const STAR: Hdd = Hdd {
        coarse: false,
        star: true,
    };

    /// [`Hdd`] over only those nodes that can be removed without leaving a text.
    ///
    /// Removing whole subtrees saves most. Replacing a node with a smallest text (a name with
    /// a shorter one, a number with a digit) saves a few bytes for a test each, and there are many
    /// such nodes. So a level's list has only the nodes whose [smallest text](Outline::phrase) is
    /// empty: optional parts, iterations of repetitions, rules that can be empty. A level without
    /// any is skipped.
    ///
    /// Run it first on a large input, and a finer tree reducer after it. On a grammar with
    /// recursion in place of repetitions it finds little, unless the tree is
    /// [flattened](nubbin_trees::tree::flatten).
    ///
    /// * *Cost:* a fraction of the tests of `hdd`: see `notes/data/trees.md`.
    /// * *Result:* in the language of the grammar; only deletions. The kept text is as it was in
    ///   the input.
    /// * *Trees:* with every [published preparation](nubbin_trees::tree::Preparation::PUBLISHED).
    /// * *Source:* R. Hodován, Á. Kiss, T. Gyimóthy, "Coarse Hierarchical Delta Debugging", ICSME
    ///   2017 (algorithm 4 of Hodován's thesis).
    /// * *Changed:* as `hdd`, but the iterations that a repetition needs are kept as they are.
    ///
    /// ```
    /// use nubbin_grammar::{parse::Parser, read};
    /// use nubbin_reduce::tree::{self, Outline};
    /// use nubbin_published::tree::Hdd;
    /// use nubbin_reduce::tree_reducer;
    /// use nubbin_reduce::work::Lists;
    /// use std::sync::Arc;
    ///
    /// let grammar = read::read("<l> ::= <n> | <l> ',' <n>\n<n> ::= [0-9]+", None, "list")?;
    /// let parser = Parser::new(Arc::new(grammar))?;
    /// let outline = tree::flatten(Outline::of(&parser, b"10,20,30,40", 0).unwrap());
    /// let driven = tree_reducer::drive(&Hdd::COARSE, &Arc::new(outline), &Lists::default(), |text| {
    ///     text.contains(&b'3')
    /// });
    /// // The first number cannot be removed, but digits of it can.
    /// assert_eq!(driven.text, b"1,3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const COARSE: Hdd = Hdd {
        coarse: true,
        star: false,
    };

    /// [`Hdd::COARSE`] again and again, until a whole descent removes nothing.
    ///
    /// This is *Coarse HDD\** in the thesis, the fastest of the family for the size of its result.
    /// The default plan has [`Subtrees`](nubbin_trees::tree_reducer::Subtrees), which removes the
    /// same nodes in another order.
    ///
    /// * *Cost:* at least one descent more than `coarse-hdd`, over the rest; most of its verdicts
    ///   are known by then.
    /// * *Result:* no single node with an empty smallest text can be removed, if the list minimizer
    ///   ends 1-minimal. Not 1-tree-minimal: other nodes are never tested.
    /// * *Trees:* with every [published preparation](nubbin_trees::tree::Preparation::PUBLISHED).
    /// * *Source:* R. Hodován, Á. Kiss, T. Gyimóthy, "Coarse Hierarchical Delta Debugging", ICSME
    ///   2017.
    /// * *Changed:* as `coarse-hdd`.
    ///
    /// ```
    /// use nubbin_grammar::{parse::Parser, read};
    /// use nubbin_reduce::tree::Outline;
    /// use nubbin_published::tree::Hdd;
    /// use nubbin_reduce::tree_reducer;
    /// use nubbin_reduce::work::Lists;
    /// use std::sync::Arc;
    ///
    /// let grammar = read::read("<s> ::= '(' <s>* ')' | [a-z]", None, "lists")?;
    /// let parser = Parser::new(Arc::new(grammar))?;
    /// let outline = Arc::new(Outline::of(&parser, b"(a(b(ca)))", 0).unwrap());
    /// // Fails with a `c`, and with as many `a` inside as outside.
    /// let fails = |text: &[u8]| {
    ///     let count = |byte| text.iter().filter(|&&b| b == byte).count();
    ///     count(b'c') == 1 && (count(b'a') != 1 || text.starts_with(b"(a"))
    /// };
    /// let once = tree_reducer::drive(&Hdd::COARSE, &outline, &Lists::default(), fails);
    /// let star = tree_reducer::drive(&Hdd::COARSE_STAR, &outline, &Lists::default(), fails);
    /// assert_eq!((once.text, star.text), (b"(a((c)))".to_vec(), b"(((c)))".to_vec()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const COARSE_STAR: Hdd = Hdd {
        coarse: true,
        star: true,
    };
}

impl TreeReducer for Hdd {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            match (self.coarse, self.star) {
                (false, false) => "hdd",
                (false, true) => "hdd-star",
                (true, false) => "coarse-hdd",
                (true, true) => "coarse-hdd-star",
            },
            match (self.coarse, self.star) {
                (false, false) => {
                    "removes nodes level by level from the root, each level as one list"
                }
                (false, true) => "repeats hdd until a whole descent changes nothing",
                (true, false) => "as hdd, only with nodes whose smallest text is empty",
                (true, true) => "repeats coarse-hdd until a whole descent changes nothing",
            },
            match self.coarse {
                false => "Misherghi, Su: HDD: Hierarchical Delta Debugging, ICSE 2006",
                true => "Hodován, Kiss, Gyimóthy: Coarse Hierarchical Delta Debugging, ICSME 2017",
            },
        )
    }

    fn preparation(&self) -> Preparation {
        match self.coarse {
            false => Preparation::NONE,
            true => Preparation::PUBLISHED,
        }
    }

    fn order(&self) -> Option<Order> {
        Some(Order::no_longer())
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let rules = Rules {
            order: DescentOrder::Levels,
            coarse: self.coarse,
            star: self.star,
        };
        Descent::work(outline, lists, rules)
    }
}

#[cfg(test)]
mod tests {
    use nubbin_engine::work::Lists;
    use nubbin_grammar::parse::Parser;
    use nubbin_grammar::read;
    use nubbin_trees::tree::Outline;
    use nubbin_trees::tree_reducer::drive;
    use std::sync::Arc;

    /// Reduces a text by a tree reducer with its own preparation and `ddmin`. Returns the result,
    /// the texts that were tested, and the number of configurations.
    fn run(
        id: &str,
        grammar: &str,
        text: &[u8],
        fails: impl Fn(&str) -> bool,
    ) -> (String, Vec<String>, u64) {
        let grammar = read::read(grammar, None, "test").unwrap();
        let parser = Parser::new(Arc::new(grammar)).unwrap();
        let reducer = crate::catalogue().tree_reducer(id).unwrap();
        let outline = Outline::of(&parser, text, 0).unwrap();
        let outline = Arc::new(reducer.preparation().apply(outline));
        let lists = Lists {
            algorithm: Some(nubbin_minimize::parse("ddmin").unwrap()),
            seed: 0,
        };
        let mut tested = vec![];
        let driven = drive(&*reducer, &outline, &lists, |text| {
            let text = String::from_utf8_lossy(text).into_owned();
            let fails = fails(&text);
            tested.push(text);
            fails
        });
        let result = String::from_utf8(driven.text).unwrap();
        (result, tested, driven.configurations)
    }

    /// Algorithm 5 of the thesis compares a node with its own children. A call whose callee is an
    /// expression that is a call is not a list for it, so no pair of parentheses can be removed.
    #[test]
    fn recursion_through_other_rules_is_not_flattened() {
        let calls = "<expr> ::= <call> | <sym>\n<call> ::= <callee> '(' <args> ')'\n\
            <callee> ::= <expr>\n<args> ::= '' | <expr>\n<sym> ::= 'a'\n";
        let two = |text: &str| {
            text.find('(')
                .is_some_and(|at| text[at + 1..].contains('('))
        };
        let (result, ..) = run("coarse-hdd-star", calls, b"a()()()(a)()()", two);
        assert_eq!(result, "a()()()()()()");
    }

    /// In the second descent, a list that has become the number `0` is to become an item, whose
    /// smallest text is `a`: as long, and later in the order of bytes.
    #[test]
    fn a_smallest_text_replaces_another_of_the_same_length() {
        let list = "<start> ::= <l>\n<l> ::= <l> ',' <i> | <i>\n\
            <i> ::= 'a' | 'bb' | '[' <l> ']' | '[]' | <n>\n<n> ::= <n> <d> | <d>\n\
            <d> ::= '0' | '1' | '2'\n";
        let even = |text: &str| {
            let zeros = text.matches('0').count();
            zeros > 0 && zeros.is_multiple_of(2)
        };
        let (result, tested, _) = run("hdd-star", list, b"1000212,a,[[],a],0", even);
        assert_eq!(tested.len(), 9, "{tested:?}");
        assert_eq!(tested[8], "0,a,a,a");
        assert_eq!(result, "0,a,a,0");
    }

    /// The papers count each set of nodes that ddmin asks about, also where its text is the present
    /// one or was tested before.
    #[test]
    fn every_set_of_nodes_that_ddmin_asks_about_is_a_configuration() {
        let list = "<start> ::= <l>\n<l> ::= <l> ',' <i> | <i>\n\
            <i> ::= 'a' | 'bb' | '[' <l> ']' | '[]'\n";
        let (result, tested, configurations) =
            run("hdd", list, b"[a,bb,[]]", |text| text.contains("bb"));
        assert_eq!(result, "[a,bb,a]");
        assert_eq!(tested, ["a", "[a]", "[a,bb,a]", "[a,a]", "[a,a,a]"]);
        // The lists are the start, the list, its item; a bracket, the inner list, and a bracket;
        // then the inner lists with their commas, twice; and the text of the item.
        assert_eq!(configurations, 1 + 1 + 1 + 4 + 2 + 5 + 1);
    }
}
