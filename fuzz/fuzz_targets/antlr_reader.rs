//! Fuzzes the reader of ANTLR grammars: `cargo fuzz run antlr_reader`.
//!
//! An input is a grammar. After a zero byte there may be others, which it may import. It is read
//! twice: as it is, and with false predicates.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_grammar::check::check;
use nubbin_grammar::lex::Lexer;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::ReadError;
use nubbin_grammar::read::antlr::{self, Antlr, Options};
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
    let mut options = Options::default();
    test(main, antlr::read(main, "Fuzzed", &mut load));
    options.predicates.insert(String::new(), false);
    // The error names the predicates that there are.
    let names = match antlr::read_with(main, "Fuzzed", &options, &mut load) {
        Err(ReadError::NoPredicate { known, .. }) if !known.is_empty() => known,
        _ => return,
    };
    options.predicates = names.into_iter().map(|name| (name, false)).collect();
    test(main, antlr::read_with(main, "Fuzzed", &options, &mut load));
});

fn test(main: &str, read: Result<Antlr, ReadError>) {
    let Ok(read) = read else {
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
        let parser = parser.memory_limit(64 << 20).step_limit(100_000);
        if let Ok(tree) = parser.parse_islands(main.as_bytes()) {
            assert_eq!(tree.print(), main.as_bytes());
        }
    }
}
