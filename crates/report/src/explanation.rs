//! Which parts of an input matter: a page of its own, and a section of the page of a run.

use super::hex_view;
use crate::events::{Explanation, PatternPiece, ReplaceablePart, TextPattern};
use crate::html::document;
use crate::html::facts::{card, count, typed};
use maud::{Markup, html};

/// The number of replacements that are shown of a part.
const SHOWN: usize = 5;

/// The longest replacement that is shown, in characters.
const LONGEST: usize = 60;

/// An input that was explained.
#[derive(Debug)]
pub struct ExplainedInput<'a> {
    /// The name of the file.
    pub name: String,
    pub bytes: &'a [u8],
    /// The failure that is kept, for people.
    pub failure: &'a str,
    /// The command line, without values that may be secret.
    pub command: &'a [String],
    pub explanation: &'a Explanation,
}

/// Returns the page of an explanation.
pub(super) fn of_input(shown: &ExplainedInput<'_>) -> String {
    let explanation = shown.explanation;
    let title = format!("nubbin: the parts of {} that matter", shown.name);
    let body = html! {
        h1 { (title) }
        dl.cards {
            @if let Some(pattern) = &explanation.pattern {
                (card("bytes that matter", &of_all(pattern.bytes_concrete, explanation.bytes), ""))
            }
            (card("parts that may be anything of their kind", &count(explanation.replaceable.len() as u64),
                &format!("of {} parts", count(explanation.parts as u64))))
            (card("tests", &count(explanation.tests), &format!("{} failed", count(explanation.tests_failing))))
            (card("end", &explanation.ended, ""))
        }
        p.failure { "Failure: " code { (shown.failure.trim_start_matches("the failure is ")) } }
        (section(explanation, None))
        @if explanation.pattern.is_none() {
            section { h2 { "The text of the choices" } pre tabindex="0" role="group" aria-label="the text" { (hex_view::bytes_markup(shown.bytes)) } }
        }
        section { h2 { "Command" } pre tabindex="0" role="group" aria-label="the command" { (typed(shown.command)) } }
    };
    document(&title, &body, None)
}

/// Returns the section of an explanation. `name` is the name of the file, if the input has several
/// files.
pub(super) fn section(explanation: &Explanation, name: Option<&str>) -> Markup {
    let pattern = explanation.pattern.as_ref();
    html! {
        section #explanation {
            h2 { @if pattern.is_some() { "The parts that matter" } @else { "The choices that matter" }
                @if let Some(name) = name { " in " (name) } }
            (summary(explanation))
            @if let Some(pattern) = pattern { (text(explanation, pattern)) }
            @if !explanation.replaceable.is_empty() { (parts(explanation)) }
            @if !explanation.examples.is_empty() {
                details {
                    summary { "Other inputs that fail" }
                    @for example in &explanation.examples { pre tabindex="0" role="group" aria-label="an input that fails" { (example) } }
                }
            }
        }
    }
}

fn summary(explanation: &Explanation) -> Markup {
    let found = explanation.replaceable.len() as u64;
    let samples = explanation.replaceable.iter().map(|part| part.samples);
    // Parts inside a part that may be anything need no tests.
    let left = match explanation.ended.as_str() {
        "complete" => 0,
        _ => explanation.parts.saturating_sub(explanation.parts_settled),
    };
    html! {
        p {
            @if let Some(pattern) = &explanation.pattern {
                (of_all(pattern.bytes_concrete, explanation.bytes)) " bytes matter. "
            } @else {
                (of_all((explanation.parts as u64).saturating_sub(found), explanation.parts as u64)) " choices matter. "
            }
            @if let Some(samples) = samples.max() {
                "The others may be anything of their kind: all " (samples) " samples of each failed, which is not a proof. "
            }
            @if left > 0 { (parts_left(left)) }
        }
    }
}

fn parts_left(left: usize) -> String {
    match left {
        1 => "1 part was not tested.".to_owned(),
        _ => format!("{} parts were not tested.", count(left as u64)),
    }
}

