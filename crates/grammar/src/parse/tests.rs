use super::*;
use crate::read::read;
use crate::tree::{Indented, NodeId, Tree};
use std::sync::Arc;

const EXPR: &str = r#"{
 "<start>": ["<expr>"],
 "<expr>": ["<term> + <expr>", "<term> - <expr>", "<term>"],
 "<term>": ["<factor> * <term>", "<factor> / <term>", "<factor>"],
 "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
 "<integer>": ["<digit><integer>", "<digit>"],
 "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}"#;

fn parser(text: &str) -> Parser {
    Parser::new(Arc::new(read(text, None, "test").unwrap())).unwrap()
}

/// Returns a tree in one line: a rule with its children, quantifiers in brackets, errors with an
/// exclamation mark, and tokens as text.
pub(super) fn brief(tree: &Tree) -> String {
    use crate::tree::NodeKind;
    let mut out = String::new();
    let mut open: Vec<(NodeId, &str)> = vec![];
    for (id, node) in tree.nodes() {
        while let Some((_, close)) = open.pop_if(|(outer, _)| !tree.covers(*outer, id)) {
            out.push_str(close);
        }
        let name = &tree.grammar().symbol(node.symbol).name;
        let close = match node.kind {
            NodeKind::Rule => {
                out.push_str(&format!("{name}("));
                ")"
            }
            NodeKind::Error => {
                out.push_str(&format!("{name}!("));
                ")"
            }
            NodeKind::Optional => {
                out.push('[');
                "]"
            }
            NodeKind::Repeat => {
                out.push('{');
                "}"
            }
            NodeKind::Iteration | NodeKind::Separator => {
                out.push(' ');
                ""
            }
            _ => {
                out.push_str(&String::from_utf8_lossy(tree.text_of(id)));
                ""
            }
        };
        open.push((id, close));
    }
    while let Some((_, close)) = open.pop() {
        out.push_str(close);
    }
    out
}

#[test]
fn the_grammar_of_expressions() {
    let parser = parser(EXPR);
    let tree = parser.parse(b"1 + ((2 * 3 / 4))").unwrap();
    assert_eq!(tree.print(), b"1 + ((2 * 3 / 4))");
    assert_eq!(
        brief(&parser.parse(b"1 + 23").unwrap()),
        "start(expr(term(factor(integer(digit(1)))) + \
         expr(term(factor(integer(digit(2)integer(digit(3))))))))"
    );
    let lines = Indented(&tree).to_string();
    assert_eq!(lines.lines().next(), Some("<start> › <expr>"));
    assert_eq!(lines.lines().nth(2), Some("  \" + \""));
}

#[test]
fn the_first_tree_is_the_preferred_one() {
    let cases = [
        // Operators group to the left, for every kind of recursion of the rule.
        ("<s> ::= <s> '+' <s> | '1'", "1+1+1", "s(s(s(1)+s(1))+s(1))"),
        // The first alternative is preferred.
        (
            "<s> ::= <a> | <b>\n<a> ::= 'x'\n<b> ::= 'x'",
            "x",
            "s(a(x))",
        ),
        (
            "<s> ::= <b> | <a>\n<a> ::= 'x'\n<b> ::= 'x'",
            "x",
            "s(b(x))",
        ),
        // Repetitions are greedy.
        ("<s> ::= ('a')* ('a')*", "aa", "s({ a a}{})"),
        ("<s> ::= ('a')? ('a')?", "a", "s([a][])"),
        // Cycles are not followed.
        ("<s> ::= <s> | 'a'", "a", "s(a)"),
        ("<s> ::= <t> | 'a'\n<t> ::= <s>", "a", "s(a)"),
        ("<s> ::= <s> <s> | 'a' | ''", "a", "s(a)"),
        ("<s> ::= <s> <s> | 'a' | ''", "", "s()"),
        ("<s> ::= <e> <s> | 'a'\n<e> ::= ''", "a", "s(a)"),
        // The rule has hidden left recursion.
        (
            "<s> ::= <e> <s> 'b' | 'a'\n<e> ::= '' | 'c'",
            "abb",
            "s(e()s(e()s(a)b)b)",
        ),
        // The rule has right recursion.
        ("<s> ::= 'a' <s> | ''", "aa", "s(as(as()))"),
        // The tokens have several bytes.
        ("<s> ::= [é-ü]+ 'ab'", "éüab", "s({ é ü}ab)"),
        // Adjacent single bytes are merged, and their order is kept.
        ("<s> ::= 'x' | <t> | 'y'\n<t> ::= 'y' | 'z'", "y", "s(t(y))"),
    ];
    for (grammar, text, expected) in cases {
        let tree = parser(grammar).parse(text.as_bytes()).unwrap();
        assert_eq!(brief(&tree), expected, "{grammar}");
    }
}

#[test]
fn precedence_and_associativity_decide() {
    use crate::grammar::{Associativity::*, Builder};
    let build = |level_plus, level_times, associativity| {
        let mut builder = Builder::new("test");
        let e = builder.rule("e");
        let ee = builder.symbol(e);
        let one = builder.literal(b"1");
        let mut alternatives = vec![];
        for (operator, level) in [(b"*", level_times), (b"+", level_plus)] {
            let operator = builder.literal(operator);
            let body = builder.sequence(vec![ee, operator, ee]);
            alternatives.push(builder.precedence(level, associativity, body));
        }
        alternatives.push(one);
        let body = builder.choice(alternatives);
        builder.define(e, body);
        Parser::new(Arc::new(builder.finish(e).unwrap())).unwrap()
    };
    let tree = |parser: Parser, text: &[u8]| brief(&parser.parse(text).unwrap());
    assert_eq!(tree(build(1, 2, Left), b"1*1+1"), "e(e(e(1)*e(1))+e(1))");
    assert_eq!(tree(build(1, 2, Left), b"1+1*1"), "e(e(1)+e(e(1)*e(1)))");
    assert_eq!(tree(build(2, 1, Left), b"1+1*1"), "e(e(e(1)+e(1))*e(1))");
    assert_eq!(tree(build(1, 2, Right), b"1+1+1"), "e(e(1)+e(e(1)+e(1)))");
}

