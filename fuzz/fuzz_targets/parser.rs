//! Fuzzes the parser and the generator: `cargo fuzz run parser`.
//!
//! An input is a grammar, a zero byte, and a text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nubbin_generate::{Choices, Generator, LimitFuzzer};
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::read;
use std::sync::Arc;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(2, |&byte| byte == 0);
    let (Some(grammar), Some(text)) = (parts.next(), parts.next()) else {
        return;
    };
    let Ok(grammar) = std::str::from_utf8(grammar) else {
        return;
    };
    let Ok(grammar) = read(grammar, None, "fuzzed") else {
        return;
    };
    let grammar = Arc::new(grammar);
    let Ok(parser) = Parser::new(grammar.clone()) else {
        return;
    };
    let parser = parser.memory_limit(64 << 20).step_limit(1_000_000);
    if let Ok(tree) = parser.parse_islands(text) {
        assert_eq!(tree.print(), text);
        for (id, node) in tree.nodes() {
            if node.kind == nubbin_grammar::tree::NodeKind::Rule {
                let children = tree.child_symbols(id);
                assert!(grammar.automata().accepts(node.symbol, &children));
            }
        }
    }
    // Any bytes are choices, and the text that they make fits the grammar.
    let choices = text.iter().map(|&byte| u32::from(byte)).collect();
    if let Ok(generator) = Generator::new(grammar, LimitFuzzer { max_depth: 5 }.into()) {
        let made = generator.generate(&mut Choices::replay(choices));
        if made.len() < 200 {
            assert!(!matches!(parser.accepts(&made), Ok(false)));
        }
    }
});
