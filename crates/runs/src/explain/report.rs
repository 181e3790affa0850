//! The report of an explanation: the pattern, the parts that do not matter, JSON.

use crate::choices::RecordedRun;
use crate::choices::to_json;
use crate::problem::{Problem, say, warn};
use crate::settings::ExplainSettings;
use crate::shown::{run_time, style};
use indicatif::HumanCount;
use nubbin_reduce::engine::Ended;
use nubbin_reduce::explain::{Abstract, Explained, Piece, Subject};
use std::fmt::Write;

/// The number of replacements that are shown of a part, and of characters of each.
const SHOWN: usize = 5;
const WIDTH: usize = 24;

pub(super) fn text(
    args: &ExplainSettings,
    subject: &dyn Subject,
    explained: &Explained,
) -> Result<(), Problem> {
    let mut shown = vec![];
    for piece in explained.pattern.pieces() {
        match piece {
            Piece::Text(text) => shown.extend_from_slice(text),
            any => shown.extend_from_slice(style(any.label()).cyan().bold().to_string().as_bytes()),
        }
    }
    if shown.last() != Some(&b'\n') {
        shown.push(b'\n');
    }
    crate::print::print_own(&shown)?;
    if args.quiet {
        return Ok(());
    }
    if is_without_text(explained.pattern.pieces()) {
        warn(
            "no part of the input is needed, so the test may fail for any input: check its \
             conditions",
        );
    }
    let input = subject.input();
    for found in &explained.parts {
        let own = found.part.places.first();
        let own = own
            .and_then(|span| input.bytes().get(span.range()))
            .unwrap_or_default();
        let is_it =
            |piece: &&Piece| matches!(piece, Piece::Any { part, .. } if *part == found.index);
        let mut pieces = explained.pattern.pieces().iter();
        let label = pieces.find(is_it).map_or_else(String::new, Piece::label);
        say(&line(&label, own, found));
    }
    summary(
        explained,
        &format!(
            "{} of {} bytes matter",
            HumanCount(explained.pattern.concrete() as u64),
            HumanCount(input.size() as u64)
        ),
    );
    Ok(())
}

/// Returns whether a pattern has nothing that a text must have.
fn is_without_text(pieces: &[Piece]) -> bool {
    let is_space = |piece: &Piece| match piece {
        Piece::Text(text) => text.iter().all(u8::is_ascii_whitespace),
        Piece::Any { .. } => true,
    };
    pieces.iter().all(is_space)
}

pub(super) fn choices(
    args: &ExplainSettings,
    subject: &dyn Subject,
    generated: &RecordedRun,
    explained: &Explained,
) -> Result<(), Problem> {
    let mut shown = String::new();
    for (number, choice) in generated.run.choices.iter().enumerate() {
        let kind = subject.parts().get(number).map_or("", |part| &part.kind);
        let value = to_json(&choice.value).to_string();
        let found = explained.parts.iter().find(|found| found.index == number);
        let _ = match found {
            Some(found) => writeln!(
                shown,
                "{number:>4}  {}",
                style(line(&format!("any {kind}"), value.as_bytes(), found).trim_start()).cyan()
            ),
            None => writeln!(
                shown,
                "{number:>4}  {kind}: {}",
                style(short(value.as_bytes())).bold()
            ),
        };
    }
    crate::print::print_text(&shown)?;
    if args.quiet {
        return Ok(());
    }
    let all = generated.run.choices.len();
    summary(
        explained,
        &format!("{} of {all} choices matter", all - explained.parts.len()),
    );
    say(&format!(
        "text: {}",
        String::from_utf8_lossy(&generated.run.text).trim_end()
    ));
    Ok(())
}

/// Returns a line with the kind of a part, its text, and its replacements.
fn line(kind: &str, own: &[u8], found: &Abstract) -> String {
    let others: Vec<String> = found
        .texts
        .iter()
        .take(SHOWN)
        .map(|text| short(text))
        .collect();
    let more = if found.texts.len() > SHOWN {
        ", …"
    } else {
        ""
    };
    format!("  {kind}: {}, or {}{more}", short(own), others.join(", "))
}

fn short(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= WIDTH {
        return format!("`{text}`");
    }
    let head: String = text.chars().take(WIDTH - 1).collect();
    format!("`{head}…`")
}

fn summary(explained: &Explained, matters: &str) {
    let statistics = &explained.statistics;
    let samples = explained.parts.iter().map(|found| found.samples).max();
    let left = statistics.parts - statistics.settled;
    let parts = match (explained.parts.len(), samples) {
        (0, _) | (_, None) if statistics.settled == 0 => "no part was tested to its end".to_owned(),
        (0, _) | (_, None) if left > 0 && statistics.settled == 1 => {
            "the one part that was tested cannot be replaced with others of its kind".to_owned()
        }
        (0, _) | (_, None) if left > 0 => format!(
            "none of the {} parts that were tested can be replaced with others of its kind",
            HumanCount(statistics.settled as u64)
        ),
        (0, _) | (_, None) => "no part can be replaced with others of its kind".to_owned(),
        (1, Some(samples)) => format!("1 part can be anything of its kind, by {samples} samples"),
        (parts, Some(samples)) => {
            format!("{parts} parts can be anything of their kind, by {samples} samples each")
        }
    };
    let time = run_time(statistics.elapsed);
    say(&format!(
        "{matters}; {parts}; {} tests in {time}",
        HumanCount(statistics.tests)
    ));
    let why = match &explained.ended {
        Ended::MaxTests => Some("stopped at the test limit"),
        Ended::MaxTime => Some("stopped at the time limit"),
        Ended::Stopped => Some("stopped"),
        _ => None,
    };
    if let Some(why) = why {
        say(&format!("{why}: {left} parts were not tested"));
    }
}
