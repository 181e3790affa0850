//! Grammars of ANTLR: the reader, the lexer, and the trees.
//!
//! The folder `antlr` has grammars, examples, and the trees that ANTLR 4.13.2 makes of them.
//! `scripts/antlr --record` writes those.

#![expect(clippy::unwrap_used, reason = "a panic is the report of a test")]

use nubbin_grammar::grammar::{Grammar, SymbolKind};
use nubbin_grammar::parse::{ParseError, Parser};
use nubbin_grammar::read::{Format, ReadError, antlr, read, start_symbol};
use nubbin_grammar::tree::{Nested, NodeId, NodeKind, Tree};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Reads a grammar of one file.
fn grammar(text: &str) -> Grammar {
    let read = antlr::read(text, "Test", &mut |_| None).unwrap();
    assert_eq!(read.undefined, None);
    read.grammar
}

fn parser(text: &str) -> Parser {
    Parser::new(Arc::new(grammar(text))).unwrap()
}

/// Returns the tree in one line.
fn nested(parser: &Parser, text: &str) -> String {
    let tree = parser.parse(text.as_bytes()).unwrap();
    assert_eq!(tree.print(), text.as_bytes());
    let lines = Nested(&tree).to_string();
    lines
        .replace("\n)", ")")
        .replace('\n', " ")
        .trim_end()
        .into()
}

fn error(text: &str) -> String {
    antlr::read(text, "Test", &mut |_| None)
        .unwrap_err()
        .to_string()
}

#[test]
fn trees_are_those_of_antlr() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/antlr"));
    let mut examples = 0;
    for line in fs::read_to_string(root.join("INDEX.tsv"))
        .unwrap()
        .lines()
        .skip(1)
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let folder = root.join(fields[0]);
        let file = |name: &str| fs::read_to_string(folder.join(format!("{name}.g4"))).ok();
        let main = format!("{}Parser", fields[1]);
        let (main, text) = match file(&main) {
            Some(text) => (main, text),
            None => (fields[1].to_owned(), file(fields[1]).unwrap()),
        };
        let read = antlr::read(&text, &main, &mut |name| file(name)).unwrap();
        assert_eq!(read.undefined, None);
        let start = start_symbol(&read.grammar, fields[2]).unwrap();
        assert_eq!(read.grammar.start(), start, "{}", fields[0]);
        let parser = Parser::new(Arc::new(read.grammar)).unwrap();
        for example in fs::read_dir(folder.join("examples")).unwrap() {
            let path = example.unwrap().path();
            let text = fs::read(&path).unwrap();
            let tree = parser.parse(&text).unwrap();
            assert_eq!(tree.print(), text);
            let expected = folder.join("trees").join(path.file_name().unwrap());
            let expected = fs::read_to_string(expected).unwrap();
            assert_eq!(Nested(&tree).to_string(), expected, "{}", path.display());
            check(&tree);
            examples += 1;
        }
    }
    assert_eq!(examples, 21);
}

/// Asserts that every node with children has children that the grammar allows.
fn check(tree: &Tree) {
    let automata = tree.grammar().automata();
    for (id, node) in tree.nodes().filter(|(_, node)| node.kind == NodeKind::Rule) {
        let mut children = vec![];
        let mut todo: Vec<NodeId> = tree.children(id).collect();
        todo.reverse();
        while let Some(child) = todo.pop() {
            match tree.node(child).kind {
                NodeKind::Rule | NodeKind::Token => children.push(tree.node(child).symbol),
                NodeKind::Gap => {}
                // The children of a quantifier are those of the rule.
                _ => {
                    let from = todo.len();
                    todo.extend(tree.children(child));
                    todo[from..].reverse();
                }
            }
        }
        assert!(automata.accepts(node.symbol, &children));
    }
}

