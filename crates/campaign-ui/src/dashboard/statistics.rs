//! The panel of the counts of each generator on each program.

use super::data::{Data, Figures};
use crate::shown::visible;
use crate::view::theme::Theme;
use crate::view::write::{count, put, put_right, row, short, squeeze};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use std::time::Duration;

/// The width of each column of figures.
const COLUMN: u16 = 9;

pub(super) fn draw(data: &Data, now: Duration, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let heads = ["tests", "tests/s", "failures", "issues"].map(str::to_owned);
    one(
        "generator on program",
        &heads,
        row(area, 0),
        buffer,
        theme.dim,
    );
    let rows = usize::from(area.height.saturating_sub(1));
    let all = data.figures.len();
    let shown = if all > rows {
        rows.saturating_sub(1)
    } else {
        all
    };
    for (number, figures) in (1..).zip(&data.figures).take(shown) {
        let cells = cells(figures, now);
        let name = format!(
            "{} on {}",
            visible(&figures.generator),
            visible(&figures.program)
        );
        one(&name, &cells, row(area, number), buffer, Style::new());
    }
    let below = Rect {
        x: area.x + 1.min(area.width),
        width: area.width.saturating_sub(2),
        ..row(area, shown as u16 + 1)
    };
    if all > shown {
        let note = format!("and {} more", count((all - shown) as u64));
        put(buffer, below, &note, theme.dim);
    } else if all == 0 {
        put(buffer, below, "no tests yet", theme.dim);
    }
}

fn cells(figures: &Figures, now: Duration) -> [String; 4] {
    [
        short(figures.tests),
        format!("{:.0}", figures.rate(now)),
        short(figures.failures),
        short(figures.issues),
    ]
}

fn one(name: &str, cells: &[String; 4], area: Rect, buffer: &mut Buffer, style: Style) {
    // A narrow panel has fewer columns.
    let columns = usize::from(area.width.saturating_sub(18) / COLUMN).min(cells.len());
    let cells = &cells[..columns];
    let mut right = area.right().saturating_sub(1);
    for cell in cells.iter().rev() {
        let place = Rect {
            x: right.saturating_sub(COLUMN),
            width: COLUMN.min(right),
            ..area
        };
        put_right(buffer, place, cell, style);
        right = place.x;
    }
    let place = Rect {
        x: area.x + 1.min(area.width),
        width: right.saturating_sub(area.x + 2),
        ..area
    };
    put(buffer, place, &squeeze(name, place.width.into()), style);
}