#[test]
fn all_trees_of_a_text_are_listed() {
    // The numbers of trees are Catalan numbers.
    let sums = parser("<s> ::= <s> '+' <s> | '1'");
    for (text, count) in [
        ("1", 1),
        ("1+1", 1),
        ("1+1+1", 2),
        ("1+1+1+1", 5),
        ("1+1+1+1+1", 14),
    ] {
        let trees = sums.parse_all(text.as_bytes(), 100).unwrap();
        let mut seen: Vec<String> = trees.iter().map(brief).collect();
        assert_eq!(seen[0], brief(&sums.parse(text.as_bytes()).unwrap()));
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), count, "{text}");
    }
    assert_eq!(sums.parse_all(b"1+1+1+1+1", 3).unwrap().len(), 3);
    // Cycles are left out.
    let circle = parser("<s> ::= <s> | <t> | 'a'\n<t> ::= <s> | 'a'");
    assert_eq!(circle.parse_all(b"a", 100).unwrap().len(), 1);
}

#[test]
fn hard_texts_take_linear_work() {
    type Text = Box<dyn Fn(usize) -> String>;
    let cases: [(&str, Text); 6] = [
        (EXPR, Box::new(|n| "7".repeat(n))),
        (EXPR, Box::new(|n| format!("{}1", "1 + ".repeat(n / 4)))),
        (
            EXPR,
            Box::new(|n| format!("{}1{}", "(".repeat(n), ")".repeat(n))),
        ),
        // The rule has left recursion.
        (
            "<s> ::= <s> '+' '1' | '1'",
            Box::new(|n| format!("{}1", "1+".repeat(n))),
        ),
        // The rule has right recursion whose end one byte of lookahead does not reveal.
        (
            "<s> ::= <r> 'a'\n<r> ::= 'a' <r> | 'a'",
            Box::new(|n| "a".repeat(n)),
        ),
        (
            "<s> ::= <l> ' x'\n<l> ::= <i> <l> | <i>\n<i> ::= ' ' 'a'",
            Box::new(|n| format!("{} x", " a".repeat(n))),
        ),
    ];
    for (grammar, text) in cases {
        let parser = parser(grammar);
        let work = |n: usize| {
            let text = text(n);
            let (tree, work) = parser.parse_counted(text.as_bytes()).unwrap();
            assert!(tree.print() == text.as_bytes());
            (
                work.items as f64 / text.len() as f64,
                work.bytes / text.len(),
            )
        };
        let (few, _) = work(1_000);
        let (many, bytes) = work(20_000);
        assert!(
            many < few * 1.1 && many < 12.0,
            "{grammar}: {few} {many} items a byte"
        );
        assert!(bytes < 300, "{grammar}: {bytes} bytes a byte");
    }
}

#[test]
fn short_cuts_change_no_tree() {
    // Ambiguous and right-recursive grammars have chains that meet.
    let grammars = [
        "<s> ::= 'a' <s> | 'a' 'a' <s> | 'a' | ''",
        "<s> ::= <t> <s> | <t>\n<t> ::= 'a' | 'a' 'a' | <t> 'b'",
        "<s> ::= 'a' <t> | 'b'\n<t> ::= 'a' <s> | <s> | 'a'",
        "<s> ::= <e> 'a' <s> <e> | 'a'\n<e> ::= 'a' | ''",
    ];
    for grammar in grammars {
        let parser = parser(grammar);
        for n in 1..9 {
            for text in ["a".repeat(n), format!("{}b", "a".repeat(n))] {
                let Ok(tree) = parser.parse(text.as_bytes()) else {
                    assert!(parser.parse_all(text.as_bytes(), 1).is_err());
                    continue;
                };
                // Without shortcuts, all derivations are searched.
                let all = parser.parse_all(text.as_bytes(), 1).unwrap();
                assert_eq!(brief(&tree), brief(&all[0]), "{grammar} {text}");
            }
        }
    }
}

#[test]
fn a_syntax_error_is_at_its_position() {
    for (grammar, text, column) in [
        ("<s> ::= 'a' 'b'", "x", 1),
        ("<s> ::= 'a' 'b'", "xb", 1),
        ("<s> ::= 'a' 'b'", "ax", 2),
        ("<s> ::= 'a' 'b'", "a", 2),
        ("<s> ::= 'a' 'b'", "abb", 3),
        ("<s> ::= 'a' 'b'", "", 1),
        ("<s> ::= <t>*\n<t> ::= 'a'", "xa", 1),
        ("<s> ::= <t>* 'b'\n<t> ::= 'a' | ''", "xab", 1),
        ("<s> ::= <t>* 'b'\n<t> ::= 'a' | ''", "axb", 2),
        // The bracket may follow a letter only in the other alternative.
        ("<s> ::= '(' <t> ')' | '[' <t> ']'\n<t> ::= 'a'", "(a]", 3),
    ] {
        let Err(ParseError::Syntax(error)) = parser(grammar).parse(text.as_bytes()) else {
            panic!("{grammar} takes {text}");
        };
        assert_eq!(error.column, column, "{grammar} {text}: {error}");
    }
}
