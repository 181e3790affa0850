//! Large grammars. With an algorithm that is quadratic in the grammar, each of these takes minutes;
//! the counts of work are asserted beside the code (`the_work_is_linear_in_the_grammar`).

use nubbin_grammar::check::check;
use nubbin_grammar::parse::{ParseError, Parser};
use nubbin_grammar::read::{Format, read, read_leniently};
use nubbin_grammar::suggest::nearest;
use nubbin_grammar::tree::TreeError;
use std::sync::Arc;

const COUNT: usize = 100_000;

fn join(separator: &str, each: impl Fn(usize) -> String) -> String {
    (0..COUNT).map(each).collect::<Vec<_>>().join(separator)
}

#[test]
fn a_hundred_thousand_alternatives_on_a_line_are_read() {
    let words = |quote: char| join(" | ", |nth| format!("{quote}w{nth}{quote}"));
    let strings = join(",", |nth| format!("\"w{nth} <s>\""));
    let texts = [
        (Format::Bnf, format!("<s> ::= {}", words('"'))),
        (Format::W3c, format!("s ::= {}", words('"'))),
        (Format::Iso, format!("s = {} ;", words('"'))),
        (Format::Antlr, format!("grammar g; s : {} ;", words('\''))),
        (Format::Book, format!("{{\"<s>\": [{strings}, \"\"]}}")),
    ];
    for (format, text) in texts {
        let grammar = read(&text, Some(format), "test").unwrap();
        assert_eq!(check(&grammar), [], "{format}");
    }
}

#[test]
fn a_rule_may_be_defined_a_hundred_thousand_times() {
    let text = join("\n", |nth| format!("<s> ::= 'w{nth}'"));
    let grammar = read(&text, None, "test").unwrap();
    let body = grammar.body(grammar.start()).unwrap();
    assert_eq!(grammar.alternatives(&body).len(), COUNT);
}

#[test]
fn chains_of_a_hundred_thousand_rules_are_checked() {
    let last = format!("\n<r{COUNT}> ::= 'c'");
    for shape in ["'a' <r{}>", "<r{}> | 'b'", "<r{}> <r{}>?"] {
        let rule = |nth: usize| {
            let next = (nth + 1).to_string();
            format!("<r{nth}> ::= {}", shape.replace("{}", &next))
        };
        let grammar = read(&(join("\n", rule) + &last), None, "test").unwrap();
        assert_eq!(check(&grammar), [], "{shape}");
    }
    let cycle = join("\n", |nth| format!("<r{nth}> ::= <r{}>", (nth + 1) % COUNT));
    let grammar = read(&(cycle + " | 'c'"), None, "test").unwrap();
    let findings = check(&grammar);
    let circular = findings.iter().filter(|found| found.kind == "circular");
    assert_eq!(circular.count(), COUNT);
}

#[test]
fn long_literals_are_read() {
    let long = "<".repeat(3_000_000);
    let texts = [
        (Format::Book, format!("{{\"<s>\": [\"{long}\"]}}")),
        (Format::Book, format!("{{\"<s>\": [\"{long} >\"]}}")),
        (Format::Bnf, format!("<s> ::= '{}'", "; ".repeat(1_000_000))),
        (Format::Bnf, format!("<s> ::= {}", "; ".repeat(1_000_000))),
    ];
    for (format, text) in texts {
        let grammar = read(&text, Some(format), "test").unwrap();
        let least = grammar.facts().min_length(grammar.start());
        assert!(least >= Some(1_000_000), "{format}: {least:?}");
    }
}

#[test]
fn a_hundred_thousand_names_that_are_not_defined_are_told() {
    let text = join("\n", |nth| format!("<rule{nth}> ::= <rulle{nth}>"));
    let (_, unfinished) = read_leniently(&text, None, "test").unwrap();
    let undefined = unfinished.unwrap().undefined;
    assert_eq!(undefined.len(), COUNT);
    let (name, like) = &undefined[0];
    assert_eq!((&**name, like.as_deref()), ("rulle0", Some("rule0")));
    // Names behind the bound have none.
    assert!(undefined.iter().filter(|(_, like)| like.is_some()).count() < 100);
    let names: Vec<String> = (0..COUNT).map(|nth| format!("name{nth}")).collect();
    let names = || names.iter().map(String::as_str);
    assert_eq!(nearest("naem99999", names()), Some("name99999"));
    assert_eq!(nearest("completely-other", names()), None);
}

#[test]
fn a_hundred_thousand_kinds_of_names_are_told_apart() {
    let each = |nth: usize| format!("[{{\"symbol\": \"<w>\", \"defines\": \"kind{nth}\"}}]");
    let text = format!("{{\"<s>\": [{}], \"<w>\": [[\"w\"]]}}", join(",", each));
    let grammar = read(&text, Some(Format::Lists), "test").unwrap();
    assert_eq!(grammar.name_count(), COUNT);
}

#[test]
fn a_short_text_with_an_endless_tree_is_refused() {
    // Each level derives nothing by twice the parts of the next one.
    let level = |nth: usize| format!("<n{nth}> ::= <n{0}> <n{0}> | \"\" | \"a\"", nth + 1);
    let levels = (0..60).map(level).collect::<Vec<_>>().join("\n");
    let text = format!("<start> ::= <n0>\n{levels}\n<n60> ::= \"\" | \"a\"\n");
    let grammar = Arc::new(read(&text, None, "test").unwrap());
    let parser = Parser::new(grammar).unwrap().memory_limit(8 << 20);
    for text in ["", "a", "aaaaaaaaaa"] {
        let error = parser.parse(text.as_bytes()).unwrap_err();
        let is_refused = matches!(error, ParseError::Tree(TreeError::TooMany { .. }));
        assert!(is_refused, "{text}: {error}");
        assert!(error.to_string().contains("more than 8 MiB"), "{error}");
    }
}
