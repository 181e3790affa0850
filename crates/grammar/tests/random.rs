//! Properties over random grammars, and an independent parser to compare with.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_grammar::check::check;
use nubbin_grammar::grammar::{Builder, ExprId, Grammar, SymbolId};
use nubbin_grammar::parse::{ParseError, Parser};
use nubbin_grammar::read::{Format, read};
use nubbin_grammar::tree::{NodeKind, Tree};
use nubbin_grammar::write::write;
use proptest::prelude::*;
use std::sync::Arc;

/// The body of a rule, before there is a builder.
#[derive(Clone, Debug)]
enum Body {
    Text(&'static str),
    Class,
    Rule(usize),
    Sequence(Vec<Body>),
    Choice(Vec<Body>),
    Optional(Box<Body>),
    Repeat(Box<Body>, u32, Option<u32>, bool),
}

fn body() -> impl Strategy<Value = Body> {
    let leaf = prop_oneof![
        prop::sample::select(vec!["a", "b", "ab", "ba", ""]).prop_map(Body::Text),
        Just(Body::Class),
        (0..4usize).prop_map(Body::Rule),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Body::Sequence),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Body::Choice),
            inner.clone().prop_map(|body| Body::Optional(body.into())),
            (inner, 0..3u32, prop::option::of(0..3u32), any::<bool>()).prop_map(
                |(body, min, more, comma)| {
                    Body::Repeat(body.into(), min, more.map(|more| min + more), comma)
                }
            ),
        ]
    })
}

fn rules() -> impl Strategy<Value = Vec<Body>> {
    prop::collection::vec(body(), 4)
}

fn expr(builder: &mut Builder, rules: &[SymbolId], body: &Body) -> ExprId {
    match body {
        Body::Text(text) => builder.literal(text.as_bytes()),
        Body::Class => builder.class(b"bc".iter().copied().collect()),
        Body::Rule(i) => builder.symbol(rules[*i]),
        Body::Sequence(parts) => {
            let parts = parts
                .iter()
                .map(|part| expr(builder, rules, part))
                .collect();
            builder.sequence(parts)
        }
        Body::Choice(parts) => {
            let parts = parts
                .iter()
                .map(|part| expr(builder, rules, part))
                .collect();
            builder.choice(parts)
        }
        Body::Optional(body) => {
            let body = expr(builder, rules, body);
            builder.optional(body)
        }
        Body::Repeat(body, min, max, comma) => {
            let body = expr(builder, rules, body);
            let separator = comma.then(|| builder.literal(b","));
            builder.repeat(body, *min, *max, separator)
        }
    }
}

fn grammar(bodies: &[Body]) -> Grammar {
    let mut builder = Builder::new("random");
    let rules: Vec<SymbolId> = (0..bodies.len())
        .map(|i| builder.rule(&format!("r{i}")))
        .collect();
    for (rule, body) in rules.iter().zip(bodies) {
        let body = expr(&mut builder, &rules, body);
        builder.define(*rule, body);
    }
    builder.finish(rules[0]).unwrap()
}

/// Asserts the invariants of every tree of the parser.
fn assert_sound(tree: &Tree, text: &[u8]) {
    assert_eq!(tree.print(), text);
    let grammar = tree.grammar();
    let mut at = 0;
    for (id, node) in tree.nodes() {
        if node.is_leaf() {
            assert_eq!(node.span().start, at, "leaves tile the text");
            at = node.span().end;
        }
        for child in tree.children(id) {
            assert_eq!(tree.parent(child), Some(id));
            assert!(node.span().start <= tree.node(child).span().start);
            assert!(tree.node(child).span().end <= node.span().end);
        }
        if node.kind == NodeKind::Rule {
            let children = tree.child_symbols(id);
            assert!(grammar.automata().accepts(node.symbol, &children));
        }
    }
    assert_eq!(at, text.len());
}

