use super::TreeReducer;
use super::search::{Descent, Order, Rules};
use crate::tree::Outline;
use crate::work::{Lists, Work};
use std::sync::Arc;

/// [`CoarseHdd`](super::CoarseHdd) again and again, until a whole descent takes nothing out.
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
/// use nubbin_reduce::tree_reducer::{self, CoarseHdd, CoarseHddStar};
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
/// let once = tree_reducer::drive(&CoarseHdd, &outline, &Lists::default(), fails);
/// let star = tree_reducer::drive(&CoarseHddStar, &outline, &Lists::default(), fails);
/// assert_eq!((once.text, star.text), (b"(a((c)))".to_vec(), b"(((c)))".to_vec()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CoarseHddStar;

impl TreeReducer for CoarseHddStar {
    fn id(&self) -> &'static str {
        "coarse-hdd-star"
    }

    fn about(&self) -> &'static str {
        "coarse-hdd again and again, until a whole descent changes nothing"
    }

    fn source(&self) -> &'static str {
        "Hodován, Kiss, Gyimóthy: Coarse Hierarchical Delta Debugging, ICSME 2017"
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let rules = Rules {
            order: Order::Levels,
            coarse: true,
            star: true,
        };
        Descent::work(outline, lists, rules)
    }
}
