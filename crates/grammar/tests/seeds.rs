//! Tests of small grammars, and of bad input of all kinds.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_grammar::check::check;
use nubbin_grammar::parse::{ParseError, Parser, ParserError};
use nubbin_grammar::read::{Format, ReadError, read};
use std::sync::Arc;

fn parser(text: &str) -> Parser {
    Parser::new(Arc::new(read(text, None, "test").unwrap())).unwrap()
}

const ASSIGNMENTS: &str = r#"{
 "<start>": [["<assignments>"]],
 "<assignments>": [["<assign>", {"token": ";\n", "commits": "var"}],
                   ["<assign>", {"token": ";\n", "commits": "var"}, "<assignments>"]],
 "<assign>": [[{"symbol": "<var>", "defines": "var"}, " = ", "<expr>"]],
 "<expr>": [["<expr>", " + ", "<expr>"], ["<expr>", " - ", "<expr>"], ["(", "<expr>", ")"],
            [{"symbol": "<var>", "uses": "var", "otherwise": "00"}], ["<digit>"]],
 "<digit>": [["0"], ["1"]],
 "<var>": [["a"], ["b"], ["c"]]}"#;

const NUMBERS: &str = "
<number> ::= <float> | <integer> | <not-a-number>
<float> ::= <digits>.<digits>
<integer> ::= <digits>
<not-a-number> ::= NaN
<digits> ::= [0-9]+
";

#[test]
fn assignments_and_the_otherwise_texts_of_names_are_parsed() {
    let parser = parser(ASSIGNMENTS);
    for text in ["a = (00) + 1;\n", "a = 0;\nb = a - (a + 1);\n"] {
        assert_eq!(
            parser.parse(text.as_bytes()).unwrap().print(),
            text.as_bytes()
        );
    }
    assert!(!parser.accepts(b"a = 0").unwrap());
    assert!(!parser.accepts(b"00 = 0;\n").unwrap());
}

#[test]
fn numbers_have_repetitions_and_shortest_texts() {
    let parser = parser(NUMBERS);
    let grammar = parser.grammar();
    for text in ["100.99", "7", "NaN"] {
        assert_eq!(
            parser.parse(text.as_bytes()).unwrap().print(),
            text.as_bytes()
        );
    }
    let shortest = |name: &str| {
        let symbol = grammar.rule(name).unwrap();
        grammar.facts().min_yield(grammar, symbol, 100).unwrap()
    };
    assert_eq!(shortest("number"), b"0");
    assert_eq!(shortest("float"), b"0.0");
    assert_eq!(shortest("not-a-number"), b"NaN");
    let name = |id| &*grammar.symbol(id).name;
    let stands: Vec<&str> = grammar
        .facts()
        .stands_for(grammar.start())
        .into_iter()
        .map(name)
        .collect();
    for rule in ["float", "integer", "not-a-number", "digits"] {
        assert!(stands.contains(&rule), "{rule} in {stands:?}");
    }
}

#[test]
fn bad_grammars_are_errors_that_name_the_position() {
    let cases: [(&str, &str); 22] = [
        ("", "no rule"),
        ("{}", "no rule"),
        ("[]", "a grammar is an object"),
        ("{\"<s>\": [\"a\"", "line 1, column 12: not JSON"),
        ("{\"s\": [\"a\"]}", "`s`: the name of a symbol"),
        ("{\"<s>\": \"a\"}", "alternatives are a list"),
        ("{\"<s>\": [1]}", "alternative 1: an alternative is"),
        (
            "{\"<s>\": [[{\"symbl\": \"<s>\"}]]}",
            "did you mean `symbol`?",
        ),
        ("{\"<s>\": [\"<t>\"]}", "`t` is not defined"),
        ("{\"<start>\": [\"<strat>\"]}", "did you mean `start`?"),
        ("<s> ::= 'a", "line 1, column 9: this quote is never closed"),
        ("<s> ::= (<s>", "this is never closed"),
        ("<s> ::= <s>)", "never opened"),
        ("<s> ::= [b-a]", "ends before it begins"),
        ("hello", "expected a rule"),
        ("a ::= (b", "line 1, column 7: this is never closed"),
        ("a ::= b - 'x'\nb ::= 'y'", "both are classes of characters"),
        ("a ::= [", "never closed"),
        ("a = b - c ;", "exceptions are not supported"),
        ("a = 'x'", "expected `;`"),
        ("a = ? no idea ? ;", "must be a regular expression"),
        ("a = 99999999999 * 'x' ;", "can be counted"),
    ];
    for (text, expected) in cases {
        let error = read(text, None, "bad").unwrap_err().to_string();
        assert!(error.contains(expected), "{text:?} says {error:?}");
    }
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
        let deep = format!("a = {}'x'{};", open.repeat(100_000), close.repeat(100_000));
        let error = read(&deep, Some(Format::Iso), "deep").unwrap_err();
        assert!(error.to_string().contains("nested more than"), "{error}");
    }
    let deep = format!(
        "{{\"<s>\": {}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(read(&deep, None, "deep").is_err());
}

#[test]
fn grammars_without_texts_are_errors() {
    let endless = Arc::new(read("<s> ::= 'a' <s>", None, "endless").unwrap());
    assert!(matches!(
        Parser::new(endless),
        Err(ParserError::Unproductive(_))
    ));
    let circle = read("<s> ::= <s>", None, "circle").unwrap();
    assert!(
        check(&circle)
            .iter()
            .any(|finding| finding.kind == "unproductive")
    );
}

