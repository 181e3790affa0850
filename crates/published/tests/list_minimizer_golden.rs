//! Published and recorded logs, test by test: every text that an algorithm tests, in order, with
//! the outcome. The first lines of the files in `golden/` name the source of each log.
#![expect(clippy::unwrap_used, reason = "the panic is the report")]

use nubbin_reduce::list_minimizer::{self, ListShape};
use std::collections::HashMap;

/// One test of a log: the text, and whether it failed.
type Test = (String, bool);

/// Reads a log with lines of `+ |text|` (the text fails) or `. |text|` (the text passes).
fn golden(file: &str) -> Vec<Test> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let text = line[2..]
                .strip_prefix('|')
                .and_then(|text| text.strip_suffix('|'));
            (text.unwrap().to_string(), line.starts_with('+'))
        })
        .collect()
}

/// Reduces a text character by character, and returns the tests. With a cache, only new texts are
/// tests, and the input itself is the first one.
fn log(algorithm: &str, input: &str, cached: bool, fails: impl Fn(&str) -> bool) -> Vec<Test> {
    let chars: Vec<char> = input.chars().collect();
    let len = chars.len() as u32;
    let mut cache = HashMap::from([(input.to_string(), true)]);
    let mut log = if cached {
        vec![(input.to_string(), true)]
    } else {
        vec![]
    };
    let mut minimizer = nubbin_published::catalogue()
        .list_minimizer(algorithm)
        .unwrap()
        .start(&ListShape::uniform(len));
    list_minimizer::drive(minimizer.as_mut(), len, |kept| {
        let text: String = kept.iter().map(|&e| chars[e as usize]).collect();
        if let (true, Some(&outcome)) = (cached, cache.get(&text)) {
            return outcome;
        }
        let outcome = fails(&text);
        cache.insert(text.clone(), outcome);
        log.push((text, outcome));
        outcome
    });
    log
}

/// The mystery of the Fuzzing Book, which fails for `(` before `)`.
fn mystery(text: &str) -> bool {
    matches!((text.find('('), text.find(')')), (Some(open), Some(close)) if open < close)
}

/// Returns whether a text starts with `<SELECT` and has a `>` after it.
fn select(text: &str) -> bool {
    text.strip_prefix("<SELECT")
        .is_some_and(|rest| rest.contains('>'))
}

fn parentheses(text: &str) -> bool {
    text.contains('(') && text.contains(')')
}

const SELECT: &str = r#"<SELECT NAME="priority" MULTIPLE SIZE=7>"#;

fn shortest(log: &[Test]) -> &str {
    let failing = log.iter().filter(|(_, fails)| *fails);
    failing
        .min_by_key(|(text, _)| text.len())
        .map_or("", |(text, _)| text)
}

#[test]
fn ddmin_book_runs_the_twenty_nine_tests_of_the_book() {
    let golden = golden(include_str!("golden/ddmin_book_mystery.txt"));
    let input = &golden[0].0;
    assert_eq!(input.len(), 97);
    assert_eq!(log("ddmin-book", input, true, mystery), golden);
    // The sizes of the texts, and whether they fail.
    let sizes: Vec<(usize, bool)> = golden
        .iter()
        .map(|(text, fails)| (text.len(), *fails))
        .collect();
    let (f, p) = (true, false);
    assert_eq!(
        sizes,
        [
            (97, f),
            (49, p),
            (48, p),
            (73, f),
            (49, p),
            (48, f),
            (24, p),
            (24, p),
            (36, f),
            (24, f),
            (12, p),
            (12, p),
            (18, p),
            (18, f),
            (12, p),
            (12, f),
            (6, p),
            (6, p),
            (9, f),
            (6, f),
            (3, p),
            (3, p),
            (5, f),
            (4, p),
            (3, f),
            (2, p),
            (1, p),
            (2, f),
            (1, p),
        ]
    );
}

#[test]
fn ddmin_book_reduces_the_expression_of_the_book() {
    let tests = log("ddmin-book", "1 + (2 * 3)", true, mystery);
    assert_eq!(tests.len(), 15);
    assert_eq!(shortest(&tests), "()");
}

#[test]
fn ddmin_book_keeps_the_expression_if_syntax_errors_are_unresolved() {
    let tests = log("ddmin-book", "1 + (2 * 3)", true, |text| {
        is_expression(text) && mystery(text)
    });
    assert_eq!(tests.len(), 21);
    assert_eq!(shortest(&tests), "1 + (2 * 3)");
}

#[test]
fn ddmin_halving_runs_the_tests_of_the_article() {
    let golden = golden(include_str!("golden/ddmin_halving_select.txt"));
    assert_eq!(golden.len(), 27);
    assert_eq!(log("ddmin-halving", SELECT, false, select), golden);
}

#[test]
fn ddrmin_and_ddmin_halving_run_the_recorded_tests() {
    let recorded = golden(include_str!("golden/ddrmin_select.txt"));
    assert_eq!(log("ddrmin", SELECT, false, select), recorded);
    assert_eq!(shortest(&recorded), "<SELECT>");
    for (algorithm, file) in [
        ("ddrmin", include_str!("golden/ddrmin_parentheses.txt")),
        (
            "ddmin-halving",
            include_str!("golden/ddmin_halving_parentheses.txt"),
        ),
    ] {
        let recorded = golden(file);
        let (input, tests) = recorded.split_first().unwrap();
        assert_eq!(
            log(algorithm, &input.0, false, parentheses),
            tests,
            "{algorithm}"
        );
        assert_eq!(shortest(tests), ")(");
    }
}

#[test]
fn ddmin_runs_the_tests_of_its_definition() {
    let derived = golden(include_str!("golden/ddmin_select.txt"));
    assert_eq!(log("ddmin", SELECT, true, select)[1..], derived);
    assert_eq!(shortest(&derived), "<SELECT>");
    let derived = golden(include_str!("golden/ddmin_mystery.txt"));
    assert_eq!(log("ddmin", &derived[0].0, true, mystery), derived);
    assert_eq!(shortest(&derived), "()");
}

/// Returns whether a text fits the book's grammar of expressions: `+ - * /` between blanks, signs,
/// parentheses, and numbers.
fn is_expression(text: &str) -> bool {
    fn chain<'a>(
        text: &'a str,
        operators: [&str; 2],
        part: fn(&'a str) -> Option<&'a str>,
    ) -> Option<&'a str> {
        let mut rest = part(text)?;
        while let Some(next) = operators
            .iter()
            .find_map(|operator| rest.strip_prefix(*operator))
        {
            rest = part(next)?;
        }
        Some(rest)
    }
    fn expr(text: &str) -> Option<&str> {
        chain(text, [" + ", " - "], |text| {
            chain(text, [" * ", " / "], factor)
        })
    }
    fn integer(text: &str) -> Option<&str> {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < text.len()).then_some(rest)
    }
    fn factor(text: &str) -> Option<&str> {
        match text.chars().next()? {
            '+' | '-' => factor(&text[1..]),
            '(' => expr(&text[1..])?.strip_prefix(')'),
            _ => {
                let rest = integer(text)?;
                rest.strip_prefix('.').map_or(Some(rest), integer)
            }
        }
    }
    expr(text) == Some("")
}

#[test]
fn the_recognizer_accepts_the_language_of_the_grammar() {
    for good in ["1 + (2 * 3)", "(3)", "-+1.50", "((4)) / 2 - 1"] {
        assert!(is_expression(good), "{good}");
    }
    for bad in ["", "1+2", "1 + ", "()", "(1", "1.", "1 1"] {
        assert!(!is_expression(bad), "{bad}");
    }
}
