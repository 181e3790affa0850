//! The explanation of a test in words.

use crate::shown::count;
use nubbin_campaign::{PatternPiece, TestPattern};

/// The maximum number of characters of a part that are shown.
const WIDTH: usize = 24;

/// Returns the evidence of an explanation.
pub(super) fn evidence(pattern: &TestPattern) -> String {
    let tests = count(pattern.tests, "test");
    let samples = match pattern.samples {
        0 => "no part can be replaced with others of its kind".to_owned(),
        samples => format!("by {} of each part", count(samples, "sample")),
    };
    let rest = match pattern.is_complete {
        true => "",
        false => "; some parts were not tested",
    };
    format!("{samples}, in {tests}{rest}")
}

/// Returns a sentence about the marks on the parts of an explanation, without its full stop.
pub(super) fn about(pattern: &TestPattern) -> String {
    match pattern.samples {
        0 => with_capital(&evidence(pattern)),
        _ => format!(
            "A marked part may be anything of its kind, {}",
            evidence(pattern)
        ),
    }
}

fn with_capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Returns a line for each part that may be anything of its kind, each once.
pub(super) fn lines(pattern: &TestPattern) -> Vec<String> {
    let mut lines = vec![];
    for piece in &pattern.pieces {
        if let Some(any) = &piece.any {
            let line = line(any, piece);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

fn line(any: &str, piece: &PatternPiece) -> String {
    let others: Vec<String> = piece.others.iter().map(|other| short(other)).collect();
    match others.is_empty() {
        true => format!("{any}: {}", short(&piece.text)),
        false => format!("{any}: {}, or {}", short(&piece.text), others.join(", ")),
    }
}

fn short(text: &str) -> String {
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().nth(WIDTH) {
        None => format!("`{text}`"),
        Some(_) => {
            let head: String = text.chars().take(WIDTH - 1).collect();
            format!("`{head}…`")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_with_the_same_text_have_one_line() {
        let name = |other: &str| PatternPiece {
            text: "x".into(),
            any: Some("<name-1>".into()),
            others: vec![other.into()],
        };
        let pattern = TestPattern {
            pieces: vec![name("y"), name("y")],
            samples: 5,
            tests: 1,
            is_complete: false,
        };
        assert_eq!(lines(&pattern), ["<name-1>: `x`, or `y`"]);
        let said = "by 5 samples of each part, in 1 test; some parts were not tested";
        assert_eq!(evidence(&pattern), said);
    }

    #[test]
    fn a_test_without_a_marked_part_has_no_sentence_about_marks() {
        let mut pattern = TestPattern {
            pieces: vec![],
            samples: 0,
            tests: 3,
            is_complete: true,
        };
        let said = "No part can be replaced with others of its kind, in 3 tests";
        assert_eq!(about(&pattern), said);
        pattern.samples = 1;
        assert!(about(&pattern).starts_with("A marked part"));
    }
}
