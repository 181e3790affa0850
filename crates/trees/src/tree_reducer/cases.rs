//! Grammars, texts, and tests on which tree reducers are tried.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use crate::tree::{Outline, Preparation};
use crate::tree_reducer::*;
use nubbin_edit::{Applied, Input};
use nubbin_engine::order::Order;
use nubbin_engine::work::Lists;
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read;
use std::sync::Arc;

/// The grammar of expressions in *The Fuzzing Book*.
pub const EXPRESSIONS: &str = r#"{
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
}"#;

/// Returns the verdict of the book's mystery test: whether the text has an opening bracket, and a
/// closing bracket somewhere after it.
pub fn mystery(text: &str) -> bool {
    let open = text.find('(');
    open.is_some_and(|open| text.find(')').is_some_and(|close| open < close))
}

/// Parses a grammar.
///
/// # Panics
/// It is not well formed.
pub fn grammar(text: &str) -> Arc<Grammar> {
    Arc::new(read::read(text, None, "test").unwrap())
}

/// Creates a parser of a grammar.
///
/// # Panics
/// The grammar is not well formed.
pub fn parser(text: &str) -> Parser {
    Parser::new(grammar(text)).unwrap()
}

/// A grammar that uses every kind of expression of grammars.
pub const STATEMENTS: &str = "\
<program> ::= <stmt>*
<stmt> ::= <block> | <if> | <call> ';' | 'x' '=' <expr> ';'
<block> ::= '{' <stmt>* '}'
<if> ::= 'if' '(' <expr> ')' <stmt> ('else' <stmt>)?
<call> ::= <name> '(' (<expr> (',' <expr>)*)? ')'
<expr> ::= <expr> '+' <product> | <product>
<product> ::= <product> '*' <atom> | <atom>
<atom> ::= <call> | '(' <expr> ')' | [0-9]+ | <name>
<name> ::= [a-z]+
";

/// Grammars and texts of every shape, to test the properties of every tree reducer.
pub const TEXTS: &[(&str, &[&str])] = &[
    (
        EXPRESSIONS,
        &[
            "1 + (2 * 3)",
            "1 + ((2 * 3 / 4))",
            "+-12.5 * ((7) - 8 / (2 + 3 * -4)) - (((9)))",
        ],
    ),
    (
        STATEMENTS,
        &[
            "x=1;",
            "{x=f(1,(2+3)*4);if(a)f();else{x=2;{}}}g(f(),h(1));",
            "if(1)if(2)x=3;else{f(a+b*c,d);}x=((1));",
        ],
    ),
    (
        "<s> ::= <a>+ (';' <a>+)* <tail>?\n<a> ::= 'a' | '[' <s> ']' | '<' <a> '>'\n<tail> ::= '!' <tail> | '.' <a>?\n",
        &["aa;<a>[a;a.];a!!.a", "[[[<a>]]]!!.", "a"],
    ),
    (
        "<n> ::= <float> | <int> | 'NaN'\n<float> ::= <ds> '.' <ds>\n<int> ::= <ds>\n<ds> ::= [0-9]+\n",
        &["100.99", "7"],
    ),
    (
        "<s> ::= <e>\n<e> ::= '' | 'a' <e> 'b' | <e> 'c'\n",
        &["aaccbcbc", ""],
    ),
    (
        "<l> ::= '(' <i> <i>+ ')'\n<i> ::= 'x' | <l>\n",
        &["(xx(xxx)x(x(xx)))"],
    ),
];

/// Returns all candidates that a tree reducer proposes if verdicts are drawn randomly from a seed,
/// each after the base from which it was created. The function checks the properties that every
/// machine must have.
pub fn asked_at_random(
    reducer: &dyn TreeReducer,
    parser: &Parser,
    text: &str,
    one_in: u64,
    seed: u64,
) -> Vec<[String; 2]> {
    let lists = Lists::default();
    let outline = Outline::of(parser, text.as_bytes(), 0).unwrap_or_else(|| panic!("{text}"));
    // The text is tested without and with preparation.
    let outline = match seed % 2 {
        0 => outline,
        _ => Preparation::default().apply(outline),
    };
    let Some(work) = reducer.open(&Arc::new(outline), &lists) else {
        return vec![];
    };
    let mut machine = work.start(&lists);
    let mut input = Input::single("test", text).unwrap();
    let mut applied = Applied::default();
    let mut asked = vec![];
    let mut steps = 0u64;
    while let Some(edit) = machine.next() {
        steps += 1;
        assert!(steps < 100_000, "{} does not end", reducer.id());
        assert_eq!(machine.next().as_ref(), Some(&edit), "next is idempotent");
        if steps.is_multiple_of(17) {
            let mut fork = machine.fork();
            assert_eq!(
                fork.next().as_ref(),
                Some(&edit),
                "a fork makes the same proposal"
            );
            fork.record(true);
            fork.next();
            assert_eq!(
                machine.next().as_ref(),
                Some(&edit),
                "a fork does not advance the original"
            );
        }
        let moved = applied.rebase(&edit);
        assert!(
            moved.is_ok(),
            "{} contradicts itself: {edit:?}",
            reducer.id()
        );
        let moved = moved.unwrap();
        let candidate = input.apply(&moved);
        let text = |input: &Input| String::from_utf8_lossy(input.bytes()).into_owned();
        asked.push([text(&input), text(&candidate)]);
        let smaller = !moved.is_none() && Order::bytes().is_below(&candidate, &input);
        let adopted = smaller && drawn(seed, steps).is_multiple_of(one_in);
        if adopted {
            applied.apply(&edit).unwrap();
            input = candidate;
        }
        machine.record(adopted);
    }
    asked
}

/// Returns a random number for a step, drawn from a seed.
pub fn drawn(seed: u64, step: u64) -> u64 {
    let word = (seed << 32 ^ step)
        .wrapping_add(1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (word ^ word >> 29) >> 7
}

/// Checks that every candidate of a tree reducer is in the language of the grammar.
pub fn stays_in_the_grammar(reducer: &dyn TreeReducer) {
    for (grammar, texts) in TEXTS {
        let parser = parser(grammar);
        for text in *texts {
            for (one_in, seed) in [
                (1, 0),
                (1, 1),
                (2, 2),
                (2, 3),
                (5, 4),
                (5, 5),
                (1000, 6),
                (1000, 7),
            ] {
                for [base, asked] in asked_at_random(reducer, &parser, text, one_in, seed) {
                    assert!(
                        parser.parse(asked.as_bytes()).is_ok(),
                        "{} made {asked:?} of {base:?}, which was {text:?}",
                        reducer.id()
                    );
                }
            }
        }
    }
}
