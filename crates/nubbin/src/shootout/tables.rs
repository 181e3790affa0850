//! The result of a benchmark as text.

use super::comparison::{Comparison, Reduced};
use super::ranking::percent;
use super::simulated_time;
use super::speedup::WORKERS;
use std::fmt::Write;

/// Formats the result as Markdown.
pub(super) fn markdown(result: &Comparison) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} reductions: {} algorithms on {} {}, seed {}.\n",
        result.reductions,
        result.algorithms,
        result.tasks,
        match result.cases.len() {
            0 => "inputs",
            1 => "real case",
            _ => "real cases",
        },
        result.seed
    );
    let _ = writeln!(out, "{}\n", result.prepared());
    out += "| algorithm | works on | left, % | smallest result, % | mean tests | median | invalid, % | stopped |\n";
    out += "|---|---|--:|--:|--:|--:|--:|--:|\n";
    for one in &result.ranking {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {:.0} | {:.1} | {} | {:.1} | {} |",
            one.algorithm,
            one.family,
            percent(one.left),
            one.smallest,
            one.tests,
            one.median_tests,
            one.unresolved,
            one.incomplete
        );
    }
    out += "\n| circumstance | | inputs | first | second | third |\n|---|---|--:|---|---|---|\n";
    for group in &result.groups {
        let _ = write!(out, "| {} | {} | {} |", group.by, group.value, group.tasks);
        for place in group.best.iter().take(3) {
            let _ = write!(
                out,
                " {} ({} %, {:.0} tests) |",
                place.algorithm,
                percent(place.left),
                place.tests
            );
        }
        out.push('\n');
    }
    out += &simulated_time::markdown(&result.simulated_times);
    if result.speedup.is_empty() {
        return out;
    }
    let _ = writeln!(
        out,
        "\n| workers |{} |",
        WORKERS.map(|n| format!(" {n}")).join(" |")
    );
    let _ = writeln!(out, "|---|{}", "--:|".repeat(WORKERS.len()));
    for one in &result.speedup {
        let cells: Vec<String> = one
            .faster
            .iter()
            .map(|faster| format!(" {faster:.1}"))
            .collect();
        let _ = writeln!(out, "| {} |{} |", one.algorithm, cells.join(" |"));
    }
    out
}

/// Formats the result as CSV, with one line per reduction.
pub(super) fn csv(result: &Comparison) -> String {
    let subject = if result.cases.is_empty() {
        "grammar,size,symbols,depth,spread"
    } else {
        "case,language"
    };
    let mut out =
        format!("{subject},algorithm,tests,tests_unresolved,bytes_before,bytes_after,complete\n");
    for row in &result.rows {
        let _ = match &row.subject {
            Reduced::Generated {
                grammar,
                size,
                symbols,
                depth,
                spread,
            } => write!(out, "{grammar},{size},{symbols},{depth},{spread:.3}"),
            Reduced::Case { case, language } => {
                write!(out, "{},{}", field(case), field(language))
            }
        };
        let _ = writeln!(
            out,
            ",{},{},{},{},{},{}",
            row.algorithm,
            row.tests,
            row.tests_unresolved,
            row.bytes_before,
            row.bytes_after,
            row.complete
        );
    }
    out
}

/// Quotes a name that may contain any character.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