#[test]
fn a_grammar_is_recognized_by_its_first_words() {
    let cases = [
        "grammar T; s : 'a' ;",
        "/* grammar */ // of\nlexer grammar L; A : 'a' ;",
        "parser\n grammar P; options { tokenVocab = L; } s : A ;",
    ];
    for text in cases {
        assert_eq!(Format::detect(text), Format::Antlr, "{text}");
    }
    let read = read("grammar T; s : 'a' EOF ;", None, "T").unwrap();
    assert!(read.lexing().is_some());
}

#[test]
fn the_start_is_the_first_rule_that_ends_the_text() {
    let start = |text: &str| {
        let grammar = grammar(text);
        grammar.symbol(grammar.start()).name.to_string()
    };
    assert_eq!(start("grammar T; a : 'x' ; b : a EOF ; c : b EOF ;"), "c");
    assert_eq!(start("grammar T; a : 'x' ; b : a ;"), "b");
    assert_eq!(start("grammar T; a : 'x' b ; b : a ;"), "a");
    assert_eq!(
        start("grammar T; b : a end ; a : 'x' ; end : ';' | EOF ;"),
        "b"
    );
    assert_eq!(start("lexer grammar T; A : 'x' ; B : 'y' ;"), "tokens");
}

#[test]
fn errors_name_the_place_and_the_expected_tokens() {
    let cases = [
        (
            "grammar T s : 'a' ;",
            "line 1, column 11: expected `;` after the name of the grammar",
        ),
        (
            "grammar T; s : ( 'a' ;",
            "column 16: this parenthesis is never closed",
        ),
        (
            "grammar T; s : 'a' ) ;",
            "column 20: this parenthesis was never opened",
        ),
        (
            "grammar T; s : 'a ;\n",
            "column 16: this quote is never closed",
        ),
        (
            "grammar T; A : [a-z ;\n",
            "column 16: this set is never closed",
        ),
        (
            "grammar T; A : [z-a] ;",
            "column 17: this range ends before it begins",
        ),
        (
            "grammar T; A : 'ab'..'c' ;",
            "the ends of a range are one character each",
        ),
        (
            "grammar T; A : [\\p{Nothing}] ;",
            "`Nothing` is not a known Unicode property",
        ),
        (
            "grammar T; A : '\\u{110000}' ;",
            "`110000` is not a character",
        ),
        (
            "grammar T; s : { 'a' ;",
            "column 16: this `{` is never closed",
        ),
        (
            "grammar T; s : 'a' ; s : 'b' ;",
            "column 22: the rule `s` is defined twice",
        ),
        (
            "lexer grammar T; s : 'a' ;",
            "a lexer grammar has no parser rules",
        ),
        (
            "parser grammar T; A : 'a' ;",
            "a parser grammar has no lexer rules",
        ),
        ("grammar T; /* s", "this comment is never closed"),
        ("grammar T; s : + ;", "expected a part of a rule, found `+`"),
        ("grammar T;", "the grammar has no rules"),
        (
            "grammar T; import Other; s : 'a' ;",
            "the grammar `Other` is needed",
        ),
    ];
    for (text, expected) in cases {
        let error = error(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
    let nested = format!(
        "grammar T; s : {}'a'{} ;",
        "(".repeat(5000),
        ")".repeat(5000)
    );
    assert!(error(&nested).contains("nested more than"));
    let labels = format!("grammar T; s : {}'a' ;", "x=".repeat(100_000));
    assert!(error(&labels).contains("nested more than"));
}

#[test]
fn an_error_in_another_file_names_it() {
    let text = "grammar T; import Other; s : 'a' ;";
    let mut load = |name: &str| (name == "Other").then(|| "grammar Other; t : ( ;".to_owned());
    let error = antlr::read(text, "T", &mut load).unwrap_err();
    assert!(matches!(&error, ReadError::Inside { name, .. } if name == "Other"));
    assert!(
        error
            .to_string()
            .starts_with("in `Other`: line 1, column 20"),
        "{error}"
    );
    // Grammars that import each other are read once.
    let mut each_other = |name: &str| Some(format!("grammar {name}; import T, Other; u : 'b' ;"));
    assert!(antlr::read(text, "T", &mut each_other).is_ok());
}

#[test]
fn undefined_and_ignored_parts_are_reported() {
    let text =
        "grammar T; options { superClass = Base; } s[int x] : { ok() }? NUMBER other { f(); } ;";
    let read = antlr::read(text, "T", &mut |_| None).unwrap();
    let names = read.undefined.unwrap().undefined;
    let names: Vec<&str> = names.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["other"]);
    let notes: Vec<String> = read
        .notes
        .into_iter()
        .map(|note| format!("{:?}: {}", note.rule.unwrap_or_default(), note.what))
        .collect();
    assert_eq!(
        notes,
        [
            "\"\": a super class is ignored",
            "\"s\": arguments of a rule are ignored",
            "\"s\": the predicate `ok` is taken as true; `--predicate ok=false` makes it false",
            "\"s\": an action is ignored",
            "\"\": token `NUMBER` is used but never defined, so it never matches",
        ]
    );
}

/// Reads a grammar with values of predicates.
fn with(text: &str, predicates: &[(&str, bool)]) -> Result<antlr::Antlr, ReadError> {
    let predicates = predicates.iter();
    let predicates = predicates.map(|&(name, value)| (name.to_owned(), value));
    let predicates = predicates.collect();
    antlr::read_with(text, "T", &antlr::Options { predicates }, &mut |_| None)
}

#[test]
fn an_alternative_with_a_false_predicate_matches_nothing() {
    let cases: [(&str, &[&str], &[&str]); 8] = [
        ("s : {p()}? 'a' EOF | 'b' EOF ;", &["b"], &["a", ""]),
        (
            "s : 'a' {this.p(1)}?<fail={why()}> 'c' EOF | 'b' EOF ;",
            &["b"],
            &["ac", "a"],
        ),
        (
            "s : 'a' ({!p}? 'b' | {p}?<fail='no'> 'c' | 'd')? EOF ;",
            &["a", "ab", "ad"],
            &["ac"],
        ),
        ("s : ({p}? 'a')* 'b' EOF ;", &["b"], &["ab"]),
        (
            "s : ('a' | 'b' t?) EOF ; t : {p}? 'c' | {p}? 'd' ;",
            &["a", "b"],
            &["bc"],
        ),
        (
            "s : e EOF ; e : e {p}? '*' e | e '+' e | N ; N : [0-9] ;",
            &["1+2"],
            &["1*2"],
        ),
        // The literal of a rule that never matches is a token still, and no other.
        ("s : ({p}? 'if' | N) EOF ; N : [a-z]+ ;", &["of"], &["if"]),
        (
            "s : (A | B | 'c') EOF ; A : {p}? [a-z] ; B : 'b' ; C : 'c' {p}? ;",
            &["b"],
            &["a", "c"],
        ),
    ];
    for (rules, fitting, others) in cases {
        let read = with(&format!("grammar T; {rules}"), &[("p", false)]).unwrap();
        assert_eq!((read.undefined, read.notes), (None, vec![]), "{rules}");
        let grammar = Arc::new(read.grammar);
        assert_eq!(&*grammar.symbol(grammar.start()).name, "s");
        let parser = Parser::new(grammar).unwrap();
        for (text, expected) in
            (fitting.iter().map(|text| (text, true))).chain(others.iter().map(|text| (text, false)))
        {
            assert_eq!(
                parser.accepts(text.as_bytes()).unwrap(),
                expected,
                "{rules} {text}"
            );
        }
    }
}

#[test]
fn a_true_predicate_changes_nothing_but_the_notes() {
    let text = "grammar T; s : {p()}? A {x > 1}? EOF ; A : {!q}? 'a' ;";
    let read = with(text, &[("p", true), ("q", false)]).unwrap();
    let notes: Vec<&str> = read.notes.iter().map(|note| &*note.what).collect();
    let code = "a predicate is taken as true; `--predicate` sets one that is a name or a call";
    assert_eq!(notes, [code]);
    assert!(
        Parser::new(Arc::new(read.grammar))
            .unwrap()
            .accepts(b"a")
            .unwrap()
    );
    let read = with(text, &[("q", true)]).unwrap();
    let unproductive = Parser::new(Arc::new(read.grammar)).unwrap_err();
    assert!(unproductive.to_string().starts_with("`s` derives no text"));
    let error = |name| with(text, &[(name, true)]).unwrap_err().to_string();
    assert_eq!(
        error("x1"),
        "unknown predicate `x1`: the grammar has `p`, `q`"
    );
    assert_eq!(
        error("P"),
        "unknown predicate `P`, did you mean `p`? (the grammar has `p`, `q`)"
    );
    let none = with("grammar T; s : 'a' ;", &[("p", true)]).unwrap_err();
    assert_eq!(
        none.to_string(),
        "unknown predicate `p`: the grammar has no predicates with a name"
    );
}

#[test]
fn operators_bind_as_the_alternatives_are_ordered() {
    let parser = parser(
        "grammar T; e : e '*' e | e '+' e | <assoc=right> e '=' e | '-' e | N ; N : [a-z] ;",
    );
    assert_eq!(nested(&parser, "a+b*c"), "(e (e a) + (e (e b) * (e c)))");
    assert_eq!(nested(&parser, "a*b+c"), "(e (e (e a) * (e b)) + (e c))");
    assert_eq!(nested(&parser, "a=b=c"), "(e (e a) = (e (e b) = (e c)))");
    // The prefix operator is the loosest, so its operand continues.
    assert_eq!(
        nested(&parser, "a*-b+c"),
        "(e (e a) * (e - (e (e b) + (e c))))"
    );
}

#[test]
fn tokens_end_where_the_text_does_not_fit() {
    let parser = parser("grammar T; s : A+ EOF ; A : 'a' ; WS : ' '+ -> skip ;");
    for (text, at) in [("a b", 2), ("a  a ?", 5), ("é", 0), ("", 0)] {
        let Err(ParseError::Syntax(error)) = parser.parse(text.as_bytes()) else {
            panic!("{text:?} fits");
        };
        assert_eq!(error.offset, at, "{text:?}");
    }
    assert!(parser.accepts(b" a a ").unwrap());
    let Err(ParseError::Syntax(error)) = parser.parse(b"a \xff") else {
        panic!("a text that is not UTF-8 fits");
    };
    assert_eq!(error.offset, 2);
}

#[test]
fn hidden_tokens_are_gaps_outside_of_the_next_node() {
    let parser = parser(
        "grammar T; s : t+ EOF ; t : A ; A : 'a' ; WS : ' '+ -> skip ; C : '#' -> channel(HIDDEN) ;",
    );
    let tree = parser.parse(b" a #a # ").unwrap();
    let gaps: Vec<(String, String)> = tree
        .nodes()
        .filter(|(_, node)| node.kind == NodeKind::Gap)
        .map(|(_, node)| {
            let text = String::from_utf8_lossy(&tree.text()[node.span()]).into_owned();
            (tree.grammar().symbol(node.symbol).name.to_string(), text)
        })
        .collect();
    let gaps: Vec<(&str, &str)> = gaps.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(
        gaps,
        [
            ("s", " "),
            ("s", " "),
            ("C", "#"),
            ("s", " "),
            ("C", "#"),
            ("s", " ")
        ]
    );
    let hidden = tree.grammar().extras().iter();
    let hidden: Vec<&str> = hidden.map(|&id| &*tree.grammar().symbol(id).name).collect();
    assert_eq!(hidden, ["WS", "C"]);
}

#[test]
fn a_lexer_alone_describes_lists_of_tokens() {
    let parser = parser("lexer grammar T; A : 'a'+ ; B : 'b' ; WS : ' ' -> skip ;");
    assert_eq!(nested(&parser, "aa b a"), "(tokens aa b a)");
    let grammar = parser.grammar();
    let a = grammar.rule("A").unwrap();
    assert!(matches!(grammar.symbol(a).kind, SymbolKind::Pattern(_)));
    assert_eq!(grammar.facts().min_yield(grammar, a, 10).unwrap(), b"a");
}

#[test]
fn nested_repetitions_and_recursive_tokens_stay_small() {
    let many = |n: usize| format!("{}'a'{}", "(".repeat(n), ")+".repeat(n));
    let text = format!("grammar T; s : {} EOF ; B : {} 'b' ;", many(30), many(100));
    let parser = self::parser(&text);
    assert!(parser.accepts(&b"a".repeat(10)).unwrap());
    // Comparing all the derivations of a long text counts as steps.
    let few = parser.step_limit(100_000);
    assert!(matches!(
        few.accepts(&b"a".repeat(100)),
        Err(ParseError::Steps { .. })
    ));
    let nested = self::parser("grammar T; s : C EOF ; C : '(' C* ')' ;");
    let deep = [b"(".repeat(3000), b")".repeat(3000)].concat();
    assert!(nested.accepts(&deep).unwrap());
    // Each depth has twice as many positions.
    let several = self::parser("grammar T; s : C* EOF ; C : '(' C* ')' | '(' C* ']' | 'x' ;");
    assert!(several.accepts(b"((((((x)]))]](x)").unwrap());
    assert!(!several.accepts(&b"(".repeat(200)).unwrap());
}

#[test]
fn a_token_that_begins_with_itself_is_refused() {
    let cases = [
        "grammar T; s : L EOF ; L : L 'b' | L 'c' | 'a' ;",
        "grammar T; s : L EOF ; L : 'x'? M 'b' ; fragment M : 'y'* L | 'a' ;",
    ];
    for text in cases {
        assert!(error(text).contains("the token `L` begins with itself"));
    }
}

#[test]
fn the_shortest_texts_with_unknown_tokens_are_found() {
    // The facts of these grammars changed in every round.
    for text in [
        "grammar T; s : s | a u ; a : u | b ; b : 'a' ;",
        "grammar T; s : s | a u ; a : b | u ; b : 'a' ;",
    ] {
        let read = antlr::read(text, "T", &mut |_| None).unwrap();
        let s = read.grammar.rule("s").unwrap();
        assert_eq!(read.grammar.facts().min_length(s), Some(1), "{text}");
        assert_eq!(read.undefined.unwrap().undefined.len(), 1);
    }
}

#[test]
fn calls_of_empty_rules_end() {
    let mut text = "grammar T; s : A EOF ; A : 'a' F0 'b' ;".to_owned();
    for at in 0..60 {
        let next = at + 1;
        text += &format!(" fragment F{at} : F{next} F{next} ;");
    }
    // There are 2^60 ways through them, of which a part is followed.
    for last in ["", "'c'?"] {
        let parser = parser(&format!("{text} fragment F60 : {last} ;"));
        assert!(!parser.accepts(b"ad").unwrap());
    }
}

#[test]
fn a_deep_token_is_read_when_its_first_states_are_forgotten() {
    let nested = parser("grammar T; s : C* EOF ; C : '(' C* ')' | '[' C* ']' | 'x' ;");
    let deep = |inner: &str| {
        let open = "([".repeat(20_000);
        let close = "])".repeat(20_000);
        format!("{open}{inner}{close}")
    };
    assert!(nested.accepts(deep("xx").as_bytes()).unwrap());
    let two = deep("") + "x";
    let tree = nested.parse(two.as_bytes()).unwrap();
    let tokens = tree
        .nodes()
        .filter(|(_, node)| node.kind == NodeKind::Token);
    let lens: Vec<usize> = tokens.map(|(_, node)| node.span().len()).collect();
    assert_eq!(lens, [two.len() - 1, 1, 0]);
    assert!(!nested.accepts(deep("(]").as_bytes()).unwrap());
    // Each depth has twice as many positions.
    let several = parser("grammar T; s : C* EOF ; C : '(' C* ')' | '(' C* ']' | 'x' ;");
    assert!(!several.accepts(&b"(".repeat(1000)).unwrap());
}

/// A change of a text: at a place, some bytes are removed, and others put there.
fn damaged(text: &str, changes: &[(u16, u8, usize)]) -> String {
    const PARTS: [&str; 16] = [
        "(", ")", "*", "?", "+", "|", ";", ":", "'", "[", "]", "{", "~", "..", "->", "\\",
    ];
    let mut text: Vec<char> = text.chars().collect();
    for &(at, len, part) in changes {
        let at = usize::from(at) % (text.len() + 1);
        let end = (at + usize::from(len)).min(text.len());
        let part = PARTS.get(part).copied().unwrap_or_default();
        text.splice(at..end, part.chars());
    }
    text.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_grammars_and_texts_end_with_a_tree_or_an_error(
        which in 0..8usize,
        grammar_changes in prop::collection::vec((any::<u16>(), 0..12u8, 0..20usize), 0..4),
        text_changes in prop::collection::vec((any::<u16>(), 0..6u8, 0..20usize), 0..4),
    ) {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/antlr"));
        let index = fs::read_to_string(root.join("INDEX.tsv")).unwrap();
        let fields: Vec<&str> = index.lines().nth(which + 1).unwrap().split('\t').collect();
        let folder = root.join(fields[0]);
        let file = |name: &str| fs::read_to_string(folder.join(format!("{name}.g4"))).ok();
        let main = format!("{}Parser", fields[1]);
        let text = file(&main).or_else(|| file(fields[1])).unwrap();
        let text = damaged(&text, &grammar_changes);
        if let Ok(read) = antlr::read(&text, "Damaged", &mut |name| file(name))
            && let Ok(parser) = Parser::new(Arc::new(read.grammar))
        {
            let parser = parser.step_limit(1_000_000);
            for example in fs::read_dir(folder.join("examples")).unwrap() {
                let text = fs::read_to_string(example.unwrap().path()).unwrap();
                let text = damaged(&text, &text_changes);
                if let Ok(tree) = parser.parse(text.as_bytes()) {
                    prop_assert_eq!(tree.print(), text.as_bytes());
                }
            }
        }
    }
}

#[test]
fn a_token_that_matches_nothing_makes_no_token() {
    let parser = parser("grammar T; s : A* EOF ; A : 'a'* ;");
    assert!(parser.accepts(b"aaa").unwrap());
    assert!(!parser.accepts(b"aab").unwrap());
}

#[test]
fn the_end_of_the_text_may_lead_astray() {
    // With two ends, the second alternative continues to where it wants more text.
    let parser = parser("grammar Test; s : 'x' EOF | 'x' EOF EOF 'z' ;");
    assert_eq!(nested(&parser, "x"), "(s x <EOF>)");
}

#[test]
fn hidden_tokens_are_not_among_any_tokens() {
    let text = "grammar Test; s : ID any* ; any : ~';' | '.' . ; ID : [a-z]+ ; WS : ' ' -> skip ;";
    let grammar = grammar(text);
    let space = grammar.rule("WS").unwrap();
    assert_eq!(grammar.extras(), [space]);
    let any = grammar.body(grammar.rule("any").unwrap()).unwrap();
    grammar.each_symbol(any, |symbol| assert_ne!(symbol, space));
}

#[test]
fn a_grammar_whose_parser_would_take_gigabytes_is_refused() {
    let parser = |rules: usize| {
        let rules = (0..rules).map(|n| format!("r{n} : 'k{n}' r{} | '-' ;", (n + 1) % rules));
        let rules: String = rules.collect();
        let text = format!("grammar Test; start : r0 EOF ; {rules}");
        let read = antlr::read(&text, "Test", &mut |_| None).unwrap();
        Parser::new(Arc::new(read.grammar))
    };
    assert!(parser(1_000).is_ok());
    // There would be as many kinds of tokens as rules.
    let error = parser(40_000).unwrap_err().to_string();
    assert!(
        error.starts_with("the grammar is too large: its parser would need "),
        "{error}"
    );
}
