use super::TreeReducer;
use super::search::{Descent, Order, Rules};
use crate::tree::Outline;
use crate::work::{Lists, Work};
use std::sync::Arc;

/// [`Hdd`](super::Hdd) over the nodes that can go without a trace, and over no others.
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
/// use nubbin_reduce::tree_reducer::{self, CoarseHdd};
/// use nubbin_reduce::work::Lists;
/// use std::sync::Arc;
///
/// let grammar = read::read("<l> ::= <n> | <l> ',' <n>\n<n> ::= [0-9]+", None, "list")?;
/// let parser = Parser::new(Arc::new(grammar))?;
/// let outline = tree::flatten(Outline::of(&parser, b"10,20,30,40", 0).unwrap());
/// let driven = tree_reducer::drive(&CoarseHdd, &Arc::new(outline), &Lists::default(), |text| {
///     text.contains(&b'3')
/// });
/// // The first number cannot go, but digits of it can.
/// assert_eq!(driven.text, b"1,3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CoarseHdd;

impl TreeReducer for CoarseHdd {
    fn id(&self) -> &'static str {
        "coarse-hdd"
    }

    fn about(&self) -> &'static str {
        "level by level, only nodes that can go without a trace"
    }

    fn source(&self) -> &'static str {
        "Hodován, Kiss, Gyimóthy: Coarse Hierarchical Delta Debugging, ICSME 2017"
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let rules = Rules {
            order: Order::Levels,
            coarse: true,
            star: false,
        };
        Descent::work(outline, lists, rules)
    }
}
