use super::rebuild::Rebuild;
use super::{Name, NodeId, Outline};
use nubbin_grammar::tree::NodeKind;

/// Merges a chain of nodes that have the same text and the same [smallest text](Outline::phrase)
/// into one node.
///
/// An `<expr>` that is a `<term>` that is a `<factor>` is three nodes, and replacing any of them
/// gives the same candidate. The innermost one is kept and gets the [names](Outline::names) of the
/// others, so that [`Outline::fits`] still gives the same answers. Only rules are squeezed into the
/// node below them. Optional parts, repetitions, and iterations are kept, since those are the nodes
/// that may be removed.
///
/// This saves the tests of the dropped nodes where verdicts are not remembered by content, and
/// levels of the tree in any case. This takes one pass over the nodes.
///
/// Source: Hodován, Kiss, Gyimóthy: Tree Preprocessing and Test Outcome Caching for Efficient
/// Hierarchical Delta Debugging, AST 2017 (*squeezeTree*, algorithm 2 of Hodován's thesis).
/// Changed: without recursion, and the names are kept.
///
/// ```
/// use nubbin_grammar::{parse::Parser, read};
/// use nubbin_reduce::tree::{self, Outline, ROOT};
/// use std::sync::Arc;
///
/// let text = "<expr> ::= <term> | <expr> '+' <term>\n<term> ::= [0-9] | '(' <expr> ')'";
/// let grammar = Arc::new(read::read(text, None, "sums")?);
/// let outline = Outline::of(&Parser::new(grammar.clone())?, b"7", 0).unwrap();
/// let squeezed = tree::squeeze(outline);
/// // The expression is a term, whose smallest text is a digit; so is the digit itself.
/// assert_eq!(squeezed.len(), 1);
/// let names: Vec<_> = squeezed.names(ROOT).map(|name| &*grammar.symbol(name.symbol).name).collect();
/// assert_eq!(names[..2], ["expr", "term"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn squeeze(outline: Outline) -> Outline {
    let mut new = Rebuild::new(outline);
    let mut ends: Vec<NodeId> = vec![];
    let mut names: Vec<Name> = vec![];
    for id in 0..new.from().len() {
        while ends.last().is_some_and(|&end| end <= id) {
            ends.pop();
            new.close();
        }
        if is_same_as_child(new.from(), id) {
            names.extend(new.from().names(id));
            continue;
        }
        names.extend(new.from().chains.of(id));
        new.open(id, &names);
        names.clear();
        ends.push(new.from().node(id).end);
    }
    new.finish()
}

/// Returns whether the node is a rule with one child that has the same text and the same smallest
/// text.
fn is_same_as_child(outline: &Outline, id: NodeId) -> bool {
    let node = outline.node(id);
    let child = id + 1;
    node.kind == NodeKind::Rule
        && child < node.end
        && outline.node(child).end == node.end
        && !matches!(outline.node(child).kind, NodeKind::Gap | NodeKind::Error)
        && outline.phrases.same(id, child)
}

#[cfg(test)]
mod tests {
    use super::super::outline::tests::outline;
    use super::super::{ROOT, empty};
    use super::*;

    /// Returns the names of each node, without terminals, the outermost first.
    fn names(outline: &Outline) -> Vec<Vec<String>> {
        let named = |id: NodeId| {
            let names = outline.names(id).map(|name| name.symbol);
            let names = names.filter(|&symbol| outline.grammar().body(symbol).is_some());
            names
                .map(|symbol| outline.grammar().symbol(symbol).name.to_string())
                .collect()
        };
        (0..outline.len()).map(named).collect()
    }

    #[test]
    fn a_chain_ends_where_the_smallest_text_differs() {
        let grammar =
            "<a> ::= <b>\n<b> ::= <c> | ''\n<c> ::= <d> | 'cc'\n<d> ::= [0-9] | <d> <d>\n";
        let squeezed = squeeze(outline(grammar, "7"));
        // The empty text is valid for `b`. `c` needs at least a digit.
        assert_eq!(names(&squeezed), [vec!["a", "b"], vec!["c", "d"]]);
        assert_eq!(
            [&**squeezed.phrase(ROOT), squeezed.phrase(1)],
            [&b""[..], b"0"]
        );
    }

    #[test]
    fn a_squeezed_node_fits_the_same_symbols() {
        let grammar =
            "<s> ::= '[' <a> ']'\n<a> ::= <b> | 'xx'\n<b> ::= <c> | 'yy'\n<c> ::= 'z' | 'zz'\n";
        let plain = outline(grammar, "[zz]");
        let squeezed = squeeze(plain.clone());
        assert!(squeezed.len() < plain.len());
        let symbol = |name: &str| plain.grammar().rule(name).unwrap();
        let middle = squeezed.children(ROOT).nth(1).unwrap();
        for name in ["a", "b", "c"] {
            assert!(squeezed.fits(middle, symbol(name)), "{name}");
        }
        assert!(!squeezed.fits(middle, symbol("s")));
    }

    #[test]
    fn repetitions_in_a_chain_are_kept() {
        let squeezed = squeeze(empty(outline(
            "<l> ::= <i>*\n<i> ::= <d>+\n<d> ::= [0-9]\n",
            "7",
        )));
        let kinds: Vec<NodeKind> = squeezed.nodes().iter().map(|node| node.kind).collect();
        use NodeKind::{Iteration, Repeat, Token};
        assert_eq!(kinds, [Repeat, Iteration, Repeat, Iteration, Token]);
    }

    #[test]
    fn squeezing_twice_changes_nothing_more() {
        let grammar = "<a> ::= <b>\n<b> ::= <c> '!'?\n<c> ::= <d>\n<d> ::= [0-9]\n";
        let once = squeeze(empty(outline(grammar, "7")));
        assert_eq!(names(&once), names(&squeeze(once.clone())));
        assert_eq!(names(&once)[0], ["a", "b", "c", "d"]);
    }
}
