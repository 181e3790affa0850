//! A page of lines that scrolls.

use super::choices::Choices;
use crate::view::theme::Theme;
use crate::view::write::{put_line, put_right, row, titled};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::text::Line;

pub(super) fn draw(
    title: &str,
    lines: &[Line<'_>],
    choices: &Choices,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let inside = titled(buffer, area, title, theme.dim);
    let rows = usize::from(inside.height);
    choices.extent.rows.set(rows);
    choices.extent.lines.set(lines.len());
    let from = choices.scroll.min(lines.len().saturating_sub(rows));
    for (number, line) in (0..inside.height).zip(lines.iter().skip(from)) {
        put_line(buffer, row(inside, number), line);
    }
    if lines.len() > rows {
        let last = (from + rows).min(lines.len());
        let note = format!(" {last} of {} ", lines.len());
        put_right(buffer, row(area, 0), &note, theme.dim);
    }
}
