//! The page of one issue: its facts, its tests, and the output.

use super::data::ago;
use super::text_rows::{of_output, of_test, wrapped};
use crate::view::theme::Theme;
use crate::view::write::count;
use nubbin_campaign::{Issue, Reduction, Severity};
use ratatui_core::style::Style;
use ratatui_core::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

/// The width from which the test is next to its reduction.
const WIDE: usize = 100;

/// The width of the names of facts.
const NAME: usize = 12;

/// Returns the page for a given width, at a time in milliseconds since 1970.
pub(super) fn lines(issue: &Issue, width: usize, now: i64, theme: &Theme) -> Vec<Line<'static>> {
    let width = width.saturating_sub(2).max(8);
    let mut lines = facts(issue, width, now, theme);
    let test_title = format!("test, {} bytes", count(issue.test.len() as u64));
    match &issue.reduced {
        None => {
            lines.push(rule(&test_title, width, theme));
            lines.extend(plain(of_test(&issue.test, width)));
        }
        Some(reduced) => {
            let title = match issue.reduction {
                Reduction::Done => "reduced",
                _ => "reduced so far",
            };
            let title = format!("{title}, {} bytes", count(reduced.len() as u64));
            if width >= WIDE {
                let half = (width - 3) / 2;
                let (left, right) = (of_test(&issue.test, half), of_test(reduced, half));
                lines.push(beside(
                    rule(&test_title, half, theme),
                    rule(&title, half, theme),
                ));
                lines.extend(rows_beside(&left, &right, half, theme));
            } else {
                lines.push(rule(&title, width, theme));
                lines.extend(plain(of_test(reduced, width)));
                lines.push(rule(&test_title, width, theme));
                lines.extend(plain(of_test(&issue.test, width)));
            }
        }
    }
    lines.push(rule("output", width, theme));
    lines.extend(plain(of_output(&issue.output, width)));
    lines
}

fn facts(issue: &Issue, width: usize, now: i64, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = vec![];
    let mut fact = |name: &str, text: &str, style: Style| {
        let mut name = name;
        for row in wrapped(text, width.saturating_sub(NAME)) {
            lines.push(Line::from(vec![
                Span::styled(format!(" {name:NAME$}"), theme.dim),
                Span::styled(row, style),
            ]));
            name = "";
        }
    };
    let style = match issue.severity {
        Severity::High => theme.warning,
        _ => theme.strong,
    };
    fact("identity", &issue.identity.to_string(), theme.strong);
    let state = match issue.regressed {
        true => format!("{}, {}, came back", issue.severity, issue.state),
        false => format!("{}, {}", issue.severity, issue.state),
    };
    fact("severity", &state, style);
    let versions = match issue.first_version == issue.last_version {
        true => issue.first_version.clone(),
        false => format!("{} to {}", issue.first_version, issue.last_version),
    };
    let program = match &*versions {
        "" => issue.program.clone(),
        versions => format!("{}, version {versions}", issue.program),
    };
    fact("program", &program, Style::new());
    let seen = format!(
        "{} times, {} ago, first {} ago by {}",
        count(issue.seen),
        ago(issue.last_seen, now),
        ago(issue.first_seen, now),
        issue.generator
    );
    fact("seen", &seen, Style::new());
    let again = match issue.tries {
        0 => "not run again yet".to_owned(),
        tries => format!("in {} of {tries} runs", issue.hits),
    };
    fact("reproduces", &again, Style::new());
    fact("exit", &issue.exit, Style::new());
    fact("cluster", &issue.cluster, Style::new());
    let tests = count(issue.reduction_tests);
    let reduction = match issue.reduction {
        Reduction::None => "none".to_owned(),
        Reduction::Partial => format!("not ended, {tests} tests so far"),
        Reduction::Done => format!("done, in {tests} tests"),
        Reduction::Limited => format!("stopped by a limit after {tests} tests"),
        Reduction::Empty => "none, since an empty test shows the issue as well".to_owned(),
    };
    fact("reduction", &reduction, Style::new());
    let mut name = "note";
    for line in issue.note.lines() {
        fact(name, line, Style::new());
        name = "";
    }
    lines
}

fn rule(title: &str, width: usize, theme: &Theme) -> Line<'static> {
    let mut text = format!("── {title} ");
    let rest = width.saturating_sub(text.width());
    text.push_str(&"─".repeat(rest));
    Line::styled(format!(" {text}"), theme.dim)
}

fn plain(rows: Vec<String>) -> impl Iterator<Item = Line<'static>> {
    rows.into_iter().map(|row| Line::raw(format!(" {row}")))
}

fn beside(left: Line<'static>, right: Line<'static>) -> Line<'static> {
    let mut spans = left.spans;
    let (left_style, right_style) = (left.style, right.style);
    spans.iter_mut().for_each(|span| span.style = left_style);
    spans.push(Span::raw("  "));
    spans.extend(right.spans.into_iter().map(|span| span.style(right_style)));
    Line::from(spans)
}

/// Joins the rows of two texts, the left one filled up to a width.
fn rows_beside(
    left: &[String],
    right: &[String],
    width: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let text = |rows: &[String], at: usize| rows.get(at).cloned().unwrap_or_default();
    let line = |at: usize| {
        let (left, right) = (text(left, at), text(right, at));
        let gap = " ".repeat(width.saturating_sub(left.width()) + 1);
        Line::from(vec![
            Span::raw(format!(" {left}{gap}")),
            Span::styled("│", theme.dim),
            Span::raw(format!(" {right}")),
        ])
    };
    (0..left.len().max(right.len())).map(line).collect()
}
