//! Fuzzes the reader of ANTLR grammars: `cargo fuzz run antlr_reader`.
//!
//! An input is a grammar. After a zero byte there may be others, which it may import.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_grammar::check::check;
use nubbin_grammar::lex::Lexer;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::antlr;
use std::sync::Arc;

fuzz_target!(|text: &str| {
    let mut parts = text.split('\0');
    let main = parts.next().unwrap_or_default();
    let others: Vec<&str> = parts.collect();
    let mut load = |name: &str| {
        let head = format!("grammar {name};");
        let other = others.iter().find(|other| other.contains(&head));
        other.map(|&other| other.to_owned())
    };
    let Ok(read) = antlr::read(main, "Fuzzed", &mut load) else {
        return;
    };
    check(&read.grammar);
    if read.undefined.is_some() {
        return;
    }
    let grammar = Arc::new(read.grammar);
    // The lexer makes its states on demand, so a text is needed too. The grammar is one.
    if let Some(lexer) = Lexer::of(&grammar) {
        let _ = lexer.tokens(main.as_bytes());
    }
    if let Ok(parser) = Parser::new(grammar) {
        let parser = parser.memory_limit(64 << 20).step_limit(1_000_000);
        if let Ok(tree) = parser.parse(main.as_bytes()) {
            assert_eq!(tree.print(), main.as_bytes());
        }
    }
});
