//! `cargo bench -p nubbin-grammar --bench parse`: measures the time and memory of parsing.
//!
//! The benchmark prints figures and asserts nothing, since a busy machine makes them worse. The
//! ratios to the `bnf` crate are from one run, on a text that the `bnf` crate can still parse.

#![expect(clippy::print_stdout, reason = "the figures are the output")]

use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::read;
use nubbin_grammar::tree::Tree;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const EXPR: &str = r#"
<start> ::= <expr>
<expr> ::= <term> "+" <expr> | <term> "-" <expr> | <term>
<term> ::= <factor> "*" <term> | <factor> "/" <term> | <factor>
<factor> ::= "+" <factor> | "-" <factor> | "(" <expr> ")" | <integer> "." <integer> | <integer>
<integer> ::= <digit> <integer> | <digit>
<digit> ::= "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9"
"#;

const JSON: &str = r#"
<json> ::= <ws> <value> <ws>
<value> ::= <object> | <array> | <string> | <number> | "true" | "false" | "null"
<object> ::= "{" <ws> "}" | "{" <members> "}"
<members> ::= <member> | <member> "," <members>
<member> ::= <ws> <string> <ws> ":" <ws> <value> <ws>
<array> ::= "[" <ws> "]" | "[" <elements> "]"
<elements> ::= <element> | <element> "," <elements>
<element> ::= <ws> <value> <ws>
<string> ::= "'" <chars> "'"
<chars> ::= "" | <char> <chars>
<char> ::= "a" | "b" | "c" | "d" | "e" | "x" | "y" | "z" | "_" | " "
<number> ::= <digit> | <digit> <number>
<digit> ::= "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9"
<ws> ::= "" | " " <ws>
"#;

const JSON_EXTENDED: &str = r#"
<json> ::= <ws> <value> <ws>
<value> ::= <object> | <array> | <string> | <number> | "true" | "false" | "null"
<object> ::= "{" (<member> ("," <member>)* | <ws>) "}"
<member> ::= <ws> <string> <ws> ":" <ws> <value> <ws>
<array> ::= "[" (<element> ("," <element>)* | <ws>) "]"
<element> ::= <ws> <value> <ws>
<string> ::= "'" [a-z_ ]* "'"
<number> ::= [0-9]+
<ws> ::= [ \n]*
"#;

fn main() {
    type Text = fn(usize) -> String;
    let texts: [(&str, &str, Text); 6] = [
        ("arithmetic", EXPR, arithmetic),
        ("JSON, plain rules", JSON, json),
        ("JSON, extended rules", JSON_EXTENDED, json),
        ("1+1+1...", EXPR, |n| format!("{}1", "1+".repeat(n / 2))),
        ("digits", EXPR, |n| "7".repeat(n)),
        ("parentheses", EXPR, |n| {
            format!("{}1{}", "(".repeat(n / 2), ")".repeat(n / 2))
        }),
    ];
    for (what, grammar, text) in texts {
        for size in [1 << 10, 100 << 10, 10 << 20] {
            measure(what, grammar, &text(size));
        }
    }
}

fn measure(what: &str, grammar: &str, text: &str) {
    let Some(parser) = parser(grammar) else {
        return;
    };
    let runs = if text.len() > 1 << 20 { 1 } else { 5 };
    let mut found: Option<(Tree, _)> = None;
    let time = fastest(runs, || {
        found = None;
        found = parser.parse_counted(text.as_bytes()).ok();
    });
    let Some((tree, work)) = found else {
        println!("{what}: does not parse");
        return;
    };
    let bytes = text.len() as f64;
    print!(
        "{what}, {} KiB: {:.2} MB/s with a tree; for each byte {:.1} items, {:.0} bytes of chart, \
         {:.0} bytes of tree",
        text.len() >> 10,
        bytes / time.as_secs_f64() / 1e6,
        work.items as f64 / bytes,
        work.bytes as f64 / bytes,
        tree.bytes() as f64 / bytes,
    );
    if text.len() < 8 << 10 {
        let theirs: Option<bnf::Grammar> = grammar.parse().ok();
        if let Some(theirs) = theirs
            .as_ref()
            .and_then(|grammar| grammar.build_parser().ok())
        {
            let theirs = fastest(2, || {
                black_box(theirs.parse_input(text).next());
            });
            let ratio = theirs.as_secs_f64() / time.as_secs_f64();
            print!("; {ratio:.0} times as fast as bnf");
        }
    }
    println!();
    if let Some(peak) = peak_memory()
        && text.len() > 1 << 20
    {
        println!(
            "  peak memory so far: {:.0} bytes a byte",
            peak as f64 / bytes
        );
    }
}

fn parser(grammar: &str) -> Option<Parser> {
    Parser::new(Arc::new(read(grammar, None, "bench").ok()?)).ok()
}

/// Returns the time of the fastest of several runs.
fn fastest(runs: usize, mut work: impl FnMut()) -> Duration {
    (0..runs)
        .map(|_| {
            let started = Instant::now();
            work();
            started.elapsed()
        })
        .min()
        .unwrap_or_default()
}

/// Returns the next number of a sequence that is always the same.
fn next(n: &mut u32) -> u32 {
    *n = n.wrapping_mul(1_103_515_245).wrapping_add(12345);
    *n >> 16
}

fn arithmetic(size: usize) -> String {
    let mut n = 1;
    let mut text = String::from("1");
    let mut open = 0;
    while text.len() < size {
        text.push(['+', '-', '*', '/'][next(&mut n) as usize % 4]);
        if next(&mut n).is_multiple_of(5) {
            text.push('(');
            open += 1;
        }
        text.push_str(&(next(&mut n) % 1000).to_string());
        if open > 0 && next(&mut n).is_multiple_of(4) {
            text.push(')');
            open -= 1;
        }
    }
    text + &")".repeat(open)
}

fn json(size: usize) -> String {
    let mut n = 1;
    let mut text = String::from("[");
    while text.len() < size {
        if text.len() > 1 {
            text.push_str(", ");
        }
        text.push_str(&format!(
            "{{'abc_x': [{}, {}, true], 'y': {{'ab cd': 'xyz abcde', 'z': null}}}}",
            next(&mut n) % 100_000,
            next(&mut n) % 100,
        ));
    }
    text + "]"
}

/// Returns the largest resident size so far, in bytes. Linux only.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib << 10)
}
