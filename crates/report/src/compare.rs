//! The page that compares runs.

use super::history::History;
use super::page::{end, over_tests, over_time, result_texts, signed};
use crate::html::facts::count;
use crate::html::{document, plot};
use maud::{Markup, html};
use std::collections::BTreeSet;

/// A fact about a run as text.
type TextOf = fn(&History) -> String;

/// Returns the page that compares runs, each with its name.
pub(super) fn of_runs(runs: &[(&str, &History)]) -> String {
    let names: Vec<&str> = runs.iter().map(|(name, _)| *name).collect();
    let title = format!("nubbin: {}", names.join(", "));
    let body = html! {
        h1 { (title) }
        section {
            h2 { "Counts" }
            div.scroll tabindex="0" { (counts(runs)) }
        }
        section {
            h2 { "Size" }
            div.plots {
                (over_tests(runs))
                (over_time(runs))
            }
        }
        section { h2 { "Passes" } div.scroll tabindex="0" { (passes(runs)) } }
        section {
            h2 { "Results" }
            div.plots {
                @for (name, run) in runs { div { h3 { (name) } (result_texts(run)) } }
            }
        }
    };
    document(&title, &body, None)
}

/// Returns the counts of the runs, each with its ratio to the count of the first run.
fn counts(runs: &[(&str, &History)]) -> Markup {
    let tokens = |run: &History| run.result.as_ref().and_then(|counts| counts.tokens_after);
    let of = |value: &dyn Fn(&History) -> Option<f64>| -> Vec<Option<f64>> {
        runs.iter().map(|(_, run)| value(run)).collect()
    };
    let rows = [
        (
            "bytes at the end",
            of(&|run| Some(run.bytes_after() as f64)),
        ),
        (
            "tokens at the end",
            of(&|run| tokens(run).map(|n| n as f64)),
        ),
        ("tests", of(&|run| Some(run.last.tests as f64))),
        (
            "seconds",
            of(&|run| Some((run.last.seconds * 10.0).round() / 10.0)),
        ),
    ];
    let texts: [(&str, TextOf); 3] = [
        ("algorithm", |run| {
            run.start
                .as_ref()
                .map_or("", |start| &start.algorithm)
                .to_owned()
        }),
        ("seed", |run| {
            run.start.as_ref().map_or(0, |start| start.seed).to_string()
        }),
        ("end", end),
    ];
    html! {
        div.scroll tabindex="0" { table {
            thead { tr {
                td {}
                @for (index, (name, _)) in runs.iter().enumerate() {
                    th.number scope="col" { (name) }
                    @if index > 0 { th.number scope="col" { "to the first" } }
                }
            } }
            tbody {
                @for (name, values) in &rows { tr {
                    th scope="row" { (name) }
                    @for (index, value) in values.iter().enumerate() {
                        td.number { (value.map_or("–".into(), plot::amount)) }
                        @if index > 0 { td.number { (ratio(values[0], *value)) } }
                    }
                } }
                @for (name, text) in texts { tr {
                    th scope="row" { (name) }
                    @for (index, (_, run)) in runs.iter().enumerate() {
                        td.number { (text(run)) }
                        @if index > 0 { td {} }
                    }
                } }
            }
        } }
    }
}

/// Formats a value as a ratio to another one.
fn ratio(first: Option<f64>, value: Option<f64>) -> String {
    match (first, value) {
        (Some(first), Some(value)) if first > 0.0 => format!("{:.2}", value / first),
        _ => String::new(),
    }
}

fn passes(runs: &[(&str, &History)]) -> Markup {
    let ids: BTreeSet<&String> = runs.iter().flat_map(|(_, run)| run.passes.keys()).collect();
    let mut ids: Vec<&String> = ids.into_iter().collect();
    let removed = |id: &str| -> i64 {
        let passes = runs.iter().filter_map(|(_, run)| run.passes.get(id));
        passes.map(|pass| pass.removed).sum()
    };
    ids.sort_by_key(|id| -removed(id));
    html! {
        div.scroll tabindex="0" { table {
            thead {
                tr { td {} @for (name, _) in runs { th scope="colgroup" colspan="3" { (name) } } }
                tr {
                    th scope="col" { "pass" }
                    @for _ in runs { th.number scope="col" { "bytes removed" } th.number scope="col" { "tests" } th.number scope="col" { "adopted" } }
                }
            }
            tbody { @for id in ids {
                tr {
                    th scope="row" { code { (id) } }
                    @for (_, run) in runs {
                        @match run.passes.get(id) {
                            Some(pass) => {
                                td.number { (signed(pass.removed)) }
                                td.number { (count(pass.tests)) }
                                td.number { (count(pass.adopted)) }
                            }
                            None => @for _ in 0..3 { td.number { "–" } },
                        }
                    }
                }
            } }
        } }
    }
}
