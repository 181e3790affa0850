//! Laws of trees of texts that do not fit.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_grammar::parse::{ParseError, Parser};
use nubbin_grammar::read::{antlr, read};
use nubbin_grammar::tree::{Indented, NodeKind, Tree};
use std::sync::Arc;

const STATEMENTS: &str = "grammar Statements;
file : decl* EOF ;
decl : 'class' ID '{' decl* '}' | 'def' ID '(' (ID (',' ID)*)? ')' block ;
block : '{' stmt* '}' ;
stmt : block | ID '=' e ';' | 'if' '(' e ')' stmt ('else' stmt)? ;
e : e '*' e | e '+' e | '(' e ')' | ID | TEXT ;
ID : [a-z]+ ;
TEXT : '\"' ~[\"]* '\"' ;
COMMENT : '/*' .*? '*/' -> skip ;
WS : [ \\n]+ -> skip ;
";

const JSON: &str = "<value> ::= <object> | <array> | <string> | <number>
<object> ::= '{' <member> (',' <member>)* '}' | '{}'
<member> ::= <string> ':' <value>
<array> ::= '[' <value> (',' <value>)* ']' | '[]'
<string> ::= '\"' [a-z]* '\"'
<number> ::= [0-9]+ ('.' [0-9]+)?
";

/// Every text is ambiguous, and rules derive the empty text and themselves.
const AMBIGUOUS: &str = "<s> ::= <s> <s> | <t> | 'a' <s> 'b'
<t> ::= <s> | 'c'? | 'a'+
";

const CASES: [(&str, &str); 3] = [
    (
        STATEMENTS,
        "class a { def f(x, y) { x = y + x * y; if (x) { y = x; } else y = \"t u\"; } /* no */ }\n\
         def g() { { a = b; } b = (a); }\n",
    ),
    (JSON, "{\"a\":[1,22,{\"b\":[3.5,[]]}],\"cc\":\"text\"}"),
    (AMBIGUOUS, "aacbaab"),
];

fn parser(text: &str) -> Parser {
    let grammar = match text.starts_with("grammar") {
        true => antlr::read(text, "test", &mut |_| None).unwrap().grammar,
        false => read(text, None, "test").unwrap(),
    };
    Parser::new(Arc::new(grammar)).unwrap()
}

/// Returns the text with one change of each kind at each place.
fn damaged(text: &[u8]) -> Vec<Vec<u8>> {
    let mut found = vec![];
    for at in 0..=text.len() {
        found.push(text[..at].to_vec());
        found.push(text[at..].to_vec());
        for len in [1, 2, 5] {
            let end = (at + len).min(text.len());
            found.push([&text[..at], &text[end..]].concat());
        }
        let inserted: [&[u8]; 6] = [
            b"{",
            b")",
            b"a\"",
            b"\xff\xc3",
            "\u{e4}\u{20ac}".as_bytes(),
            b" = /*",
        ];
        for bytes in inserted {
            found.push([&text[..at], bytes, &text[at..]].concat());
        }
    }
    found
}

/// Fails if a rule of the tree does not have the children that its grammar demands.
fn explained(tree: &Tree, text: &[u8]) {
    let automata = tree.grammar().automata();
    for (id, node) in tree.nodes() {
        if node.kind == NodeKind::Rule {
            let children = tree.child_symbols(id);
            let fits = automata.accepts(tree.rule(id), &children);
            assert!(
                fits,
                "{}\n{}",
                String::from_utf8_lossy(text),
                Indented(tree)
            );
        }
    }
}

#[test]
fn damaged_texts_are_kept_to_the_last_byte() {
    for (grammar, text) in CASES {
        let parser = parser(grammar);
        for text in damaged(text.as_bytes()) {
            let tree = parser.parse_islands(&text).unwrap();
            assert_eq!(tree.print(), text);
            explained(&tree, &text);
            match parser.parse(&text) {
                Ok(whole) => {
                    assert_eq!(Indented(&tree).to_string(), Indented(&whole).to_string());
                    assert_eq!(tree.outside_rules(), 0);
                }
                Err(ParseError::Syntax(_)) => {
                    assert!(tree.nodes().any(|(_, node)| node.kind == NodeKind::Error));
                }
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn text_without_any_island_is_kept() {
    let bytes: Vec<u8> = (0..=255).cycle().take(2_000).collect();
    for (grammar, _) in CASES {
        let parser = parser(grammar);
        for text in [&bytes[..], b"", b"\n", b" ", b"\xff"] {
            assert_eq!(parser.parse_islands(text).unwrap().print(), text);
        }
    }
}

#[test]
fn islands_take_linear_work() {
    let unclosed = |n: usize| "{".repeat(n) + "a = b;";
    let list = |n: usize| "a = b;".repeat(n) + "}";
    let garbage = |n: usize| ") = ".repeat(n);
    let late = |n: usize| format!("def f() {{ {} a = ; }}", "a = b; ".repeat(n));
    let cases: [&dyn Fn(usize) -> String; 4] = [&unclosed, &list, &garbage, &late];
    for text in cases {
        let outside = |n: usize| {
            // Where the steps do not suffice, the rest is plain tokens.
            let parser = parser(STATEMENTS).step_limit(100 * n as u64);
            let text = text(n);
            let tree = parser.parse_islands(text.as_bytes()).unwrap();
            assert!(tree.print() == text.as_bytes());
            tree.outside_rules()
        };
        let (few, many) = (outside(500), outside(10_000));
        assert!(many <= few * 20, "{few} {many}");
    }
}

#[test]
fn without_steps_the_rest_is_tokens() {
    let text = format!("def f() {{ {} )", "{ a = (b); } ".repeat(100));
    let parser = parser(STATEMENTS);
    let islands = parser
        .parse_islands(text.as_bytes())
        .unwrap()
        .outside_rules();
    assert_eq!(islands, "deff(){)".len());
    for limit in [2_000, 4_000, 8_000] {
        let parser = self::parser(STATEMENTS).step_limit(limit);
        if let Ok(tree) = parser.parse_islands(text.as_bytes()) {
            assert_eq!(tree.print(), text.as_bytes());
        }
    }
}
