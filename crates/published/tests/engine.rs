//! Tree reducers by themselves and in the engine.

use nubbin_edit::Input;
use nubbin_engine::Reduction;
use nubbin_engine::plan::Plan;
use nubbin_engine::work::Lists;
use nubbin_grammar::parse::Parser;
use nubbin_trees::tree::Outline;
use nubbin_trees::tree_reducer::{self, TreePass};
use nubbin_verdict::Closure;
use std::sync::Arc;

/// For a tree reducer that only removes, the counts of the engine are those of `drive`.
#[test]
fn the_engine_counts_alike() {
    let grammar = "<s> ::= <item>*\n<item> ::= '(' <item>* ')' | [a-z]\n";
    let grammar = nubbin_grammar::read::read(grammar, None, "lists").unwrap();
    let parser = Arc::new(Parser::new(Arc::new(grammar)).unwrap());
    let text = "((ab(aa))(aa(bab)aa)(aaaax)(b))aabb(a(y)(aabaa)(aabaa))bbaa";
    let all = nubbin_published::catalogue();
    let fails = |text: &[u8]| text.contains(&b'x') && text.contains(&b'y');
    for id in [
        "coarse-hdd",
        "coarse-hdd-star",
        "hddr:coarse,star",
        "subtrees",
    ] {
        let reducer = tree_reducer::parse_in(all.tree_reducers(), id).unwrap();
        let choice = nubbin_minimize::parse("ddmin").unwrap();
        let outline = Arc::new(Outline::of(&*parser, text.as_bytes(), 0).unwrap());
        let lists = Lists {
            algorithm: Some(choice.clone()),
            seed: 0,
        };
        let driven = tree_reducer::drive(&*reducer, &outline, &lists, fails);
        let pass = TreePass::new(reducer, parser.clone()).prepared("none".parse().unwrap());
        let plan = Plan::single(Arc::new(pass), choice);
        let oracle = Closure::new(fails);
        let input = Input::single("text", text).unwrap();
        let reduction = Reduction::new(input, &oracle, plan).verify(false);
        let outcome = reduction.count_configurations(true).run().unwrap();
        assert_eq!(outcome.input.bytes(), driven.text, "{id}");
        let counts = outcome.statistics;
        assert_eq!(
            (counts.proposals, counts.configurations, counts.tests - 1),
            (driven.asked, driven.configurations, driven.contents),
            "{id}"
        );
        // Otherwise the comparison would show little.
        assert!(driven.contents < driven.configurations, "{id}: {driven:?}");
    }
}
