use super::TreeReducer;
use super::search::{Descent, Order, Rules};
use crate::tree::Outline;
use crate::work::{Lists, Work};
use std::sync::Arc;

/// [`Hdd`](super::Hdd) again and again, until a whole descent takes nothing out.
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
/// use nubbin_reduce::tree_reducer::{self, Hdd, HddStar};
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
/// let once = tree_reducer::drive(&Hdd, &outline, &Lists::default(), fails);
/// assert_eq!(String::from_utf8_lossy(&once.text), "let a;let y;{y;}");
/// let star = tree_reducer::drive(&HddStar, &outline, &Lists::default(), fails);
/// assert_eq!(String::from_utf8_lossy(&star.text), "let y;{y;}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct HddStar;

impl TreeReducer for HddStar {
    fn id(&self) -> &'static str {
        "hdd-star"
    }

    fn about(&self) -> &'static str {
        "hdd again and again, until a whole descent changes nothing"
    }

    fn source(&self) -> &'static str {
        "Misherghi, Su: HDD: Hierarchical Delta Debugging, ICSE 2006"
    }

    fn open(&self, outline: &Arc<Outline>, lists: &Lists) -> Option<Work> {
        let rules = Rules {
            order: Order::Levels,
            coarse: false,
            star: true,
        };
        Descent::work(outline, lists, rules)
    }
}
