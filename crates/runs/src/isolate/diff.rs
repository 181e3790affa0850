//! The minimal difference as a unified diff.

use super::results::Results;
use crate::shown::visible;
use console::{Style, Term};
use nubbin_reduce::auto::Kind;
use nubbin_reduce::isolate::{Atom, Isolated, hunks};
use nubbin_reduce::view::lines;
use std::ops::Range;

/// The length in bytes of the part of a long line that is shown. Longer lines are cut on a
/// terminal.
const LONG_LINE: usize = 240;

/// Longer lines, in bytes, are cut for a program that reads the difference through a pipe.
const LONGEST_LINE: usize = 1000;

/// The number of bytes that are shown of a difference in binary data.
const SHOWN_BYTES: usize = 64;

/// The difference between the two results as it is printed.
pub(super) struct Difference {
    pub(super) text: Vec<u8>,
    /// Whether a long line was cut around its change.
    pub(super) is_cut: bool,
}

/// Returns the difference between the two results: in color and without control characters for a
/// terminal, otherwise byte for byte, so that `patch` can read it. Only a file has long lines as a
/// whole.
pub(super) fn minimal(isolated: &Isolated, results: &Results, context: usize) -> Difference {
    let term = Term::stdout().is_term();
    let longest = match term {
        true => Some(LONG_LINE),
        false if is_file() => None,
        false => Some(LONGEST_LINE),
    };
    let mut page = Page {
        colours: console::colors_enabled(),
        safe: term,
        longest,
        ..Page::default()
    };
    let (old, new) = (isolated.passing.bytes(), isolated.failing.bytes());
    let bold = Style::new().bold();
    page.line(
        &bold,
        format!("--- {}", results.passing.display()).as_bytes(),
    );
    page.line(
        &bold,
        format!("+++ {}", results.failing.display()).as_bytes(),
    );
    if [old, new].iter().all(|text| Kind::of(text) == Kind::Text) {
        unified(&mut page, old, new, context);
    } else {
        hexadecimal(&mut page, isolated);
    }
    Difference {
        text: page.out,
        is_cut: page.is_cut,
    }
}

/// Returns whether standard output is a plain file.
#[cfg(unix)]
fn is_file() -> bool {
    use std::os::fd::AsFd as _;
    #[expect(clippy::disallowed_methods, reason = "nothing is printed through it")]
    let stdout = std::io::stdout();
    let file = stdout.as_fd().try_clone_to_owned().map(std::fs::File::from);
    file.and_then(|file| file.metadata())
        .is_ok_and(|found| found.is_file())
}

/// Returns whether standard output is a plain file, which cannot be told from a pipe here.
#[cfg(not(unix))]
fn is_file() -> bool {
    true
}

#[derive(Default)]
struct Page {
    out: Vec<u8>,
    colours: bool,
    /// Whether control characters would reach a terminal.
    safe: bool,
    /// The length in bytes of the longest line that is shown as a whole.
    longest: Option<usize>,
    /// Whether a line was cut.
    is_cut: bool,
}

impl Page {
    fn line(&mut self, style: &Style, text: &[u8]) {
        self.styled(style, text);
        self.out.push(b'\n');
    }

    fn styled(&mut self, style: &Style, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        if !self.safe && !self.colours {
            self.out.extend_from_slice(text);
            return;
        }
        let text = String::from_utf8_lossy(text);
        let parts: Vec<_> = text.split('\t').map(visible).collect();
        let shown = parts.join("\t");
        let shown = if self.colours {
            style
                .clone()
                .force_styling(true)
                .apply_to(shown)
                .to_string()
        } else {
            shown
        };
        self.out.extend_from_slice(shown.as_bytes());
    }
}

/// A text as lines.
struct Lines<'t> {
    text: &'t [u8],
    bounds: Vec<u32>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t [u8]) -> Self {
        Lines {
            text,
            bounds: lines::bounds(text),
        }
    }

    fn count(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    /// Returns the number of the line that begins at an offset.
    fn at(&self, offset: u32) -> usize {
        self.bounds.partition_point(|&bound| bound < offset)
    }

    fn get(&self, line: usize) -> &'t [u8] {
        match self.bounds.get(line..line + 2) {
            Some(&[start, end]) => self
                .text
                .get(start as usize..end as usize)
                .unwrap_or_default(),
            _ => &[],
        }
    }
}

