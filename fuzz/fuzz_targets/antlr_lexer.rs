//! Fuzzes the lexer and the parser of ANTLR grammars: `cargo fuzz run antlr_lexer`.
//!
//! The first byte of an input selects a grammar of `crates/grammar/tests/antlr`. The rest is a
//! text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_grammar::lex::Lexer;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::antlr;
use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

static SUBJECTS: LazyLock<Vec<(Lexer, Parser)>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/grammar/tests/antlr");
    let index = fs::read_to_string(root.join("INDEX.tsv")).expect("the list of grammars");
    let lines = index.lines().skip(1);
    let subjects = lines.map(|line| {
        let mut fields = line.split('\t');
        let folder = root.join(fields.next().unwrap_or_default());
        let name = fields.next().unwrap_or_default();
        let file = |name: &str| fs::read_to_string(folder.join(format!("{name}.g4"))).ok();
        let text = file(&format!("{name}Parser")).or_else(|| file(name));
        let text = text.expect("the grammar");
        let read = antlr::read(&text, name, &mut |name| file(name)).expect("a grammar");
        let grammar = Arc::new(read.grammar);
        let lexer = Lexer::of(&grammar).expect("lexer rules");
        let parser = Parser::new(grammar).expect("a parser");
        let parser = parser.memory_limit(64 << 20).step_limit(100_000);
        (lexer, parser)
    });
    subjects.collect()
});

fuzz_target!(|data: &[u8]| {
    let Some((&first, text)) = data.split_first() else {
        return;
    };
    let (lexer, parser) = &SUBJECTS[usize::from(first) % SUBJECTS.len()];
    let (tokens, end) = match lexer.tokens(text) {
        Ok(tokens) => (tokens, text.len()),
        Err((tokens, error)) => (tokens, error.offset),
    };
    let mut at = 0;
    for token in &tokens {
        assert_eq!(token.start, at);
        assert!(token.end > at);
        at = token.end;
    }
    assert_eq!(at as usize, end);
    if let Ok(tree) = parser.parse(text) {
        assert_eq!(tree.print(), text);
        let mut at = 0;
        for (_, node) in tree
            .nodes()
            .filter(|(id, _)| tree.children(*id).next().is_none())
        {
            assert_eq!(node.span().start, at);
            at = node.span().end;
        }
        assert_eq!(at, text.len());
    }
});