#[test]
fn rules_that_may_all_be_empty_are_parsed() {
    let parser =
        parser("<s> ::= <a> <b> <s> | <a> | ''\n<a> ::= <b>? | ''\n<b> ::= <a>* | 'x' | ''");
    for n in [0, 1, 2, 5, 50] {
        let text = "x".repeat(n);
        assert_eq!(
            parser.parse(text.as_bytes()).unwrap().print(),
            text.as_bytes()
        );
    }
    assert!(!parser.accepts(b"y").unwrap());
}

#[test]
fn syntax_errors_have_the_position_and_the_expected_tokens() {
    let parser = parser(NUMBERS);
    let error = |text: &[u8]| match parser.parse(text) {
        Err(ParseError::Syntax(error)) => error,
        other => panic!("{other:?}"),
    };
    let found = error(b"12x");
    assert_eq!((found.line, found.column, found.offset), (1, 3, 2));
    assert_eq!(found.expected, ["\".\"", "\"0\" to \"9\"", "the end"]);
    assert!(found.excerpt.ends_with("1 | 12x\n  |   ^"));
    assert_eq!(error(b"12.").found, None);
    assert_eq!(error(b"").expected, ["\"0\" to \"9\"", "\"NaN\""]);
    assert_eq!(error(b"Na").expected, ["\"N\""]);
    assert_eq!(error(b"1\xff").found.as_deref(), Some("byte 0xff"));
}

#[test]
fn too_much_ambiguity_is_an_error() {
    let parser = parser("<s> ::= <s> <s> | 'a' | ''").memory_limit(1 << 20);
    let error = parser.parse(&b"a".repeat(100_000)).unwrap_err();
    assert!(matches!(error, ParseError::Memory { .. }));
    assert!(error.to_string().contains("more than 1 MiB"), "{error}");
    let parser = self::parser("<s> ::= <s> <s> | 'a' | ''").step_limit(100_000);
    let error = parser.parse(&b"a".repeat(1000)).unwrap_err();
    assert!(
        matches!(
            error,
            ParseError::Steps {
                at: 1..1000,
                of: 1000,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_text_that_is_not_utf8_is_parsed_or_rejected() {
    let grammar = read(
        r#"{"<s>": [["<x>", "<s>"], []], "<x>": [["é"], ["a"]]}"#,
        None,
        "t",
    )
    .unwrap();
    let parser = Parser::new(Arc::new(grammar)).unwrap();
    assert!(parser.accepts("éaé".as_bytes()).unwrap());
    assert!(!parser.accepts(b"\xc3a").unwrap());
    assert!(!parser.accepts(b"a\x00").unwrap());
}

#[test]
fn a_text_can_be_given_as_tokens() {
    use nubbin_grammar::parse::Lexeme;
    let grammar = Arc::new(read("<s> ::= <s> '+' 'n' | 'n'", None, "t").unwrap());
    let symbol = |name: &str| {
        let mut ids = grammar.symbol_ids();
        ids.find(|&id| &*grammar.symbol(id).name == name).unwrap()
    };
    let parser = Parser::for_tokens(grammar.clone()).unwrap();
    // The text of the tokens is arbitrary.
    let text = b"12 plus 3";
    let tokens = [("n", 0, 2), ("+", 3, 7), ("n", 8, 9)].map(|(name, start, end)| Lexeme {
        symbol: symbol(name),
        start,
        end,
    });
    let tree = parser.parse_tokens(text, &tokens).unwrap();
    assert_eq!(tree.print(), text);
    let error = parser.parse_tokens(text, &tokens[..2]).unwrap_err();
    assert!(error.to_string().contains("column 10"), "{error}");
    assert!(parser.parse_tokens(b"", &tokens).is_err());
}

#[test]
fn notations_are_recognized() {
    let cases = [
        ("{\"<a>\": [\"b\"]}", Format::Book),
        ("{\"<a>\": [[\"b\"]]}", Format::Lists),
        ("<a> ::= 'b'", Format::Bnf),
        ("; comment\n<a> ::= 'b'", Format::Bnf),
        ("a ::= 'b'", Format::W3c),
        ("a ::= '=' ';'", Format::W3c),
        ("a = 'b' ;", Format::Iso),
        ("a = '::=' ;", Format::Iso),
    ];
    for (text, format) in cases {
        assert_eq!(Format::detect(text), format, "{text}");
        let grammar = read(text, None, "t");
        assert!(!matches!(grammar, Err(ReadError::Syntax { .. })), "{text}");
    }
}

#[test]
fn nested_counts_take_little_work() {
    let text = "s = 900 * (900 * (900 * (900 * 'a' | 'b') | 'c') | 'd') ;";
    let parser = parser(text);
    assert!(!parser.accepts(b"aaa").unwrap());
    assert!(parser.accepts(&b"d".repeat(900)).unwrap());
    let grammar = parser.grammar();
    assert!(!grammar.automata().accepts(grammar.start(), &[]));
    for format in Format::WRITTEN {
        // The result is short, or the grammar is refused.
        if let Ok(written) = nubbin_grammar::write::write(grammar, format) {
            assert!(written.len() < 1 << 20, "{format}");
        }
    }
    let regex = parser_of_regex("((a{900}){900}){900}|b");
    assert!(regex.accepts(b"b").unwrap());
    let stacked = format!("s ::= 'a'{}", "?*+".repeat(100_000));
    assert!(self::parser(&stacked).accepts(b"aa").unwrap());
}

fn parser_of_regex(regex: &str) -> Parser {
    parser(&format!("s = ? /{regex}/ ? ;"))
}

#[test]
fn the_memory_of_a_parse_is_bounded_by_the_length_of_the_text() {
    assert!(Parser::usual_memory(10) < 257 << 20);
    assert_eq!(Parser::usual_memory(1 << 16), 512 << 20);
    assert_eq!(Parser::usual_memory(usize::MAX), Parser::MEMORY);
}