fn unified(page: &mut Page, old: &[u8], new: &[u8], context: usize) {
    let (before, after) = (Lines::of(old), Lines::of(new));
    let changed: Vec<(Range<usize>, Range<usize>)> = hunks(old, new, Atom::Line)
        .into_iter()
        .map(|hunk| {
            (
                before.at(hunk.old.start)..before.at(hunk.old.end),
                after.at(hunk.new.start)..after.at(hunk.new.end),
            )
        })
        .collect();
    let near = |a: &(Range<usize>, Range<usize>), b: &(Range<usize>, Range<usize>)| {
        b.0.start - a.0.end <= 2 * context
    };
    let (red, green, plain) = (Style::new().red(), Style::new().green(), Style::new());
    for group in changed.chunk_by(near) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        let lead = first.0.start.min(context);
        let tail = (before.count() - last.0.end).min(context);
        let header = format!(
            "@@ -{} +{} @@",
            place(first.0.start - lead..last.0.end + tail),
            place(first.1.start - lead..last.1.end + tail)
        );
        page.line(&Style::new().cyan(), header.as_bytes());
        let mut at = first.0.start - lead;
        for (removed, added) in group {
            for line in at..removed.start {
                one(page, &plain, b" ", before.get(line), None);
            }
            let pair = (removed.len() == 1 && added.len() == 1)
                .then(|| differing(before.get(removed.start), after.get(added.start)));
            for line in removed.clone() {
                let inside = pair.clone().map(|(inside, _)| inside);
                one(page, &red, b"-", before.get(line), inside);
            }
            for line in added.clone() {
                let inside = pair.clone().map(|(_, inside)| inside);
                one(page, &green, b"+", after.get(line), inside);
            }
            at = removed.end;
        }
        for line in at..last.0.end + tail {
            one(page, &plain, b" ", before.get(line), None);
        }
    }
}

/// Formats lines for the header of a hunk.
fn place(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        len => format!("{},{len}", lines.start + 1),
    }
}

/// Returns the parts that differ in two versions of a line.
fn differing(old: &[u8], new: &[u8]) -> (Range<usize>, Range<usize>) {
    let found = hunks(old, new, Atom::Char);
    match (found.first(), found.last()) {
        (Some(first), Some(last)) => (
            first.old.start as usize..last.old.end as usize,
            first.new.start as usize..last.new.end as usize,
        ),
        _ => (0..0, 0..0),
    }
}

fn one(page: &mut Page, style: &Style, mark: &[u8], line: &[u8], inside: Option<Range<usize>>) {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    let ended = text.len() < line.len();
    let inside = inside.unwrap_or(0..0);
    let (start, end) = (inside.start.min(text.len()), inside.end.min(text.len()));
    let shown = match page.longest {
        Some(longest) if text.len() > longest => whole_chars(text, window(text.len(), start..end)),
        _ => 0..text.len(),
    };
    page.is_cut |= shown.len() < text.len();
    let (start, end) = (start.max(shown.start), end.max(shown.start));
    let part = |range: Range<usize>| text.get(range).unwrap_or_default();
    page.styled(style, mark);
    if shown.start > 0 {
        page.styled(&Style::new().dim(), "...".as_bytes());
    }
    page.styled(style, part(shown.start..start));
    page.styled(&style.clone().reverse(), part(start..end.min(shown.end)));
    page.styled(style, part(end..shown.end.max(end)));
    if shown.end < text.len() {
        page.styled(&Style::new().dim(), "...".as_bytes());
    }
    page.out.push(b'\n');
    if !ended {
        page.line(&Style::new(), b"\\ No newline at end of file");
    }
}

/// Returns the part of a line that a terminal shows: all of it, or the surroundings of the part
/// that matters.
fn window(len: usize, inside: Range<usize>) -> Range<usize> {
    if len <= LONG_LINE {
        return 0..len;
    }
    let start = inside.start.saturating_sub(LONG_LINE / 4);
    let end = inside.end.min(inside.start + LONG_LINE / 2) + LONG_LINE / 4;
    start..end.max(start + LONG_LINE).min(len)
}

