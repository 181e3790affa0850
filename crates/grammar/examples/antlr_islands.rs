//! Damages the examples of ANTLR grammars, and parses them with islands.
//!
//! ```text
//! cargo run --release -p nubbin-grammar --example antlr_islands -- FOLDER [NAME…]
//! ```
//!
//! FOLDER has the form that the example `antlr` describes. Each example is damaged in five ways.
//! For each way, the table has the number of texts that no longer fit, the share of their bytes
//! outside islands, the largest share of one text, and the time compared with a parse of the
//! undamaged texts.

#![expect(clippy::print_stdout, reason = "a program that prints a table")]

use nubbin_grammar::grammar::Grammar;
use nubbin_grammar::lex::{Lexer, Token};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::{antlr, start_symbol};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// A way to damage a text, given its tokens without hidden ones.
type Damage = fn(&[u8], &[Token]) -> Vec<u8>;

const DAMAGES: [(&str, Damage); 5] = [
    ("without the token in the middle", |text, tokens| {
        without(text, tokens, tokens.len() / 2)
    }),
    ("without the last closing bracket", |text, tokens| {
        let is_close = |token: &Token| matches!(text[token.start as usize], b')' | b']' | b'}');
        match tokens.iter().rposition(is_close) {
            Some(at) => without(text, tokens, at),
            None => text.to_vec(),
        }
    }),
    ("with a bracket in the middle", |text, tokens| {
        let at = tokens
            .get(tokens.len() / 2)
            .map_or(0, |token| token.start as usize);
        [&text[..at], b" ( ", &text[at..]].concat()
    }),
    ("without the second half", |text, tokens| {
        let at = tokens
            .get(tokens.len() / 2)
            .map_or(0, |token| token.start as usize);
        text[..at].to_vec()
    }),
    ("with garbage at the end", |text, _| {
        [text, b" ) \xff ] ; } $ ".as_slice()].concat()
    }),
];

#[derive(Default)]
struct Sums {
    texts: usize,
    bytes: usize,
    outside: usize,
    most: f64,
    seconds: f64,
    before: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let root = PathBuf::from(args.first().ok_or("which folder?")?);
    let only = &args[1..];
    let mut sums: [Sums; DAMAGES.len()] = Default::default();
    for line in fs::read_to_string(root.join("INDEX.tsv"))?.lines().skip(1) {
        let mut fields = line.split('\t');
        let (Some(folder), Some(name), Some(start)) = (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        if !only.is_empty() && !only.iter().any(|only| only == folder) {
            continue;
        }
        let grammar = Arc::new(load(&root.join(folder), name, start)?);
        let lexer = Lexer::of(&grammar).ok_or("a grammar without a lexer")?;
        let parser = Parser::new(grammar)?;
        for entry in fs::read_dir(root.join(folder).join("examples"))? {
            let path = entry?.path();
            let text = fs::read(&path)?;
            let began = Instant::now();
            if parser.parse(&text).is_err() {
                continue;
            }
            let before = began.elapsed().as_secs_f64();
            let mut tokens = lexer.tokens(&text).unwrap_or_default();
            tokens.retain(|token| !token.hidden);
            for ((name, damage), sums) in DAMAGES.iter().zip(&mut sums) {
                let text = damage(&text, &tokens);
                if parser.accepts(&text)? {
                    continue;
                }
                let began = Instant::now();
                let tree = parser.parse_islands(&text)?;
                let took = began.elapsed().as_secs_f64();
                let outside = tree.outside_rules();
                let share = outside as f64 / text.len().max(1) as f64;
                if tree.print() != text || share > 0.5 && text.len() > 200 || took > 1.0 {
                    let (path, percent) = (path.display(), 100.0 * share);
                    println!("{path} {name}: {percent:.0} % outside, {took:.2} s");
                }
                sums.texts += 1;
                sums.bytes += text.len();
                sums.outside += outside;
                sums.most = sums.most.max(if text.len() > 200 { share } else { 0.0 });
                sums.seconds += took;
                sums.before += before;
            }
        }
    }
    for ((name, _), sums) in DAMAGES.iter().zip(&sums) {
        let share = 100.0 * sums.outside as f64 / sums.bytes.max(1) as f64;
        println!(
            "{name}: {} texts, {} bytes, {share:.2} % outside, {:.0} % at most, {:.2} s, {:.2} s before",
            sums.texts,
            sums.bytes,
            100.0 * sums.most,
            sums.seconds,
            sums.before
        );
    }
    Ok(())
}

fn without(text: &[u8], tokens: &[Token], at: usize) -> Vec<u8> {
    match tokens.get(at) {
        Some(token) => [&text[..token.start as usize], &text[token.end as usize..]].concat(),
        None => text.to_vec(),
    }
}

fn load(folder: &Path, name: &str, start: &str) -> Result<Grammar, Box<dyn Error>> {
    let file = |name: &str| {
        let bytes = fs::read(folder.join(format!("{name}.g4"))).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let parser = format!("{name}Parser");
    let main = if file(&parser).is_some() {
        &parser
    } else {
        name
    };
    let text = file(main).ok_or("no such grammar")?;
    let read = antlr::read(&text, main, &mut |name| file(name))?;
    let start = start_symbol(&read.grammar, start)?;
    Ok(read.grammar.with_start(start))
}
