//! The panel of jobs: those that run, and below them those that wait.

use super::data::Data;
use crate::shown::visible;
use crate::view::theme::Theme;
use crate::view::write::{count, put, put_right, row, squeeze, time};
use nubbin_campaign::{JobRow, Running};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

pub(super) fn title(data: &Data) -> String {
    let (running, queued) = (data.running.len(), data.queued.len());
    format!("jobs: {running} running, {} waiting", count(queued as u64))
}

pub(super) fn draw(data: &Data, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let all = data.running.len() + data.queued.len();
    let rows = usize::from(area.height);
    // The note takes one row.
    let shown = if all > rows {
        rows.saturating_sub(1)
    } else {
        all
    };
    let running = data.running.iter().take(shown).map(|job| {
        let clock = Duration::try_from_secs_f64(job.seconds).unwrap_or_default();
        (running_text(job), time(clock), Style::new())
    });
    let queued = data.queued.iter().map(|job| {
        let asked = if job.priority { "asked for" } else { "" };
        (queued_text(job), asked.to_owned(), theme.dim)
    });
    let mut number = 0;
    for (text, figure, style) in running.chain(queued).take(shown) {
        let place = inset(row(area, number));
        put_right(buffer, place, &figure, theme.dim);
        let room = usize::from(place.width).saturating_sub(figure.width() + 1);
        put(buffer, place, &squeeze(&text, room), style);
        number += 1;
    }
    if all > shown {
        let note = format!("and {} more", count((all - shown) as u64));
        put(buffer, inset(row(area, number)), &note, theme.dim);
    }
    if all == 0 {
        put(buffer, inset(row(area, 0)), "none", theme.dim);
    }
}

/// Leaves a column on both sides.
fn inset(area: Rect) -> Rect {
    Rect {
        x: area.x + 1.min(area.width),
        width: area.width.saturating_sub(2),
        ..area
    }
}

fn running_text(job: &Running) -> String {
    let mut text = format!("▶ {:<8} {}", job.kind, visible(&job.program));
    if let Some(generator) = &job.generator {
        text += &format!(" by {}", visible(generator));
    }
    if let Some(issue) = job.issue {
        text += &format!(" issue {issue}");
    }
    if !job.progress.is_empty() {
        text += &format!(": {}", visible(&job.progress));
    }
    text
}

fn queued_text(job: &JobRow) -> String {
    let mut text = format!("  {:<8} {}", job.kind.name(), visible(&job.program));
    if let Some(issue) = job.issue {
        text += &format!(" issue {issue}");
    }
    text
}
