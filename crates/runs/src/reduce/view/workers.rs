//! The panel of workers, with the current test of each worker and its time.

use super::model::Worker;
use crate::view::theme::Theme;
use crate::view::write::{count, put, put_right, row, short_time};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use std::time::Duration;

/// The run time from which a test is highlighted.
const LONG: Duration = Duration::from_secs(10);

pub(super) fn draw(
    workers: &[Worker],
    now: Duration,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    // If there are more workers than rows, the panel has several columns.
    let rows = usize::from(area.height.max(1));
    let room = (usize::from(area.width) / 36).max(1);
    let columns = workers.len().div_ceil(rows).clamp(1, room);
    let width = area.width / columns as u16;
    let places = rows * columns;
    let shown = if workers.len() > places {
        places - 1
    } else {
        workers.len()
    };
    let place = |number: usize| Rect {
        x: area.x + (number / rows) as u16 * width,
        width: width.saturating_sub(2),
        ..row(area, (number % rows) as u16)
    };
    for (number, worker) in workers.iter().enumerate().take(shown) {
        one(number, worker, now, place(number), buffer, theme);
    }
    if shown < workers.len() {
        let rest = &workers[shown..];
        let busy = rest
            .iter()
            .filter(|worker| worker.running.is_some())
            .count();
        let note = format!(" and {} more, {busy} of them busy", rest.len());
        put(buffer, place(shown), &note, theme.dim);
    }
}

fn one(
    number: usize,
    worker: &Worker,
    now: Duration,
    area: Rect,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let text = match &worker.running {
        None => format!("{:>3}  idle", number + 1),
        Some(test) => {
            let pass = if test.pass.is_empty() {
                "the whole"
            } else {
                test.pass
            };
            match test.bytes {
                // The candidate is empty, or its size was unknown when its test started.
                0 => format!("{:>3}  {pass}", number + 1),
                bytes => format!("{:>3}  {pass}, {} bytes", number + 1, count(bytes as u64)),
            }
        }
    };
    let style = if worker.running.is_some() {
        Style::new()
    } else {
        theme.dim
    };
    let figures = match &worker.running {
        None => format!("{} tests", count(worker.done)),
        Some(test) => short_time(now.saturating_sub(test.since)),
    };
    let is_long = worker
        .running
        .is_some_and(|test| now.saturating_sub(test.since) > LONG);
    let left = Rect {
        width: area.width.saturating_sub(figures.len() as u16 + 1),
        ..area
    };
    put(buffer, left, &text, style);
    let style = if is_long { theme.warning } else { theme.dim };
    put_right(buffer, area, &figures, style);
}
