//! The panel of the best so far: a window around the last change.

use super::excerpt::{Excerpt, Mark, words};
use crate::view::characters::tame;
use crate::view::theme::Theme;
use crate::view::write::{put, put_line, row};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};
use unicode_width::UnicodeWidthChar;

/// The number of rows before the change and after a removal that is longer than the panel.
const CONTEXT: usize = 3;

pub(super) fn draw(excerpt: &Excerpt, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let Some((area, rows)) = rows(excerpt, area, theme) else {
        return;
    };
    for (number, line) in (0..area.height).zip(window(&rows, area.height.into())) {
        match line {
            Shown::Row(line) => put_line(buffer, row(area, number), line),
            Shown::Left(rows) => {
                let note = format!("⋯ {rows} more rows");
                put(buffer, row(area, number), &note, theme.dim);
            }
        }
    }
}

/// Draws an excerpt without its first rows, `above`. Returns the largest number of rows that can be
/// above the area.
pub(super) fn draw_from(
    above: usize,
    excerpt: &Excerpt,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) -> usize {
    let Some((area, rows)) = rows(excerpt, area, theme) else {
        return 0;
    };
    let most = rows.len().saturating_sub(area.height.into());
    for (number, shown) in (0..area.height).zip(&rows[above.min(most)..]) {
        put_line(buffer, row(area, number), &shown.line);
    }
    most
}

/// Returns the rows of an excerpt, and the area for them; `None` if that is too narrow.
fn rows(excerpt: &Excerpt, area: Rect, theme: &Theme) -> Option<(Rect, Vec<Row>)> {
    let area = Rect {
        x: area.x + 1.min(area.width),
        width: area.width.saturating_sub(2),
        ..area
    };
    if area.width < 8 {
        return None;
    }
    let make = if excerpt.is_text { text_rows } else { hex_rows };
    Some((area, make(excerpt, area.width.into(), theme)))
}

/// A row on the screen, and whether anything in it changed.
struct Row {
    line: Line<'static>,
    changed: bool,
}

enum Shown<'a> {
    Row(&'a Line<'static>),
    /// A number of omitted rows.
    Left(usize),
}

/// Returns the rows for a given height: the change and its surroundings.
fn window(rows: &[Row], height: usize) -> Vec<Shown<'_>> {
    let first = rows.iter().position(|row| row.changed).unwrap_or(0);
    let last = rows.iter().rposition(|row| row.changed).unwrap_or(0);
    let most = rows.len().saturating_sub(height);
    let start = first.saturating_sub(CONTEXT).min(most);
    let all = |range: std::ops::Range<usize>| {
        let range = range.start.min(rows.len())..range.end.min(rows.len());
        rows[range].iter().map(|row| Shown::Row(&row.line))
    };
    // The note takes one row, so it replaces at least two rows.
    let tail = CONTEXT + 1;
    if last + 1 > start + height && height > 2 * tail {
        let head_end = start + height - tail - 1;
        let tail_start = last.max(head_end);
        let left = tail_start - head_end;
        return all(start..head_end)
            .chain([Shown::Left(left)])
            .chain(all(tail_start..tail_start + tail))
            .collect();
    }
    all(start..start + height).collect()
}

fn style(mark: Mark, theme: &Theme) -> Style {
    match mark {
        Mark::Same => Style::new(),
        Mark::Keyword => theme.keyword,
        Mark::Literal => theme.literal,
        Mark::Comment => theme.dim,
        Mark::Removed => theme.removed,
        Mark::Added => theme.added,
        Mark::Name => theme.dim,
    }
}

