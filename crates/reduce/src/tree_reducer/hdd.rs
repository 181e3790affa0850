use super::TreeReducer;
use super::search::{Descent, DescentOrder, Rules};
use crate::tree::Outline;
use crate::work::{Lists, Work};
use std::sync::Arc;

/// Hierarchical delta debugging: one list for each level of the tree, from the root down.
///
/// The nodes of a level that are still there are a list; a list algorithm takes out as many as it
/// can, each replaced by the [smallest text](Outline::phrase) that may stand there; then comes the next
/// level, below the nodes that stayed. What is taken out high up costs one test and saves all that is
/// below it.
///
/// The reference to measure other walks by. It goes down once, so what could go only after something
/// deeper went stays: [`Hdd::STAR`] goes back. A level has nodes from all over the text,
/// which are seldom needed together; [`Hddr`](super::Hddr) looks at one node's children at a time and
/// mostly asks less. Where structure should go and names and numbers may stay as they are,
/// [`Hdd::COARSE`] asks much less.
///
/// * *Cost:* the tests of the list algorithm on each level.
/// * *Result:* in the language of the grammar. Not 1-tree-minimal: some node may go that could not
///   when it was asked.
/// * *Source:* G. Misherghi, Z. Su, "HDD: Hierarchical Delta Debugging", ICSE 2006. Smallest texts:
///   G. Misherghi, "Hierarchical Delta Debugging", master's thesis, University of California, 2007.
/// * *Changed:* the last node of a level is tried, too, which the list algorithm by itself never does.
///   A repetition that must not be empty keeps as many iterations as it needs, in their smallest text,
///   and separators go with iterations.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::{self, Outline};
/// use nubbin_reduce::tree_reducer::{self, Hdd};
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
    /// Only nodes whose smallest text is empty.
    pub coarse: bool,
    /// From the root again, until nothing changes.
    pub star: bool,
}

impl Hdd {
    /// [`Hdd`] again and again, until a whole descent takes nothing out.
    ///
    /// A declaration stands high up in the tree and its uses further down: when the declaration is asked
    /// for, its uses are still there. The next descent finds it alone.
    ///
    /// Better than `hdd` wherever the result matters. In a plan that comes back to its passes by itself,
    /// it saves nothing but the parsing in between.
    ///
    /// * *Cost:* at least one descent more than `hdd`, over what is left. Where outcomes are remembered,
    ///   and the engine does that, the last descent costs next to nothing.
    /// * *Result:* 1-tree-minimal, if the list algorithm ends 1-minimal: no single node that is left in the
    ///   tree can be replaced by its smallest text.
    /// * *Source:* G. Misherghi, Z. Su, "HDD: Hierarchical Delta Debugging", ICSE 2006.
    /// * *Changed:* as `hdd`. The tree stays the one that was parsed first, without what went.
    ///
    /// ```
    /// use nubbin_grammar::{parse::Parser, read};
    /// use nubbin_reduce::tree::{self, Outline};
    /// use nubbin_reduce::tree_reducer::{self, Hdd};
    /// use nubbin_reduce::work::Lists;
    /// use std::sync::Arc;
    ///
    /// let grammar = read::read("<p> ::= <s>*\n<s> ::= 'let ' <n> ';' | '{' <s>* '}' | <n> ';'\n<n> ::= [a-z]", None, "p")?;
    /// let parser = Parser::new(Arc::new(grammar))?;
    /// let outline = Arc::new(tree::hide(Outline::of(&parser, b"let x;let y;{x;y;}", 0).unwrap()));
    /// // Fails where a block ends with `y`; what is used must be declared.
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

    /// [`Hdd`] over the nodes that can go without a trace, and over no others.
    ///
    /// Most is saved where whole subtrees go. What can only be replaced by a smallest text (a name by a
    /// shorter one, a number by a digit) saves a few bytes for a test each, and there are many of them. So
    /// a level's list has only the nodes whose [smallest text](Outline::phrase) is empty: options,
    /// iterations of repetitions, rules that can be nothing. A level without any is passed over.
    ///
    /// The right first walk over a large input, with a finer one behind it. On a grammar that has
    /// recursion in place of repetitions it finds little, unless the tree is
    /// [flattened](crate::tree::flatten).
    ///
    /// * *Cost:* a fraction of the tests of `hdd`: see `notes/trees.md`.
    /// * *Result:* in the language of the grammar; only deletions. What stays is as it was in the input.
    /// * *Source:* R. Hodován, Á. Kiss, T. Gyimóthy, "Coarse Hierarchical Delta Debugging", ICSME 2017
    ///   (algorithm 4 of Hodován's thesis).
    /// * *Changed:* as `hdd`, but the iterations that a repetition cannot do without stay as they are.
    ///
    /// ```
    /// use nubbin_grammar::{parse::Parser, read};
    /// use nubbin_reduce::tree::{self, Outline};
    /// use nubbin_reduce::tree_reducer::{self, Hdd};
    /// use nubbin_reduce::work::Lists;
    /// use std::sync::Arc;
    ///
    /// let grammar = read::read("<l> ::= <n> | <l> ',' <n>\n<n> ::= [0-9]+", None, "list")?;
    /// let parser = Parser::new(Arc::new(grammar))?;
    /// let outline = tree::flatten(Outline::of(&parser, b"10,20,30,40", 0).unwrap());
    /// let driven = tree_reducer::drive(&Hdd::COARSE, &Arc::new(outline), &Lists::default(), |text| {
    ///     text.contains(&b'3')
    /// });
    /// // The first number cannot go, but digits of it can.
    /// assert_eq!(driven.text, b"1,3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const COARSE: Hdd = Hdd {
        coarse: true,
        star: false,
    };

    /// [`Hdd::COARSE`] again and again, until a whole descent takes nothing out.
    ///
    /// What the thesis means by *Coarse HDD\**: the fastest of the family for what it removes. The default
    /// plan has [`Subtrees`](super::Subtrees), which takes out the same nodes in another order.
    ///
    /// * *Cost:* at least one descent more than `coarse-hdd`, over what is left; most of its outcomes are
    ///   known by then.
    /// * *Result:* no single node with an empty smallest text can go, if the list algorithm ends
    ///   1-minimal. Not 1-tree-minimal: other nodes are never asked for.
    /// * *Source:* R. Hodován, Á. Kiss, T. Gyimóthy, "Coarse Hierarchical Delta Debugging", ICSME 2017.
    /// * *Changed:* as `coarse-hdd`.
    ///
    /// ```
    /// use nubbin_grammar::{parse::Parser, read};
    /// use nubbin_reduce::tree::Outline;
    /// use nubbin_reduce::tree_reducer::{self, Hdd};
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
    fn id(&self) -> &'static str {
        match (self.coarse, self.star) {
            (false, false) => "hdd",
            (false, true) => "hdd-star",
            (true, false) => "coarse-hdd",
            (true, true) => "coarse-hdd-star",
        }
    }

    fn about(&self) -> &'static str {
        match (self.coarse, self.star) {
            (false, false) => "level by level from the root, each level one list",
            (false, true) => "hdd again and again, until a whole descent changes nothing",
            (true, false) => "level by level, only nodes that can go without a trace",
            (true, true) => "coarse-hdd again and again, until a whole descent changes nothing",
        }
    }

    fn source(&self) -> &'static str {
        match self.coarse {
            false => "Misherghi, Su: HDD: Hierarchical Delta Debugging, ICSE 2006",
            true => "Hodován, Kiss, Gyimóthy: Coarse Hierarchical Delta Debugging, ICSME 2017",
        }
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
