use super::{NodeId, Outline};
use nubbin_engine::work::Remembered;
use nubbin_grammar::tree::NodeKind;

/// Marks the tokens that equal their own [smallest text](Outline::phrase), so that lists leave them
/// out.
///
/// The parentheses of an expression would be replaced with parentheses. Removing them changes
/// nothing, and a list without them is shorter. Where verdicts are remembered by content, trying
/// one of them by itself costs no test. The tests that are saved then are those with which a list
/// minimizer splits a longer list.
///
/// A node of a rule is tried even if it has its smallest text. [`hide_nodes`] also hides such
/// nodes.
///
/// The time is one pass over the nodes, with one comparison of texts for each node.
///
/// Source: Hodován, Kiss, Gyimóthy: Tree Preprocessing and Test Outcome Caching for Efficient
/// Hierarchical Delta Debugging, AST 2017 (*hideUnremovableTokens*, algorithm 3 of Hodován's
/// thesis).
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
pub fn hide(outline: Outline) -> Outline {
    hidden(outline, is_token)
}

/// Marks the nodes that equal their own smallest text, as [`hide`] does for tokens. Hiding a node
/// does not hide the nodes below it.
///
/// This is the step of the default plan. The step is not published.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::{self, Outline, ROOT};
/// use std::sync::Arc;
///
/// let grammar = read::read("<s> ::= <n> ',' <n>\n<n> ::= [0-9]", None, "pair")?;
/// let outline = Outline::of(&Parser::new(Arc::new(grammar))?, b"0,7", 0).unwrap();
/// let shown = |outline: &Outline| {
///     let shown = outline.children(ROOT).filter(|&id| !outline.is_hidden(id));
///     shown.map(|id| outline.text_of(id).to_vec()).collect::<Vec<_>>()
/// };
/// // A digit, which is a rule, can only become a `0`.
/// assert_eq!(shown(&tree::hide(outline.clone())), [b"0", b"7"]);
/// assert_eq!(shown(&tree::hide_nodes(outline)), [b"7"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hide_nodes(outline: Outline) -> Outline {
    hidden(outline, |_, _| true)
}

fn hidden(mut outline: Outline, may_hide: impl Fn(&Outline, NodeId) -> bool) -> Outline {
    for id in 0..outline.len() {
        if may_hide(&outline, id) && is_smallest(&outline, id) {
            outline.hidden.insert(id);
        }
    }
    outline.facts = Remembered::default();
    outline
}

/// Returns whether a node is a token. The separator of a list is a token, which is removed with an
/// iteration.
fn is_token(outline: &Outline, id: NodeId) -> bool {
    use NodeKind::{Gap, Missing, Separator, Token};
    matches!(outline.node(id).kind, Gap | Missing | Separator | Token)
}

fn is_smallest(outline: &Outline, id: NodeId) -> bool {
    outline.text_of(id) == &**outline.phrase(id)
}
