//! The panel of passes, with the costs and gains of each pass.

use super::choices::Choices;
use super::model::{Model, PassRow};
use crate::view::theme::Theme;
use crate::view::write::{count, put, put_right, row, squeeze};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

/// The columns of figures: heading, width, and value.
type Column = (&'static str, u16, fn(&PassRow) -> String);

const COLUMNS: [Column; 4] = [
    ("tests", 9, |pass| count(pass.tests)),
    ("removed", 12, |pass| signed(pass.removed)),
    ("kept", 8, |pass| count(pass.adopted)),
    ("bytes/test", 12, per_test),
];

pub(super) fn draw(
    model: &Model,
    choices: &Choices,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let ranked = model.ranked();
    // The names come first, and the figures get the remaining room.
    let names = ranked.iter().map(|pass| pass.id.len()).max().unwrap_or(0) as u16;
    let names = (names + 3).min(area.width);
    let mut columns = vec![];
    let mut end = area.x + names;
    for column in COLUMNS {
        if end + column.1 > area.right() {
            break;
        }
        end += column.1;
        columns.push((end, column));
    }
    let cell = |end: u16, width: u16, y: Rect| Rect {
        x: end - width,
        width,
        ..y
    };
    let heading = row(area, 0);
    put(buffer, heading, "   pass", theme.dim);
    for (end, (title, width, _)) in &columns {
        put_right(buffer, cell(*end, *width, heading), title, theme.dim);
    }
    let list = Rect {
        y: area.y.saturating_add(1),
        height: area.height.saturating_sub(1),
        ..area
    };
    let selected = choices.selected.or(model.at_work);
    let at = ranked.iter().position(|pass| Some(pass.id) == selected);
    let first = first_shown(at.unwrap_or(0), ranked.len(), list.height.into());
    for (number, pass) in (0..list.height).zip(ranked.iter().skip(first)) {
        let line = row(list, number);
        let at_work = model.at_work == Some(pass.id);
        let disabled = choices.disabled.contains(&pass.id);
        let style = if disabled {
            theme.removed
        } else if at_work {
            theme.active
        } else if pass.tests == 0 {
            theme.dim
        } else {
            Style::new()
        };
        let mark = if at_work { "▶" } else { " " };
        put(buffer, line, &format!(" {mark}"), theme.active);
        let name = Rect {
            x: line.x + 3.min(line.width),
            width: names.saturating_sub(3),
            ..line
        };
        let is_selected = choices.selected == Some(pass.id);
        let name_style = if is_selected {
            style.patch(theme.selected)
        } else {
            style
        };
        put(
            buffer,
            name,
            &squeeze(pass.id, name.width.into()),
            name_style,
        );
        // A pass that has not run has no figures, because zeros would distract.
        for (end, (_, width, value)) in columns.iter().filter(|_| pass.tests > 0) {
            let style = if disabled { theme.dim } else { Style::new() };
            put_right(buffer, cell(*end, *width, line), &value(pass), style);
        }
    }
}

/// Returns the first visible row of a long list, so that a given row is in the middle.
fn first_shown(wanted: usize, rows: usize, height: usize) -> usize {
    wanted
        .saturating_sub(height / 2)
        .min(rows.saturating_sub(height))
}

fn signed(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", count(number.unsigned_abs()))
}

fn per_test(pass: &PassRow) -> String {
    let share = pass.removed as f64 / pass.tests.max(1) as f64;
    if share.abs() < 100.0 {
        format!("{share:.1}")
    } else {
        signed(share as i64)
    }
}
