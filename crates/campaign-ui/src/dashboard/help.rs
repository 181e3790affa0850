//! The pages about the keys and about nubbin.

use super::keys::KEYS;
use super::text_rows::wrapped;
use crate::view::theme::Theme;
use ratatui_core::text::{Line, Span};

pub(super) fn keys(theme: &Theme) -> Vec<Line<'static>> {
    let line = |key: &super::keys::Key| {
        Line::from(vec![
            Span::styled(format!(" {:<16}", key.keys), theme.strong),
            Span::raw(key.help),
        ])
    };
    KEYS.iter().map(line).collect()
}

pub(super) fn about(folder: &str, width: usize, theme: &Theme) -> Vec<Line<'static>> {
    let version = concat!("nubbin ", env!("CARGO_PKG_VERSION"));
    let mut lines = vec![
        Line::styled(format!(" {version}"), theme.strong),
        Line::raw(" Finds the nub of a failing input."),
        Line::raw(""),
        Line::raw(" The campaign is in the folder"),
    ];
    let rows = wrapped(folder, width.saturating_sub(4));
    lines.extend(rows.iter().map(|row| Line::raw(format!("   {row}"))));
    lines.push(Line::raw(""));
    lines.push(Line::raw(
        " The function keys are those of Fuzzinator. `?` lists all keys.",
    ));
    lines
}
