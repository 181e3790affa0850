//! Tests with trees from other parsers: hidden rules, other names, and tokens that are not in the
//! grammar.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_grammar::grammar::{Builder, Grammar, SymbolId, Visibility};
use nubbin_grammar::tree::{NodeId, NodeKind, TreeBuilder, TreeError};
use std::sync::Arc;

/// `list ::= "(" _items? ")"`, `_items ::= value "," _items | value`, where `_items` is not shown
/// and values in lists are called `element`.
fn lists() -> Grammar {
    let mut builder = Builder::new("lists");
    let [list, items, value, element] =
        ["list", "_items", "value", "element"].map(|name| builder.rule(name));
    let [open, close, comma, x] = ["(", ")", ",", "x"].map(|text| builder.literal(text.as_bytes()));
    let more = builder.symbol(items);
    let shown = builder.aliased(value, Some(element), None);
    let several = builder.sequence(vec![shown, comma, more]);
    let body = builder.choice(vec![several, shown]);
    builder.define(items, body);
    builder.show(items, Visibility::Hidden);
    let inside = builder.optional(more);
    let body = builder.sequence(vec![open, inside, close]);
    builder.define(list, body);
    builder.define(value, x);
    builder.define(element, x);
    builder.finish(list).unwrap()
}

fn symbols(grammar: &Grammar, names: &str) -> Vec<SymbolId> {
    let find = |name: &str| {
        let mut ids = grammar.symbol_ids();
        ids.find(|&id| &*grammar.symbol(id).name == name).unwrap()
    };
    names.split_whitespace().map(find).collect()
}

#[test]
fn children_of_hidden_rules_take_their_place() {
    let grammar = lists();
    let list = grammar.start();
    for (children, expected) in [
        ("( )", true),
        ("( element )", true),
        ("( element , element , element )", true),
        ("( value )", false),
        ("( element , )", false),
        ("( , element )", false),
        ("( _items )", false),
        ("( element", false),
        ("", false),
    ] {
        let found = grammar
            .automata()
            .accepts(list, &symbols(&grammar, children));
        assert_eq!(found, expected, "{children}");
    }
}

#[test]
fn the_nearest_children_leave_out_those_that_do_not_fit() {
    let grammar = lists();
    let nearest = |children: &str, costs: &[u32]| {
        let children = symbols(&grammar, children);
        let kept = grammar
            .automata()
            .nearest(grammar.start(), &children, costs)?;
        let marks = kept.iter().map(|kept| if *kept { 'x' } else { '.' });
        Some(marks.collect::<String>())
    };
    assert_eq!(
        nearest("( element , , element )", &[1; 6])
            .unwrap()
            .matches('.')
            .count(),
        1
    );
    assert_eq!(nearest("( value element )", &[1; 4]).unwrap(), "x.xx");
    // The second of two elements must stay, so the first is removed.
    let never = u32::MAX;
    assert_eq!(
        nearest("( element element )", &[1, 1, never, 1]).unwrap(),
        "x.xx"
    );
    // A child with a high cost is kept.
    assert_eq!(
        nearest("( element element )", &[1, 1, 9, 1]).unwrap(),
        "x.xx"
    );
    assert_eq!(
        nearest("( element element )", &[1, 9, 1, 1]).unwrap(),
        "xx.x"
    );
    assert_eq!(nearest("( value )", &[1, never, 1]), None);
    assert_eq!(nearest("element )", &[1, 1]), None);
}

#[test]
fn gaps_and_errors_have_their_place_in_a_tree() {
    let grammar = Arc::new(lists());
    let [open, element, close] = symbols(&grammar, "( element )")[..] else {
        panic!("three symbols");
    };
    let x = symbols(&grammar, "x")[0];
    let mut builder = TreeBuilder::new(grammar.clone(), (*b"( x ?\xff)").into());
    builder.open(NodeKind::Rule, grammar.start(), None);
    builder.leaf(NodeKind::Token, open, None, 1);
    builder.leaf(NodeKind::Gap, open, None, 1);
    builder.open(NodeKind::Rule, element, None);
    builder.leaf(NodeKind::Token, x, None, 1);
    builder.close();
    builder.leaf(NodeKind::Gap, open, None, 1);
    builder.open(NodeKind::Error, element, None);
    builder.leaf(NodeKind::Gap, open, None, 2);
    builder.close();
    builder.leaf(NodeKind::Token, close, None, 1);
    builder.close();
    let tree = builder.finish().unwrap();
    assert_eq!(tree.print(), b"( x ?\xff)");
    assert_eq!(tree.children(NodeId::ROOT).count(), 6);
    let found = tree.child_symbols(NodeId::ROOT);
    assert_eq!(found, [open, element, close]);
    let automata = grammar.automata();
    assert!(automata.accepts(tree.rule(NodeId::ROOT), &found));
}

#[test]
fn nodes_that_are_not_a_tree_are_errors() {
    let grammar = Arc::new(lists());
    let start = grammar.start();
    let build = |steps: &dyn Fn(&mut TreeBuilder)| {
        let mut builder = TreeBuilder::new(grammar.clone(), (*b"ab").into());
        steps(&mut builder);
        builder.finish().map(|tree| tree.len())
    };
    let leaf = |builder: &mut TreeBuilder, len| builder.leaf(NodeKind::Token, start, None, len);
    assert_eq!(build(&|b| leaf(b, 2)), Ok(1));
    assert_eq!(build(&|b| leaf(b, 1)), Err(TreeError::NotTiled(1)));
    assert_eq!(build(&|b| leaf(b, 3)), Err(TreeError::NotTiled(2)));
    assert_eq!(build(&|_| {}), Err(TreeError::NotATree));
    assert_eq!(build(&|b| b.close()), Err(TreeError::NotATree));
    assert_eq!(
        build(&|b| b.open(NodeKind::Rule, start, None)),
        Err(TreeError::NotATree)
    );
    let two_roots = |b: &mut TreeBuilder| {
        leaf(b, 1);
        leaf(b, 1);
    };
    assert_eq!(build(&two_roots), Err(TreeError::NotATree));
}