/// Wraps text between words, and replaces characters that could move the cursor or be invisible.
fn text_rows(excerpt: &Excerpt, width: usize, theme: &Theme) -> Vec<Row> {
    let mut rows = Rows::default();
    for (mark, bytes) in &excerpt.pieces {
        let style = style(*mark, theme);
        for word in words(bytes) {
            let word = String::from_utf8_lossy(word);
            let columns = word.chars().map(|c| c.width().unwrap_or(0)).sum();
            rows.make_room(columns, width);
            for c in word.chars() {
                match c {
                    '\n' => {
                        rows.changed |= mark.is_change();
                        rows.end();
                    }
                    '\t' => {
                        let stop = 4 - rows.columns % 4;
                        (0..stop).for_each(|_| rows.push(' ', *mark, style, width));
                    }
                    '\r' => {}
                    c => rows.push(tame(c), *mark, style, width),
                }
            }
        }
    }
    rows.end();
    rows.rows
}

#[derive(Default)]
struct Rows {
    rows: Vec<Row>,
    spans: Vec<Span<'static>>,
    text: String,
    style: Style,
    columns: usize,
    changed: bool,
}

impl Rows {
    /// Ends the row if a word fits into the next one, and not into this one.
    fn make_room(&mut self, columns: usize, width: usize) {
        if columns <= width && self.columns + columns > width && self.columns > 0 {
            self.end();
        }
    }

    fn push(&mut self, c: char, mark: Mark, style: Style, width: usize) {
        let columns = c.width().unwrap_or(0);
        if self.columns + columns > width {
            self.end();
        }
        // A struck-through space looks like a dash.
        let is_indent = c == ' ' && self.is_blank();
        let style = if is_indent { Style::new() } else { style };
        if style != self.style {
            self.end_span();
            self.style = style;
        }
        self.text.push(c);
        self.columns += columns;
        self.changed |= mark.is_change();
    }

    /// Returns whether the row has only spaces.
    fn is_blank(&self) -> bool {
        self.spans.is_empty() && self.text.bytes().all(|byte| byte == b' ')
    }

    fn end_span(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.spans.push(Span::styled(text, self.style));
        }
    }

    fn end(&mut self) {
        self.end_span();
        self.rows.push(Row {
            line: Line::from(std::mem::take(&mut self.spans)),
            changed: std::mem::take(&mut self.changed),
        });
        self.columns = 0;
    }
}

