use super::{NodeId, Outline};

/// Marks the nodes that are their own [smallest text](Outline::phrase), so that lists leave them
/// out.
///
/// The parentheses of an expression would be replaced by parentheses. Removing them changes
/// nothing, and a list without them is shorter. Where verdicts are remembered by content, trying
/// one of them by itself costs no test. The tests that are saved then are those with which a list
/// minimizer splits a longer list.
///
/// It takes one pass over the nodes, with one comparison of texts each.
///
/// Source: Hodován, Kiss, Gyimóthy: Tree Preprocessing and Test Outcome Caching for Efficient
/// Hierarchical Delta Debugging, AST 2017 (*hideUnremovableTokens*, algorithm 3 of Hodován's
/// thesis). Changed: every node is considered, not only tokens; hiding a node does not hide the
/// nodes below it.
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