fn texts() -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut from = 0;
    while texts.len() < 400 {
        let before = texts[from].clone();
        texts.extend(["a", "b", "c", ","].map(|c| format!("{before}{c}")));
        from += 1;
    }
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Every text prints as itself, and every node has children that its rule allows. The parser
    /// with shortcuts and the parser that keeps all ways agree on the first tree, if no rules
    /// derive each other alone.
    #[test]
    fn trees_are_sound(bodies in rules()) {
        let grammar = Arc::new(grammar(&bodies));
        let Ok(parser) = Parser::new(grammar.clone()) else { return Ok(()) };
        let circular = check(&grammar).iter().any(|finding| finding.kind == "circular");
        for text in texts() {
            let text = text.as_bytes();
            match parser.parse(text) {
                Ok(tree) => {
                    assert_sound(&tree, text);
                    let all = parser.parse_all(text, 5).unwrap();
                    for tree in &all {
                        assert_sound(tree, text);
                    }
                    let same = tree.nodes().map(|n| *n.1).eq(all[0].nodes().map(|n| *n.1));
                    prop_assert!(same || circular, "first tree of {:?}", text);
                }
                Err(ParseError::Syntax(error)) => {
                    prop_assert!(error.offset <= text.len());
                    prop_assert!(parser.parse_all(text, 1).is_err());
                    assert_sound(&parser.parse_islands(text).unwrap(), text);
                }
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }

    /// The shortest text fits the grammar, and no shorter text fits.
    #[test]
    fn the_shortest_text_is_the_shortest(bodies in rules()) {
        let grammar = Arc::new(grammar(&bodies));
        let Ok(parser) = Parser::new(grammar.clone()) else { return Ok(()) };
        let least = grammar.facts().min_yield(&grammar, grammar.start(), 1000);
        let Some(least) = least else { return Ok(()) };
        prop_assert_eq!(Some(least.len() as u64), grammar.facts().min_length(grammar.start()));
        prop_assert!(parser.accepts(&least).unwrap(), "{:?}", least);
        for text in texts().iter().filter(|text| text.len() < least.len()) {
            prop_assert!(!parser.accepts(text.as_bytes()).unwrap(), "{:?}", text);
        }
    }

    /// A grammar written in any notation is the same language.
    #[test]
    fn all_notations_describe_the_same_language(bodies in rules()) {
        let grammar = Arc::new(grammar(&bodies));
        let Ok(parser) = Parser::new(grammar.clone()) else { return Ok(()) };
        for format in Format::WRITTEN {
            let written = write(&grammar, format).unwrap();
            let again = read(&written, Some(format), "again").unwrap();
            let again = Parser::new(Arc::new(again)).unwrap();
            for text in texts().iter().take(100) {
                let text = text.as_bytes();
                prop_assert_eq!(
                    parser.accepts(text).unwrap(),
                    again.accepts(text).unwrap(),
                    "{:?} {}", text, written
                );
            }
        }
    }

    /// The nearest children are accepted, and no accepted children are nearer.
    #[test]
    fn the_nearest_children_are_the_nearest(
        bodies in rules(),
        wanted in prop::collection::vec(0..8usize, 0..7),
    ) {
        let grammar = grammar(&bodies);
        let automata = grammar.automata();
        let symbols: Vec<SymbolId> = grammar.symbol_ids().collect();
        let children: Vec<SymbolId> = wanted.iter().map(|i| symbols[i % symbols.len()]).collect();
        for (rule, _) in grammar.rules() {
            let subsets = 0..1u32 << children.len();
            let kept = |mask: u32| -> Vec<SymbolId> {
                let chosen = (0..children.len()).filter(|i| mask & (1 << i) != 0);
                chosen.map(|i| children[i]).collect()
            };
            let best = subsets
                .filter(|&mask| automata.accepts(rule, &kept(mask)))
                .map(u32::count_ones)
                .max();
            let found = automata.nearest(rule, &children, &vec![1; children.len()]);
            let size = found.as_ref().map(|marks| marks.iter().filter(|m| **m).count() as u32);
            prop_assert_eq!(size, best);
            if let Some(marks) = found {
                let kept: Vec<SymbolId> = children
                    .iter()
                    .zip(&marks)
                    .filter_map(|(child, kept)| kept.then_some(*child))
                    .collect();
                prop_assert!(automata.accepts(rule, &kept));
            }
        }
    }
}

/// Rules without quantifiers and without empty alternatives, as the other parser supports them.
fn plain_rules() -> impl Strategy<Value = Vec<Vec<Vec<usize>>>> {
    // 0 to 2: rules; 3 and 4: terminals.
    let sequence = prop::collection::vec(0..5usize, 1..4);
    prop::collection::vec(prop::collection::vec(sequence, 1..4), 3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// The same texts are accepted by the `bnf` crate.
    #[test]
    fn another_parser_accepts_the_same(rules in plain_rules()) {
        let words = ["<r0>", "<r1>", "<r2>", "\"a\"", "\"b\""];
        let mut text = String::new();
        for (i, alternatives) in rules.iter().enumerate() {
            let alternatives: Vec<String> = alternatives
                .iter()
                .map(|sequence| {
                    let words: Vec<&str> = sequence.iter().map(|&i| words[i]).collect();
                    words.join(" ")
                })
                .collect();
            text.push_str(&format!("<r{i}> ::= {}\n", alternatives.join(" | ")));
        }
        let grammar = read(&text, None, "ours").unwrap();
        // The other parser does not terminate on cycles.
        let odd = ["circular", "unproductive"];
        prop_assume!(!check(&grammar).iter().any(|finding| odd.contains(&finding.kind)));
        let ours = Parser::new(Arc::new(grammar)).unwrap();
        let theirs: bnf::Grammar = text.parse().unwrap();
        let theirs = theirs.build_parser().unwrap();
        let mut texts: Vec<String> = vec![];
        for n in 1..5u32 {
            for bits in 0..1u32 << n {
                texts.push((0..n).map(|i| if bits & (1 << i) == 0 { 'a' } else { 'b' }).collect());
            }
        }
        for input in texts {
            let accepted = theirs.parse_input(&input).next().is_some();
            let here = ours.accepts(input.as_bytes()).unwrap();
            prop_assert_eq!(here, accepted, "{:?} in {}", input, text);
        }
    }
}
