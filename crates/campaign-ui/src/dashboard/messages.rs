//! The panel of messages: the last events, the newest at the bottom.

use super::data::{Data, Message, ago};
use crate::shown::visible;
use crate::view::theme::Theme;
use crate::view::write::{put, put_right, row};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

/// The width of the time before a message.
const TIME: u16 = 7;

pub(super) fn draw(data: &Data, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let rows = usize::from(area.height);
    let from = data.messages.len().saturating_sub(rows);
    for (number, message) in (0..).zip(data.messages.iter().skip(from)) {
        one(message, data.at, row(area, number), buffer, theme);
    }
    if data.messages.is_empty() {
        let place = Rect {
            x: area.x + 1.min(area.width),
            width: area.width.saturating_sub(1),
            ..row(area, 0)
        };
        put(buffer, place, "none", theme.dim);
    }
}

fn one(message: &Message, now: i64, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let place = Rect {
        width: TIME.min(area.width),
        ..area
    };
    put_right(buffer, place, &ago(message.at, now), theme.dim);
    let place = Rect {
        x: area.x.saturating_add(TIME + 2),
        width: area.width.saturating_sub(TIME + 2),
        ..area
    };
    let style = match message.is_warning {
        true => theme.warning,
        false => Style::new(),
    };
    // The start of a message is its most useful part, so the end is cut.
    put(buffer, place, &visible(&message.text), style);
}
