use super::TreeReducer;
use super::search::{Descent, Order, Rules};
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
/// deeper went stays: [`HddStar`](super::HddStar) goes back. A level has nodes from all over the text,
/// which are seldom needed together; [`Hddr`](super::Hddr) looks at one node's children at a time and
/// mostly asks less. Where structure should go and names and numbers may stay as they are,
/// [`CoarseHdd`](super::CoarseHdd) asks much less.
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
/// let driven = tree_reducer::drive(&Hdd, &outline, &Lists::default(), |text| {
///     tests.push(String::from_utf8_lossy(text).into_owned());
///     text.contains(&b'3')
/// });
/// assert_eq!(tests[..3], ["0", "(1+2)+0", "0+(3+4)"]); // the root, then its two operands
/// assert_eq!(driven.text, b"0+(3+0)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Hdd;

impl TreeReducer for Hdd {
    fn id(&self) -> &'static str {
        "hdd"
    }

    fn about(&self) -> &'static str {
        "level by level from the root, each level one list"
    }

    fn source(&self) -> &'static str {
        "Misherghi, Su: HDD: Hierarchical Delta Debugging, ICSE 2006"
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let rules = Rules {
            order: Order::Levels,
            coarse: false,
            star: false,
        };
        Descent::work(outline, lists, rules)
    }
}
