//! The creators of the tree fuzzer: what each makes of small texts, and that it fits the grammar.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_generate::{Choices, Creator, Generator, LimitFuzzer, TreeFuzzer};
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::read::{self, antlr};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Calls, lists with and without separators, and words.
const CALLS: &str = "grammar G; file: stat* EOF; stat: expr ';'; expr: NAME args? | NUMBER;
    args: '(' (expr (',' expr)*)? ')'; NAME: [a-z]+; NUMBER: [0-9]+; WS: [ \\n]+ -> skip;
    NOTE: '#' ~'\\n'* '\\n' -> channel(HIDDEN);";

/// The same list in a notation with separators.
const LISTS: &str = "<list> ::= '[' (<item> (',' <item>)*)? ']'\n<item> ::= [0-9] | <list>\n";

/// Two digits and at most one more.
const PAIRS: &str = "pair = 2 * digit, [digit], ';' ;\ndigit = '1' | '2' | '3' | '4' | '5' ;";

fn fuzzer(grammar: Grammar, creators: &[Creator], seeds: &[&str]) -> TreeFuzzer {
    let generator = Generator::new(Arc::new(grammar), LimitFuzzer { max_depth: 3 }.into());
    let fuzzer = TreeFuzzer::new(generator.unwrap()).unwrap();
    let mut fuzzer = fuzzer.creators(creators.to_vec());
    for seed in seeds {
        fuzzer.add(seed.as_bytes()).unwrap();
    }
    fuzzer
}

fn grammar(text: &str) -> Grammar {
    match text.starts_with("grammar") {
        true => antlr::read(text, "G", &mut |_| None).unwrap().grammar,
        false => read::read(text, None, "G").unwrap(),
    }
}

/// Returns all mutants of the first seed that many draws make.
fn mutants(grammar_text: &str, creator: Creator, seeds: &[&str]) -> Vec<String> {
    let fuzzer = fuzzer(grammar(grammar_text), &[creator], seeds);
    let mut choices = Choices::seeded(1);
    let mut all = BTreeSet::new();
    for _ in 0..2000 {
        choices.forget();
        let made = fuzzer.mutant_of(0, &mut choices);
        assert_eq!(made.is_none(), choices.is_rejected());
        all.extend(made.map(|made| String::from_utf8(made).unwrap()));
    }
    all.into_iter().collect()
}

#[test]
fn each_creator_makes_all_that_it_can_and_nothing_else() {
    use Creator::*;
    let cases: &[(&str, Creator, &[&str], &[&str])] = &[
        // What replaces a part stands after the same hidden text.
        (CALLS, DeleteQuantified, &["a;\n b;"], &["\n b;", "a;"]),
        (
            CALLS,
            DeleteQuantified,
            &["f( 1, 2);"],
            &["", "f( 1);", "f();", "f;"],
        ),
        (LISTS, DeleteQuantified, &["[]"], &[]),
        (PAIRS, DeleteQuantified, &["12;"], &[]),
        (PAIRS, DeleteQuantified, &["123;"], &["12;"]),
        (
            CALLS,
            ReplicateQuantified,
            &["a; b;"],
            &[" b;a; b;", "a; b; b;", "a; b;a;", "a;a; b;"],
        ),
        (LISTS, ReplicateQuantified, &["[1,2]"], &["[1,2,2]"]),
        (PAIRS, ReplicateQuantified, &["123;"], &[]),
        (
            CALLS,
            ShuffleQuantifieds,
            &["a; b; c;"],
            &["a; c; b;", "b; a; c;", "b; c; a;", "c; a; b;", "c; b; a;"],
        ),
        (LISTS, ShuffleQuantifieds, &["[1,2]"], &[]),
        (PAIRS, ShuffleQuantifieds, &["12;"], &["21;"]),
        (
            CALLS,
            HoistRule,
            &["f(g(1), 2);"],
            &["2;", "f(1);", "f(1, 2);", "g(1);"],
        ),
        (LISTS, HoistRule, &["[1,[2]]"], &["[1,2]"]),
        (
            CALLS,
            SwapLocalNodes,
            &["f(a, 1);"],
            &["a(f, 1);", "f(1, a);"],
        ),
        (LISTS, SwapLocalNodes, &["[1,1]"], &[]),
        (
            CALLS,
            InsertLocalNode,
            &["f(g(1), h());"],
            &[
                "f(g(1), h(1));",
                "f(g(1), h(g(1), h()));",
                "f(g(1, h()), h());",
            ],
        ),
        (CALLS, ReplaceNode, &["a;", "b(1);"], &["1;", "b(1);", "b;"]),
        (
            CALLS,
            InsertQuantified,
            &["a;", "b(1);"],
            &["a(1);", "a;a;", "a;b(1);", "b(1);a;"],
        ),
        (PAIRS, InsertQuantified, &["12;", "345;"], &["125;"]),
        (
            CALLS,
            UnrestrictedDelete,
            &["f(1);"],
            &["", "(1);", ";", "f();", "f;"],
        ),
        (
            CALLS,
            UnrestrictedHoistRule,
            &["f(1);"],
            &["(1)", "(1);", "1", "1;", "f", "f(1)", "f1;", "f;"],
        ),
    ];
    for (grammar, creator, seeds, expected) in cases {
        assert_eq!(
            mutants(grammar, *creator, seeds),
            *expected,
            "{creator} {seeds:?}"
        );
    }
}

