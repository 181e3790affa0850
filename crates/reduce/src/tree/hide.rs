use super::{NodeId, Outline};

/// Marks the nodes that are their own [smallest text](Outline::phrase), so that no list has them.
///
/// The parentheses of an expression are replaced by parentheses; to take them out changes nothing,
/// and a list without them is shorter. Where outcomes are remembered by content, trying one by itself
/// costs no test; what is saved then are the tests that a list algorithm splits a longer list by.
///
/// One pass over the nodes, with one comparison of texts each.
///
/// Source: Hodován, Kiss, Gyimóthy: Tree Preprocessing and Test Outcome Caching for Efficient
/// Hierarchical Delta Debugging, AST 2017 (*hideUnremovableTokens*, algorithm 3 of Hodován's thesis).
/// Changed: every node, not only tokens; nothing is said of what is below it.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::{self, Outline};
/// use std::sync::Arc;
///
/// let grammar = read::read("<e> ::= '(' <e> ')' | [0-9]", None, "nested")?;
/// let outline = tree::hide(Outline::of(&Parser::new(Arc::new(grammar))?, b"(7)", 0).unwrap());
/// let shown: Vec<&[u8]> = (0..outline.len())
///     .filter(|&id| !outline.is_hidden(id))
///     .map(|id| outline.text_of(id))
///     .collect();
/// assert_eq!(shown[..2], [b"(7)".as_slice(), b"7"]);
/// assert!(!shown.contains(&b"(".as_slice()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hide(mut outline: Outline) -> Outline {
    for id in 0..outline.len() {
        if is_smallest(&outline, id) {
            outline.hidden.insert(id);
        }
    }
    outline
}

fn is_smallest(outline: &Outline, id: NodeId) -> bool {
    outline.text_of(id) == &**outline.phrase(id)
}