/// Formats bytes as rows with the offset, hexadecimal digits, and characters.
fn hex_rows(excerpt: &Excerpt, width: usize, theme: &Theme) -> Vec<Row> {
    // The offset takes eight columns, the gaps two, and each byte four.
    let per_row = [32, 16, 8, 4]
        .into_iter()
        .find(|n| 10 + 4 * n + n / 8 <= width)
        .unwrap_or(1);
    let bytes: Vec<(Mark, u8)> = excerpt
        .pieces
        .iter()
        .flat_map(|(mark, bytes)| bytes.iter().map(|byte| (*mark, *byte)))
        .collect();
    let mut offset = excerpt.offset;
    let mut rows = vec![];
    for chunk in bytes.chunks(per_row) {
        let mut spans = vec![Span::styled(format!("{offset:08x}  "), theme.dim)];
        for (at, (mark, byte)) in chunk.iter().enumerate() {
            // The space between two removed bytes is struck through as well, so that they look
            // connected.
            spans.push(Span::styled(format!("{byte:02x}"), style(*mark, theme)));
            spans.push(Span::raw(if at % 8 == 7 { "  " } else { " " }));
        }
        let missing = per_row - chunk.len();
        let gaps = per_row / 8 - chunk.len() / 8;
        spans.push(Span::raw(" ".repeat(3 * missing + gaps)));
        for (mark, byte) in chunk {
            let c = match byte {
                b' '..=b'~' => char::from(*byte),
                _ => '·',
            };
            spans.push(Span::styled(c.to_string(), style(*mark, theme)));
        }
        // Offsets refer to the previous best so far, in which inserted bytes have no offset.
        offset += chunk
            .iter()
            .filter(|(mark, _)| *mark != Mark::Added)
            .count();
        rows.push(Row {
            line: Line::from(spans),
            changed: chunk.iter().any(|(mark, _)| mark.is_change()),
        });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(pieces: &[(Mark, &str)], is_text: bool) -> Excerpt {
        Excerpt {
            pieces: pieces
                .iter()
                .map(|(mark, text)| (*mark, text.as_bytes().to_vec()))
                .collect(),
            is_text,
            ..Excerpt::default()
        }
    }

    fn lines(excerpt: &Excerpt, width: u16, height: u16) -> Vec<String> {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        draw(excerpt, area, &mut buffer, &Theme::new(true));
        let line = |y| {
            (0..width)
                .map(|x| buffer[(x, y)].symbol())
                .collect::<String>()
        };
        (0..height).map(|y| line(y).trim().to_owned()).collect()
    }

    #[test]
    fn control_characters_are_never_drawn() {
        let odd = "a\u{1b}[2J\u{7}b\u{202e}c\u{200b}d\r\n\u{9b}e\tf";
        let shown = lines(&excerpt(&[(Mark::Same, odd)], true), 40, 2);
        assert_eq!(shown, ["a·[2J·b·c·d", "·e  f"]);
    }

    #[test]
    fn a_long_removal_shows_both_its_ends() {
        let gone: String = (0..100).map(|i| format!("gone {i}\n")).collect();
        let pieces = [
            (Mark::Same, "one\ntwo\nthree\nfour\nfive\n"),
            (Mark::Removed, &gone),
            (Mark::Same, "six\nseven\n"),
        ];
        let shown = lines(&excerpt(&pieces, true), 30, 12);
        assert_eq!(shown[0], "three");
        assert_eq!(shown[3], "gone 0");
        assert_eq!(shown[7], "⋯ 95 more rows");
        assert_eq!(shown[8], "gone 99");
        assert_eq!(shown[9], "six");
    }

    #[test]
    fn a_line_that_is_longer_than_the_panel_is_wrapped() {
        let shown = lines(&excerpt(&[(Mark::Same, "abcdefghij日本語")], true), 10, 3);
        assert_eq!(shown[0], "abcdefgh");
        assert!(shown[1].starts_with("ij"), "{shown:?}");
    }

    #[test]
    fn a_line_breaks_between_words() {
        let line = excerpt(&[(Mark::Same, "int total=count+other_count;")], true);
        let shown = lines(&line, 18, 3);
        assert_eq!(shown, ["int total=count+", "other_count;", ""]);
        // A line that fills its row is not followed by an empty row.
        let line = excerpt(&[(Mark::Same, "int total=count+\nother_count;\n")], true);
        assert_eq!(lines(&line, 18, 3), shown);
    }

    #[test]
    fn an_excerpt_scrolls_to_its_end_and_no_further() {
        let text: String = (0..9).map(|i| format!("line {i}\n")).collect();
        let text = excerpt(&[(Mark::Same, &text)], true);
        let area = Rect::new(0, 0, 12, 4);
        for (above, first) in [(0, " line 0"), (3, " line 3"), (99, " line 6")] {
            let mut buffer = Buffer::empty(area);
            let most = draw_from(above, &text, area, &mut buffer, &Theme::new(true));
            assert_eq!(most, 6);
            let shown: String = (0..7).map(|x| buffer[(x, 0)].symbol()).collect();
            assert_eq!(shown, first);
        }
    }

    #[test]
    fn bytes_are_shown_in_rows_with_their_offset() {
        let mut bytes = excerpt(
            &[(Mark::Same, "ab\0"), (Mark::Removed, "cdefghijkl")],
            false,
        );
        bytes.offset = 0x100;
        let shown = lines(&bytes, 46, 2);
        assert_eq!(shown[0], "00000100  61 62 00 63 64 65 66 67  ab·cdefg");
        assert_eq!(shown[1], "00000108  68 69 6a 6b 6c           hijkl");
    }

    #[test]
    fn any_size_is_drawn() {
        let text = excerpt(&[(Mark::Same, "日本\n"), (Mark::Removed, "語")], true);
        let bytes = excerpt(&[(Mark::Same, "\0\u{1}"), (Mark::Added, "語")], false);
        for width in 0..60 {
            for height in 0..12 {
                lines(&text, width, height);
                lines(&bytes, width, height);
            }
        }
    }
}