/// Returns the input with its parts marked, and the pattern.
fn text(explanation: &Explanation, pattern: &TextPattern) -> Markup {
    html! {
        p.legend { span.key.needed {} "matters " span.key.any {} "may be anything of its kind" }
        pre.parts tabindex="0" role="group" aria-label="the input, with the parts that may be anything" {
            @for piece in &pattern.pieces { @match piece {
                PatternPiece::Text { text } => (text),
                PatternPiece::Any { part, .. } => span.any title=(piece.label()) { (explanation.own(*part)) },
            } }
        }
        p.legend { "The same as a pattern. A kind with a number is the same text in all its places." }
        pre.parts tabindex="0" role="group" aria-label="the pattern" {
            @for piece in &pattern.pieces { @match piece {
                PatternPiece::Text { text } => (text),
                PatternPiece::Any { .. } => span.any { (piece.label()) },
            } }
        }
    }
}

/// Returns the table of the parts, with some of their replacements.
fn parts(explanation: &Explanation) -> Markup {
    let is_text = explanation.pattern.is_some();
    html! {
        div.scroll tabindex="0" { table {
            thead { tr {
                @if !is_text { th.number scope="col" { "choice" } }
                th scope="col" { "kind" }
                th scope="col" { "in the input" }
                th scope="col" { "fails as well with" }
            } }
            tbody { @for part in &explanation.replaceable { tr {
                @if !is_text { td.number { (part.part) } }
                th scope="row" { code { (label(explanation, part)) } }
                td { code { (short(&part.own)) } }
                td.others { (others(part)) }
            } } }
        } }
    }
}

fn others(part: &ReplaceablePart) -> Markup {
    html! {
        @for (number, other) in part.others.iter().take(SHOWN).enumerate() {
            @if number > 0 { ", " }
            code { (short(other)) }
        }
        @if part.others.len() > SHOWN { ", …" }
    }
}

/// Returns the label of a part in the pattern, or its kind.
fn label(explanation: &Explanation, part: &ReplaceablePart) -> String {
    let is_it = |piece: &&PatternPiece| matches!(piece, PatternPiece::Any { part: index, .. } if *index == part.part);
    let mut pieces = explanation.pattern.iter().flat_map(|text| &text.pieces);
    pieces
        .find(is_it)
        .map_or_else(|| part.kind.clone(), PatternPiece::label)
}

/// Shortens a text to one line.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

fn of_all(some: u64, all: u64) -> String {
    format!("{} of {}", count(some), count(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanation() -> Explanation {
        let any = |part, start, end| PatternPiece::Any {
            kind: "int".into(),
            same: None,
            part,
            start,
            end,
        };
        let text = |text: &str| PatternPiece::Text { text: text.into() };
        let part = |part, own: &str, others: &[&str]| ReplaceablePart {
            part,
            kind: "int".into(),
            own: own.into(),
            places: vec![],
            samples: 10,
            others: others.iter().map(|&text| text.to_owned()).collect(),
        };
        Explanation {
            ended: "max-tests".into(),
            tests: 21,
            tests_failing: 20,
            parts: 3,
            parts_settled: 2,
            replaceable: vec![
                part(1, "12", &["1", "2", "3", "4", "<b>", "6"]),
                part(2, "7", &["0"]),
            ],
            examples: vec!["3/0<1".into()],
            bytes: 6,
            pattern: Some(TextPattern {
                pattern: "<int>/0<<int>\n".into(),
                pieces: vec![any(1, 0, 2), text("/0<"), any(2, 5, 6)],
                bytes_concrete: 3,
            }),
            ..Explanation::default()
        }
    }

    #[test]
    fn a_page_marks_the_parts_and_lists_their_replacements() {
        let page = of_input(&ExplainedInput {
            name: "sum.txt".into(),
            bytes: b"12/0<7",
            failure: "exit code 1",
            command: &["nubbin".into(), "explain".into()],
            explanation: &explanation(),
        });
        for part in [
            "3 of 6 bytes matter",
            "1 part was not tested",
            "<span class=\"any\" title=\"&lt;int&gt;\">12</span>/0&lt;<span",
            "<span class=\"any\">&lt;int&gt;</span>/0&lt;",
            "<code>&lt;b&gt;</code>, …",
            "3/0&lt;1",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert!(!page.contains("<code>6</code>"), "{page}");
        assert!(!page.contains("<script"), "{page}");
    }
}
