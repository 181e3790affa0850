//! Tests and bytes left for every tree reducer, on generated texts: once, and again and again
//! until nothing changes.
//!
//! `cargo run --release -p nubbin-published --example tree_reducers`, with tree reducers as
//! arguments to look at only some.
#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_generate::{Choices, Generator, SizeTarget};
use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read;
use nubbin_reduce::tree_reducer::{TreeReducer, trace_with};
use nubbin_reduce::work::Lists;
use std::error::Error;
use std::sync::Arc;

const EXPRESSIONS: &str = r#"{
    "<start>": ["<expr>"],
    "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
    "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
    "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
    "<integer>": ["<digit><integer>", "<digit>"],
    "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
}"#;

const STATEMENTS: &str = "\
<program> ::= <stmt>*
<stmt> ::= <block> | <if> | <call> ';' | <name> '=' <expr> ';'
<block> ::= '{' <stmt>* '}'
<if> ::= 'if' '(' <expr> ')' <stmt> ('else' <stmt>)?
<call> ::= <name> '(' (<expr> (',' <expr>)*)? ')'
<expr> ::= <expr> '+' <product> | <product>
<product> ::= <product> '*' <atom> | <atom>
<atom> ::= <call> | '(' <expr> ')' | [0-9]+ | <name>
<name> ::= [a-z] [a-z]?
";

const JSON: &str = "\
<value> ::= <object> | <array> | <string> | <number> | 'true' | 'null'
<object> ::= '{' (<member> (',' <member>)*)? '}'
<member> ::= <string> ':' <value>
<array> ::= '[' (<value> (',' <value>)*)? ']'
<string> ::= '\"' [a-z]* '\"'
<number> ::= '-'? [0-9]+
";

/// Texts of a grammar, and two pieces of each that must stay, in this order.
struct Group {
    name: &'static str,
    parser: Parser,
    cases: Vec<(Vec<u8>, [Vec<u8>; 2])>,
}

const TEXTS: usize = 8;

fn group(name: &'static str, grammar: &str, bytes: u64) -> Result<Group, Box<dyn Error>> {
    let grammar: Arc<Grammar> = Arc::new(read::read(grammar, None, name)?);
    let generator = Generator::new(Arc::clone(&grammar), SizeTarget { bytes }.into())?;
    let mut cases = vec![];
    let mut seed = 0;
    while cases.len() < TEXTS {
        seed += 1;
        let text = generator.generate(&mut Choices::seeded(seed));
        if text.len() < bytes as usize / 2 {
            continue;
        }
        // Two bytes from somewhere in the first half, two from the second.
        let pick = |part: usize| {
            let at = text.len() * part / 2 + (seed as usize * 7919) % (text.len() / 2 - 2);
            text[at..at + 2].to_vec()
        };
        let pieces = [pick(0), pick(1)];
        cases.push((text, pieces));
    }
    Ok(Group {
        name,
        parser: Parser::new(grammar)?,
        cases,
    })
}

fn fails(text: &[u8], pieces: &[Vec<u8>; 2]) -> bool {
    let find = |text: &[u8], piece: &[u8]| text.windows(2).position(|two| two == piece);
    find(text, &pieces[0]).is_some_and(|at| find(&text[at + 2..], &pieces[1]).is_some())
}

/// Tests, bytes left and tests that did not parse, over all texts of a group.
fn run(walk: &dyn TreeReducer, group: &Group, again: bool) -> (usize, usize, usize) {
    let (mut tests, mut left, mut misfits) = (0, 0, 0);
    for (text, pieces) in &group.cases {
        let mut text = text.clone();
        loop {
            let fits = |text: &[u8]| group.parser.parse(text).is_ok();
            let trace = trace_with(walk, &group.parser, &text, &Lists::default(), |text| {
                fits(text) && fails(text, pieces)
            });
            tests += trace.tests.len();
            let passing = trace.tests.iter().filter(|(_, fails)| !fails);
            misfits += passing.filter(|(text, _)| !fits(text.as_bytes())).count();
            let done = trace.result.as_bytes() == text;
            text = trace.result.into_bytes();
            if done || !again {
                break;
            }
        }
        left += text.len();
    }
    (tests, left, misfits)
}

fn main() -> Result<(), Box<dyn Error>> {
    let groups = [
        group("expressions", EXPRESSIONS, 400)?,
        group("statements", STATEMENTS, 600)?,
        group("json", JSON, 800)?,
    ];
    print!("| walk |");
    for group in &groups {
        let size: usize = group.cases.iter().map(|(text, _)| text.len()).sum();
        print!(" {} ({size}) once | until nothing changes |", group.name);
    }
    println!("\n|---|{}", "---|".repeat(2 * groups.len()));
    let only: Vec<String> = std::env::args().skip(1).collect();
    for walk in nubbin_published::catalogue().tree_reducers() {
        if !only.is_empty() && !only.iter().any(|id| id == walk.id()) {
            continue;
        }
        print!("| `{}` |", walk.id());
        for group in &groups {
            for again in [false, true] {
                let (tests, left, misfits) = run(&**walk, group, again);
                print!(" {tests} → {left}");
                if misfits > 0 {
                    print!(" ({misfits} do not parse)");
                }
                print!(" |");
            }
        }
        println!();
    }
    Ok(())
}
