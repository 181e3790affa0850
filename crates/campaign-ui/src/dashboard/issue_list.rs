//! The panel of issues.

use super::choices::{Choices, Listed};
use super::data::Data;
use crate::shown::visible;
use crate::view::theme::Theme;
use crate::view::write::{count, put, put_right, row, short, squeeze};
use nubbin_campaign::{IssueRow, Severity};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

pub(super) fn title(data: &Data, choices: &Choices) -> String {
    let number = count(data.issues.len() as u64);
    let what = match choices.listed {
        Listed::Open => "open issues",
        Listed::All => "issues of all states",
        Listed::Invalid => "invalid issues",
    };
    match &*choices.filter {
        "" => format!("{number} {what}"),
        text => format!("{number} {what} with `{}`", visible(text)),
    }
}

pub(super) fn draw(data: &Data, choices: &Choices, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let columns = columns(data, choices, area.width);
    let has_head = area.height > 3;
    if has_head {
        let heads: Vec<String> = columns.iter().map(|it| it.head.to_owned()).collect();
        let styles = vec![theme.dim; columns.len()];
        cells(&columns, &heads, &styles, row(area, 0), buffer);
    }
    let list = Rect {
        y: area.y + u16::from(has_head),
        height: area.height.saturating_sub(u16::from(has_head)),
        ..area
    };
    let rows = usize::from(list.height);
    choices.extent.rows.set(rows);
    if data.issues.is_empty() {
        let place = Rect {
            x: list.x + 1.min(list.width),
            width: list.width.saturating_sub(1),
            ..row(list, 0)
        };
        let none = match (choices.listed, &*choices.filter) {
            (Listed::Open, "") => "no open issues",
            _ => "none",
        };
        put(buffer, place, none, theme.dim);
    }
    // The selected issue is in the middle, except near both ends.
    let most = data.issues.len().saturating_sub(rows);
    let from = choices.place.saturating_sub(rows / 2).min(most);
    for (number, issue) in (0..list.height).zip(data.issues.iter().skip(from)) {
        let place = row(list, number);
        let texts: Vec<String> = columns.iter().map(|it| (it.text)(issue)).collect();
        let styles: Vec<Style> = columns.iter().map(|it| (it.style)(issue, theme)).collect();
        cells(&columns, &texts, &styles, place, buffer);
        if choices.selected == Some(issue.id) {
            buffer.set_style(place.intersection(buffer.area), theme.selected);
        }
    }
}

struct Column {
    head: &'static str,
    /// The width; 0 for what is left.
    width: u16,
    is_right: bool,
    text: fn(&IssueRow) -> String,
    style: fn(&IssueRow, &Theme) -> Style,
}

fn plain(_: &IssueRow, _: &Theme) -> Style {
    Style::new()
}

/// Returns the columns that have room.
fn columns(data: &Data, choices: &Choices, width: u16) -> Vec<Column> {
    let column = |head, width, is_right, text| Column {
        head,
        width,
        is_right,
        text,
        style: plain,
    };
    let mut columns = vec![
        column("issue", 5, true, |issue| issue.id.to_string()),
        Column {
            style: severity_style,
            ..column("severity", 8, false, |issue| issue.severity.to_string())
        },
    ];
    if choices.listed == Listed::All {
        columns.push(column("state", 7, false, |issue| issue.state.to_string()));
    }
    if width >= 70 {
        columns.push(column("seen", 6, true, |issue| short(issue.seen)));
    }
    if width >= 60 {
        columns.push(column("again", 7, true, again));
    }
    if width >= 90 {
        columns.push(column("bytes", 15, true, bytes));
    }
    let mut programs = data.issues.iter().map(|issue| &issue.program);
    let first = programs.next();
    if width >= 100 && programs.any(|program| Some(program) != first) {
        columns.push(column("program", 14, false, |issue| {
            visible(&issue.program).into_owned()
        }));
    }
    columns.push(column("identity", 0, false, identity));
    columns
}

fn cells(columns: &[Column], texts: &[String], styles: &[Style], area: Rect, buffer: &mut Buffer) {
    let mut x = area.x + 1.min(area.width);
    for ((column, text), style) in columns.iter().zip(texts).zip(styles) {
        let left = area.right().saturating_sub(x);
        let width = match column.width {
            0 => left.saturating_sub(1),
            width => width.min(left),
        };
        let place = Rect { x, width, ..area };
        match (column.is_right, column.width) {
            (true, _) => put_right(buffer, place, &squeeze(text, width.into()), *style),
            // The start of an identity is its most useful part, so the end is cut.
            (false, 0) => put(buffer, place, text, *style),
            (false, _) => put(buffer, place, &squeeze(text, width.into()), *style),
        }
        x += width + 2.min(left - width);
    }
}

fn severity_style(issue: &IssueRow, theme: &Theme) -> Style {
    match issue.severity {
        Severity::High => theme.warning,
        Severity::Medium => theme.strong,
        Severity::Low => Style::new(),
    }
}

/// Returns how often the test showed the issue again.
fn again(issue: &IssueRow) -> String {
    match issue.tries {
        0 => String::new(),
        tries => format!("{}/{tries}", issue.hits),
    }
}

fn bytes(issue: &IssueRow) -> String {
    match issue.reduced_bytes {
        Some(reduced) => format!("{} → {}", short(issue.test_bytes), short(reduced)),
        None => short(issue.test_bytes),
    }
}

fn identity(issue: &IssueRow) -> String {
    let identity = issue.identity.to_string();
    let identity = visible(&identity);
    match issue.regressed {
        true => format!("(came back) {identity}"),
        false => identity.into_owned(),
    }
}
