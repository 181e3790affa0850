//! The original, colored by the order of removals.

use super::history::{History, KEPT};
use maud::{Markup, html};

/// The number of shades from the first removals to the last.
const SHADES: u64 = 6;

/// The longest text that is shown, in bytes. A browser needs seconds for a longer one.
const LONGEST: usize = 200_000;

/// Returns all files of the original, with each byte in the shade of its removal.
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
        shown.push((file.name.as_str(), segments(run, at, end)));
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
        @for (name, segments) in shown {
            @if files.len() > 1 { h3 { (name) } }
            pre.heat tabindex="0" role="group" aria-label=(format!("{name}: order of removals")) {
                @for segment in segments {
                    @match segment.taken {
                        None => mark { (segment.text) },
                        Some((shade, title)) => span class=(format!("s{shade}")) title=(title) { (segment.text) },
                    }
                }
            }
        }
    })
}

struct Segment {
    text: String,
    /// The shade and the explanation.
    taken: Option<(u64, String)>,
}

/// Returns runs of bytes that were removed together.
fn segments(run: &History, start: usize, end: usize) -> Vec<Segment> {
    let layers = &run.layers;
    let last = run.adopted.last().map_or(1, |adopted| adopted.tests.max(1));
    let mut found = vec![];
    let mut at = start;
    while at < end {
        let taken = layers.taken[at];
        let mut next = at + 1;
        // A run never splits a character.
        while next < end && (layers.taken[next] == taken || layers.original[next] & 0xc0 == 0x80) {
            next += 1;
        }
        let text = String::from_utf8_lossy(&layers.original[at..next]).into_owned();
        let by = run.adopted.get(taken as usize).filter(|_| taken != KEPT);
        found.push(Segment {
            text,
            taken: by.map(|by| {
                // The first tenth of the tests gets half of the shades, since it removes the most.
                let part = (by.tests as f64 / last as f64).sqrt();
                let shade = ((part * SHADES as f64) as u64).min(SHADES - 1);
                (
                    shade,
                    format!("removed by {} after {} tests", by.pass, by.tests),
                )
            }),
        });
        at = next;
    }
    found
}

/// Returns the original and the result side by side, with a row for each line.
pub(super) fn side_by_side(run: &History) -> Option<Markup> {
    const MOST_LINES: usize = 2000;
    let layers = &run.layers;
    if layers.original.is_empty() {
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
