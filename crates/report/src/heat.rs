//! The original, colored by the order of removals.

use super::hex_view;
use super::history::{History, KEPT};
use crate::events::InputFile;
use maud::{Markup, html};

/// The number of shades from the first removals to the last.
const SHADES: u64 = 6;

/// The longest text that is shown, in bytes. A browser needs seconds for a longer one.
const LONGEST: usize = 200_000;

/// Returns all files of the original, with each byte in the shade of its removal. Binary files are
/// shown in hexadecimal digits.
pub(super) fn original(run: &History) -> Option<Markup> {
    let files = run.start.as_ref()?.input.as_deref()?;
    let layers = &run.layers;
    if layers.original.is_empty() || layers.original.len() > LONGEST {
        return None;
    }
    let mut at = 0;
    let mut shown = vec![];
    for file in files {
        let end = at + file.text.bytes().len();
        let bytes = file.text.bytes();
        let text = match hex_view::is_binary(bytes) {
            true => hex_view::lines(
                bytes,
                |place| layers.taken[at + place],
                |place, text| painted(&removal(run, layers.taken[at + place]), text),
            ),
            false => html! {
                @for segment in segments(run, at, end) { (painted(&segment.taken, &segment.text)) }
            },
        };
        shown.push((file.name.as_str(), text));
        at = end + usize::from(files.len() > 1);
    }
    Some(html! {
        p.legend {
            span.key.kept {} "kept "
            @for shade in 0..SHADES {
                span class=(format!("key s{shade}")) {}
                @if shade == 0 { "removed first " } @else if shade + 1 == SHADES { "removed last" }
            }
        }
        @for (name, text) in shown {
            @if files.len() > 1 { h3 { (name) } }
            pre.heat tabindex="0" role="group" aria-label=(format!("{name}: order of removals")) { (text) }
        }
    })
}

/// Returns a text in the shade of its removal.
fn painted(taken: &Option<Removal>, text: &str) -> Markup {
    html! {
        @match taken {
            None => mark { (text) },
            Some(by) => span class=(format!("s{}", by.shade)) title=(by.title) { (text) },
        }
    }
}

struct Segment {
    text: String,
    /// The removal of the segment, if it was removed.
    taken: Option<Removal>,
}

struct Removal {
    shade: u64,
    /// The explanation.
    title: String,
}

/// Returns the removal by an adoption; `None` for a byte that was kept.
fn removal(run: &History, taken: u32) -> Option<Removal> {
    let by = run.adopted.get(taken as usize).filter(|_| taken != KEPT)?;
    let last = run.adopted.last().map_or(1, |adopted| adopted.tests.max(1));
    // The first tenth of the tests gets half of the shades, since it removes the most.
    let part = (by.tests as f64 / last as f64).sqrt();
    Some(Removal {
        shade: ((part * SHADES as f64) as u64).min(SHADES - 1),
        title: format!("removed by {} after {} tests", by.pass, by.tests),
    })
}

/// Returns runs of bytes that were removed together.
fn segments(run: &History, start: usize, end: usize) -> Vec<Segment> {
    let layers = &run.layers;
    let mut found = vec![];
    let mut at = start;
    while at < end {
        let taken = layers.taken[at];
        let mut next = at + 1;
        // A run must not split a character.
        while next < end && (layers.taken[next] == taken || layers.original[next] & 0xc0 == 0x80) {
            next += 1;
        }
        let text = String::from_utf8_lossy(&layers.original[at..next]).into_owned();
        found.push(Segment {
            text,
            taken: removal(run, taken),
        });
        at = next;
    }
    found
}

/// Returns the original and the result side by side, with a row for each line. Binary files have no
/// lines.
pub(super) fn side_by_side(run: &History) -> Option<Markup> {
    const MOST_LINES: usize = 2000;
    let layers = &run.layers;
    let files = run.start.as_ref()?.input.as_deref()?;
    let is_binary = |file: &InputFile| hex_view::is_binary(file.text.bytes());
    if layers.original.is_empty() || files.iter().any(is_binary) {
        return None;
    }
    let lines = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(bytes).replace('\0', "");
        text.lines().map(str::to_owned).collect()
    };
    let (old, new) = (lines(&layers.original), lines(&layers.result()));
    if old.len() > MOST_LINES {
        return None;
    }
    let rows = folded(rows(run, &old, &new));
    Some(html! {
        table.diff {
            caption.hidden { "Original and result, line by line" }
            thead { tr { th scope="col" { "original" } th scope="col" { "result" } } }
            tbody {
                @for row in rows { @match row {
                    Row::Lines(old, new) => tr {
                        td { @if let Some(old) = &old { code.(if new.is_some() { "left" } else { "gone" }) { (old) } } }
                        td { @if let Some(new) = &new { code { (new) } } }
                    },
                    Row::Folded(count) => tr { td.folded { (count) " more lines removed" } td {} },
                } }
            }
        }
    })
}

enum Row {
    Lines(Option<String>, Option<String>),
    /// A number of removed lines.
    Folded(usize),
}

/// Shortens long runs of removed lines.
fn folded(rows: Vec<(Option<String>, Option<String>)>) -> Vec<Row> {
    const SHOWN: usize = 3;
    let mut found = vec![];
    for run in rows.chunk_by(|a, b| a.1.is_none() && b.1.is_none()) {
        let gone = run.iter().all(|(_, new)| new.is_none());
        let shown = if gone && run.len() > SHOWN + 1 {
            SHOWN
        } else {
            run.len()
        };
        found.extend(
            run[..shown]
                .iter()
                .map(|(old, new)| Row::Lines(old.clone(), new.clone())),
        );
        if shown < run.len() {
            found.push(Row::Folded(run.len() - shown));
        }
    }
    found
}

/// Aligns each line of the result with the first line of the original that it has bytes from.
fn rows(run: &History, old: &[String], new: &[String]) -> Vec<(Option<String>, Option<String>)> {
    let origins = run.layers.origins();
    let mut rows: Vec<(Option<String>, Option<String>)> = vec![];
    let mut shown = 0;
    for (line, text) in new.iter().enumerate() {
        let from = origins.get(line).copied().flatten();
        match from {
            Some(from) if from >= shown => {
                rows.extend(
                    old[shown..from.min(old.len())]
                        .iter()
                        .map(|old| (Some(old.clone()), None)),
                );
                rows.push((old.get(from).cloned(), Some(text.clone())));
                shown = (from + 1).min(old.len());
            }
            _ => rows.push((None, Some(text.clone()))),
        }
    }
    rows.extend(old[shown..].iter().map(|old| (Some(old.clone()), None)));
    rows
}