#[test]
fn tokens_that_would_be_one_are_kept_apart() {
    let words =
        "grammar G; s: pair* EOF; pair: (NAME | '(' NAME ')'); NAME: [a-z]+; WS: ' ' -> skip;";
    let found = mutants(words, Creator::SwapLocalNodes, &["(a)b(c)"]);
    // Instances of `pair` and of `NAME`.
    assert_eq!(
        found,
        ["(a)(c)b", "(b)a(c)", "(c)b(a)", "(a)c(b)", "b(a)(c)"]
            .into_iter()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
    );
    let found = mutants(words, Creator::DeleteQuantified, &["a(b)c"]);
    assert_eq!(found, ["(b)c", "a c", "a(b)"]);
}

#[test]
fn mutants_of_creators_that_keep_the_grammar_fit_it() {
    let seeds = ["f(1, g(a # b\n), 2); a; b;\nc(d);", "x; y(z, 3);", ""];
    for (text, seeds) in [(CALLS, &seeds[..]), (LISTS, &["[1,[2,3],[]]", "[]"][..])] {
        for creator in Creator::ALL.into_iter().filter(|each| each.keeps_grammar()) {
            let fuzzer = fuzzer(grammar(text), &[creator], seeds);
            let mut choices = Choices::seeded(3);
            for _ in 0..500 {
                choices.forget();
                let Some(made) = fuzzer.mutant(&mut choices) else {
                    continue;
                };
                let shown = String::from_utf8_lossy(&made);
                assert!(
                    fuzzer.parser().accepts(&made).unwrap(),
                    "{creator}: {shown}"
                );
                let mut again = Choices::replay(choices.recorded().to_vec());
                assert_eq!(fuzzer.mutant(&mut again), Some(made));
            }
        }
    }
}

#[test]
fn without_parents_texts_are_generated() {
    let mut choices = Choices::seeded(1);
    let fuzzer = fuzzer(grammar(CALLS), &Creator::ALL, &[]);
    let made = fuzzer.mutant(&mut choices).unwrap();
    assert!(fuzzer.parser().accepts(&made).unwrap());
    let fuzzer = fuzzer.creators(vec![Creator::HoistRule]);
    assert_eq!(fuzzer.mutant(&mut choices), None);
    assert!(choices.is_rejected());
}

#[test]
fn creators_have_the_names_of_grammarinator() {
    for creator in Creator::ALL {
        assert_eq!(creator.name().parse(), Ok(creator));
        assert_eq!(creator.name().replace('-', "_").parse(), Ok(creator));
    }
    let unknown = "delete".parse::<Creator>().unwrap_err();
    assert_eq!(unknown.to_string(), "unknown creator `delete`");
}
