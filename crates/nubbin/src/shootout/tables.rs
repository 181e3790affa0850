//! The result as text.

use super::Result;
use super::speedup::WORKERS;
use std::fmt::Write;

/// For notes and issues.
pub(super) fn markdown(result: &Result) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} reductions: {} algorithms on {} inputs, seed {}.\n",
        result.reductions, result.contestants, result.tasks, result.seed
    );
    out += "| algorithm | works on | left, % | smallest of all, % | mean tests | median | not valid, % | given up |\n";
    out += "|---|---|--:|--:|--:|--:|--:|--:|\n";
    for one in &result.standings {
        let _ = writeln!(
            out,
            "| {} | {} | {:.1} | {:.0} | {:.1} | {} | {:.1} | {} |",
            one.algorithm,
            one.family,
            one.left,
            one.smallest,
            one.tests,
            one.median_tests,
            one.unresolved,
            one.given_up
        );
    }
    out += "\n| circumstance | | inputs | first | second | third |\n|---|---|--:|---|---|---|\n";
    for group in &result.groups {
        let _ = write!(out, "| {} | {} | {} |", group.by, group.value, group.tasks);
        for place in group.best.iter().take(3) {
            let _ = write!(
                out,
                " {} ({:.1} %, {:.0} tests) |",
                place.algorithm, place.left, place.tests
            );
        }
        out.push('\n');
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

/// One line for each reduction, for other programs to look at.
pub(super) fn csv(result: &Result) -> String {
    let mut out = String::from(
        "grammar,size,symbols,depth,spread,algorithm,tests,unresolved,before,after,complete\n",
    );
    for row in &result.rows {
        let _ = writeln!(
            out,
            "{},{},{},{},{:.3},{},{},{},{},{},{}",
            row.grammar,
            row.size,
            row.symbols,
            row.depth,
            row.spread,
            row.algorithm,
            row.tests,
            row.unresolved,
            row.before,
            row.after,
            row.complete
        );
    }
    out
}