/// Returns a part of a line without the halves of characters at its ends.
fn whole_chars(line: &[u8], part: Range<usize>) -> Range<usize> {
    let is_inside = |at: &usize| line.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let start = (part.start..part.end).find(|at| !is_inside(at));
    let start = start.unwrap_or(part.start);
    let end = (start..=part.end).rev().find(|at| !is_inside(at));
    start..end.unwrap_or(part.end)
}

/// Formats neighboring changes as one, like a unified diff but by offsets.
fn hexadecimal(page: &mut Page, isolated: &Isolated) {
    let (old, new) = (isolated.passing.bytes(), isolated.failing.bytes());
    let (red, green, cyan) = (
        Style::new().red(),
        Style::new().green(),
        Style::new().cyan(),
    );
    for hunk in hunks(old, new, Atom::Byte) {
        page.line(&cyan, format!("@@ byte {} @@", hunk.old.start).as_bytes());
        let removed = old.get(hunk.old.range()).unwrap_or_default();
        let added = new.get(hunk.new.range()).unwrap_or_default();
        for (style, mark, bytes) in [(&red, "-", removed), (&green, "+", added)] {
            if !bytes.is_empty() {
                page.line(style, format!("{mark}{}", hex(bytes)).as_bytes());
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    let shown = bytes.iter().take(SHOWN_BYTES);
    let mut text = shown
        .map(|byte| format!("{byte:02x}"))
        .collect::<Vec<_>>()
        .join(" ");
    if bytes.len() > SHOWN_BYTES {
        text += &format!(" ... ({} bytes)", bytes.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str, context: usize) -> String {
        let mut page = Page::default();
        unified(&mut page, old.as_bytes(), new.as_bytes(), context);
        String::from_utf8(page.out).unwrap()
    }

    #[test]
    fn hunks_are_as_diff_shows_them() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let new = "1\n2\n3\nfour\n5\n6\n7\n8\n9\n10";
        assert_eq!(
            shown(old, new, 1),
            "@@ -3,3 +3,3 @@\n 3\n-4\n+four\n 5\n@@ -9 +9,2 @@\n 9\n+10\n\\ No newline at end of file\n"
        );
        assert_eq!(
            shown(old, new, 0),
            "@@ -4 +4 @@\n-4\n+four\n@@ -9,0 +10 @@\n+10\n\\ No newline at end of file\n"
        );
        // The changes are close enough to share their context.
        assert!(shown(old, new, 3).starts_with("@@ -1,9 +1,10 @@\n 1\n"));
    }

    #[test]
    fn a_line_whose_end_is_missing_is_another_line() {
        assert_eq!(
            shown("a\n", "a", 3),
            "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"
        );
        assert_eq!(shown("", "a\n", 3), "@@ -0,0 +1 @@\n+a\n");
    }

    #[test]
    fn a_terminal_gets_the_part_of_a_long_line_around_the_difference() {
        let long = |word: &str| format!("{}{word}{}\n", "a".repeat(5000), "b".repeat(5000));
        let (old, new) = (long("calm"), long("crash"));
        let mut page = Page {
            safe: true,
            longest: Some(LONG_LINE),
            ..Page::default()
        };
        unified(&mut page, old.as_bytes(), new.as_bytes(), 3);
        let shown = String::from_utf8(page.out.clone()).unwrap();
        let lines: Vec<&str> = shown.lines().collect();
        assert!(
            lines[1].starts_with("-...aa") && lines[1].ends_with("bb..."),
            "{shown}"
        );
        assert!(
            lines[2].contains("crash") && lines[2].len() < 300,
            "{shown}"
        );
        assert!(page.is_cut);
        assert_eq!(window(10_000, 50..9_000), 0..240);
        assert_eq!(window(10_000, 0..0), 0..240);
        assert_eq!(window(10_000, 9_000..9_001), 8_940..9_180);
        assert_eq!(window(100, 50..60), 0..100);
    }

    #[test]
    fn a_line_is_cut_between_its_characters() {
        let line = "äöü".repeat(200);
        assert_eq!(whole_chars(line.as_bytes(), 1..5), 2..4);
        assert_eq!(whole_chars(line.as_bytes(), 0..line.len()), 0..line.len());
        assert_eq!(whole_chars(b"abc", 1..2), 1..2);
    }

    #[test]
    fn long_runs_of_bytes_are_cut() {
        assert_eq!(hex(&[0, 255]), "00 ff");
        assert!(hex(&[1; 70]).ends_with("01 ... (70 bytes)"));
    }
}
