//! Measures the speed of generation: `cargo bench -p nubbin-generate --bench generate`.
//!
//! The benchmark prints figures and asserts nothing, since a busy machine is not a bug.

#![expect(clippy::print_stdout, reason = "the figures are the output")]

use nubbin_generate::{Algorithm, Choices, Generator, GrammarFuzzer, LimitFuzzer, SizeTarget};
use nubbin_grammar::read::read;
use std::sync::Arc;
use std::time::Instant;

const EXPR: &str = "
<start> ::= <expr>
<expr> ::= <term> ' + ' <expr> | <term> ' - ' <expr> | <term>
<term> ::= <factor> ' * ' <term> | <factor> ' / ' <term> | <factor>
<factor> ::= '+' <factor> | '-' <factor> | '(' <expr> ')' | <integer> '.' <integer> | <integer>
<integer> ::= <digit> <integer> | <digit>
<digit> ::= '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9'
";

const JSON: &str = r#"
<json> ::= <value>
<value> ::= <object> | <array> | <string> | <number> | "true" | "false" | "null"
<object> ::= "{" (<member> (", " <member>)*)? "}"
<member> ::= <string> ": " <value>
<array> ::= "[" (<value> (", " <value>)*)? "]"
<string> ::= "'" [a-z_ ]* "'"
<number> ::= [0-9]+
"#;

fn main() {
    let algorithms: [(&str, Algorithm); 4] = [
        (
            "limit-fuzzer, depth 20",
            LimitFuzzer { max_depth: 20 }.into(),
        ),
        (
            "grammar-fuzzer, 10 to 100",
            GrammarFuzzer {
                min_nonterminals: 10,
                max_nonterminals: 100,
            }
            .into(),
        ),
        ("1 KiB", SizeTarget { bytes: 1 << 10 }.into()),
        ("1 MiB", SizeTarget { bytes: 1 << 20 }.into()),
    ];
    for (grammar, text) in [("arithmetic", EXPR), ("JSON", JSON)] {
        for (name, algorithm) in algorithms {
            let Ok(read) = read(text, None, grammar) else {
                return;
            };
            let Ok(generator) = Generator::new(Arc::new(read), algorithm) else {
                return;
            };
            let mut choices = Choices::seeded(1);
            let mut text = vec![];
            let (mut bytes, mut texts) = (0, 0);
            let started = Instant::now();
            while bytes < 8 << 20 && texts < 2_000_000 {
                text.clear();
                choices.forget();
                generator.generate_into(&mut choices, &mut text);
                bytes += text.len();
                texts += 1;
            }
            let seconds = started.elapsed().as_secs_f64();
            println!(
                "{grammar}, {name}: {:.1} MB/s, {texts} texts of {} bytes on average",
                bytes as f64 / seconds / 1e6,
                bytes / texts.max(1),
            );
        }
    }
}
