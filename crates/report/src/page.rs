//! The page of one run.

use super::history::{History, PassHistory};
use super::{explanation, heat, hex_view, replay};
use crate::events::ReductionStatistics;
use crate::html::document;
use crate::html::facts::{card, count, typed};
use crate::html::plot::{self, Axis, Plot, Series, Shape, TimeUnit};
use maud::{Markup, html};

/// The longest result that the page shows, in bytes.
const LONGEST_RESULT: usize = 20_000;

/// The classes of lines in plots, in their order.
const COLORS: [&str; 8] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];

/// Returns the page of one run.
pub(super) fn of_run(run: &History) -> String {
    let replay = replay::replay(run);
    let script = replay.as_ref().map(|_| replay::SCRIPT);
    let body = html! {
        h1 { "nubbin: " (run.name()) }
        (summary(run))
        (failure(run))
        (changed_failure(run))
        @for note in &run.notes { p.note { (note) } }
        (results(run))
        @if let Some((explanation, name)) = &run.explanation { (explanation::section(explanation, name.as_deref())) }
        @if let Some(diff) = heat::side_by_side(run) {
            section { details { summary { h2 { "Side by side" } } div.scroll tabindex="0" { (diff) } } }
        }
        @if let Some(replay) = replay { (replay) }
        section {
            h2 { "Size" }
            div.plots {
                (over_tests(&[("", run)]))
                (over_time(&[("", run)]))
            }
        }
        section { h2 { "Verdicts" } (verdicts(run)) }
        section { h2 { "Passes" } (passes(run)) }
        @if let Some(heat) = heat::original(run) {
            section { h2 { "Order of removals" } (heat) }
        }
        (other_failures(run))
        (reproduce(run))
    };
    document(&format!("nubbin: {}", run.name()), &body, script)
}

fn summary(run: &History) -> Markup {
    let (before, after) = (run.bytes_before(), run.bytes_after());
    let tokens = run
        .result
        .as_ref()
        .and_then(|counts| counts.tokens_before.zip(counts.tokens_after));
    let counts = run.result.as_ref();
    let instructions =
        counts.and_then(|counts| counts.instructions_before.zip(counts.instructions_after));
    let functions = counts.and_then(|counts| counts.functions_before.zip(counts.functions_after));
    html! {
        dl.cards {
            (card("bytes", &format!("{} → {}", count(before), count(after)), &shrunk(before, after)))
            @if let Some((before, after)) = tokens {
                (card("tokens", &format!("{} → {}", count(before), count(after)), &shrunk(before, after)))
            }
            @if let Some((before, after)) = instructions {
                (card("instructions", &format!("{} → {}", count(before), count(after)), &shrunk(before, after)))
            }
            @if let Some((before, after)) = functions {
                (card("functions", &format!("{} → {}", count(before), count(after)), &shrunk(before, after)))
            }
            (card("tests", &count(run.last.tests), &started(run.result.as_ref())))
            (card("time", &duration(run.last.seconds), &rate(run)))
            (card("end", &end(run), &verified(run)))
        }
    }
}

/// Returns both failures if the failure of the result differs.
fn changed_failure(run: &History) -> Markup {
    let changed = run.result.as_ref();
    let changed = changed.and_then(|counts| counts.changed_failure.as_ref());
    html! {
        @if let Some(changed) = changed {
            p.note {
                "The result shows another failure than the original: " code { (changed.result) }
                ", not " code { (changed.original) } ". " code { "--same-failure" } " keeps that of the original."
            }
        }
    }
}

/// Returns the failure that is kept, and the language.
fn failure(run: &History) -> Markup {
    let start = run.start.as_ref().filter(|start| !start.failure.is_empty());
    html! {
        @if let Some(start) = start {
            p.failure {
                "Failure: " code { (start.failure.trim_start_matches("the failure is ")) }
                @if let Some(language) = start.language.as_ref().filter(|name| *name != "none") { ", language: " (language) }
            }
            @if !start.test.is_empty() { p.failure { "Test: " code { (start.test) } } }
        }
    }
}

fn shrunk(before: u64, after: u64) -> String {
    if before == 0 {
        return String::new();
    }
    crate::shown::shrinkage(before, after)
}

fn started(counts: Option<&ReductionStatistics>) -> String {
    counts.map_or_else(String::new, |counts| {
        format!(
            "{} started, {} from the cache",
            count(counts.tests_started),
            count(counts.cache_hits)
        )
    })
}

fn rate(run: &History) -> String {
    if run.last.seconds <= 0.0 {
        return String::new();
    }
    format!(
        "{} tests a second",
        plot::amount((run.last.tests as f64 / run.last.seconds * 10.0).round() / 10.0)
    )
}

pub(super) fn end(run: &History) -> String {
    run.ended
        .clone()
        .unwrap_or_else(|| "the log ends here".into())
}

fn verified(run: &History) -> String {
    let counts = run.result.as_ref();
    if let Some(rate) = counts.and_then(|counts| counts.reproduction) {
        return format!(
            "the result failed in {} of {} runs",
            rate.failures, rate.runs
        );
    }
    match counts.and_then(|counts| counts.verified) {
        Some(true) => "the result failed again when tested once more".into(),
        Some(false) => "the result did not fail when tested once more".into(),
        None => String::new(),
    }
}

/// Returns the plot of the size over the number of tests.
pub(super) fn over_tests(runs: &[(&str, &History)]) -> Markup {
    curve(runs, ("over tests", "tests", "tests"), |point| {
        point.tests as f64
    })
}

/// Returns the plot of the size over time, in a unit that fits the longest run.
pub(super) fn over_time(runs: &[(&str, &History)]) -> Markup {
    let ends = runs.iter().filter_map(|(_, run)| run.curve.last());
    let longest = ends.map(|point| point.seconds).fold(0.0, f64::max);
    let unit = TimeUnit::of_longest(longest);
    let label = format!("time in {}", unit.name);
    curve(runs, ("over time", &label, unit.name), |point| {
        unit.number(point.seconds)
    })
}

/// Returns a plot of the size over a number of each point, with the label of the axis and the unit.
fn curve(
    runs: &[(&str, &History)],
    (over, label, unit): (&str, &str, &str),
    of: impl Fn(&super::history::Point) -> f64,
) -> Markup {
    let series: Vec<Series> = runs
        .iter()
        .zip(COLORS.into_iter().cycle())
        .map(|(&(name, run), class)| Series {
            label: name.to_owned(),
            class: class.to_owned(),
            shape: Shape::Steps,
            points: run
                .curve
                .iter()
                .map(|point| (of(point), point.bytes as f64))
                .collect(),
        })
        .collect();
    let told = runs.iter().map(|(name, run)| {
        let last = run.curve.last().map_or(0.0, &of);
        let (before, after) = (run.bytes_before(), run.bytes_after());
        format!(
            "{name} from {before} bytes to {after} after {} {unit}",
            plot::amount(last)
        )
    });
    let plot = Plot {
        title: &format!("Size {over}"),
        x: Axis::linear(label),
        y: Axis::logarithmic("bytes"),
        summary: format!("Size {over}:{}.", told.collect::<Vec<_>>().join("; ")),
    };
    plot.draw(&series)
}

fn verdicts(run: &History) -> Markup {
    let verdicts = run.verdicts;
    let mut rows = vec![
        ("fail", verdicts.fail, "fail"),
        ("pass", verdicts.pass, "pass"),
        ("unresolved", verdicts.unresolved, "unresolved"),
        ("timed out", verdicts.timed_out, "timeout"),
    ];
    if verdicts.not_built > 0 {
        rows.push(("did not build", verdicts.not_built, "unresolved"));
    }
    let all: u64 = rows.iter().map(|(_, number, _)| number).sum();
    let share = |n: u64| 100.0 * n as f64 / all.max(1) as f64;
    html! {
        div.bar aria-hidden="true" {
            @for &(_, n, class) in &rows { @if n > 0 {
                span class=(class) style=(format!("flex-grow:{n}")) {}
            } }
        }
        div.scroll tabindex="0" { table {
            tbody { @for &(name, n, class) in &rows {
                tr {
                    th scope="row" { span class=(format!("key {class}")) {} (name) }
                    td.number { (count(n)) }
                    td.number { (format!("{:.1} %", share(n))) }
                }
            } }
        } }
    }
}

fn passes(run: &History) -> Markup {
    let mut rows: Vec<_> = run.passes.iter().collect();
    rows.sort_by_key(|(id, pass)| (-pass.removed, pass.since, id.as_str()));
    let most = rows
        .iter()
        .map(|(_, pass)| pass.removed.max(0))
        .max()
        .unwrap_or(0)
        .max(1);
    let (useful, others): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(_, pass)| pass.adopted > 0);
    html! {
        (pass_table(&useful, most))
        @if !others.is_empty() {
            details {
                summary { (others.len()) " passes without a change" }
                (pass_table(&others, most))
            }
        }
    }
}

fn pass_table(rows: &[(&String, &PassHistory)], most: i64) -> Markup {
    html! {
        div.scroll tabindex="0" { table {
            thead { tr {
                th scope="col" { "pass" }
                th.number scope="col" { "bytes removed" }
                th.wide scope="col" { span.hidden { "share" } }
                th.number scope="col" { "tests" }
                th.number scope="col" { "adopted" }
                th.number scope="col" { "bytes a test" }
                th.number scope="col" { "first after" }
            } }
            tbody { @for (id, pass) in rows {
                tr {
                    th scope="row" { code { (id) } }
                    td.number { (signed(pass.removed)) }
                    td.wide { @if pass.removed > 0 {
                        span.share style=(format!("width:{:.1}%", 100.0 * pass.removed as f64 / most as f64)) {}
                    } }
                    td.number { (count(pass.tests)) }
                    td.number { (count(pass.adopted)) }
                    td.number { (per_test(pass.removed, pass.tests)) }
                    td.number { (count(pass.since)) }
                }
            } }
        } }
    }
}

fn results(run: &History) -> Markup {
    html! { section { h2 { "The result" } (result_texts(run)) } }
}

pub(super) fn result_texts(run: &History) -> Markup {
    let files = run.start.as_ref().and_then(|start| start.input.as_deref());
    let shown = files.filter(|_| !run.layers.original.is_empty());
    html! {
        @match shown {
            None => p { "The input was too long to be kept in the log." },
            Some(files) => @for (number, text) in run.layers.files(files) {
                @if files.len() > 1 { h3 { (run.name_now(&files[number])) } }
                @if text.len() > LONGEST_RESULT { p { (count(text.len() as u64)) " bytes, too long to be shown here." } }
                @else { pre tabindex="0" role="group" aria-label="the result" {
                    @if hex_view::is_binary(files[number].text.bytes()) { (hex_view::lines(&text, |_| (), |_, text| html! { (text) })) }
                    @else { (String::from_utf8_lossy(&text)) }
                } }
            }
        }
        @if let Some(counts) = &run.result { p { "Written to " @for path in &counts.result { code { (path) } " " } } }
    }
}

fn other_failures(run: &History) -> Markup {
    let met = run
        .result
        .as_ref()
        .map_or(&[][..], |counts| &counts.other_failures);
    html! {
        @if !met.is_empty() {
            section {
                h2 { "Other failures" }
                div.scroll tabindex="0" { table {
                    thead { tr { th scope="col" { "failure" } th scope="col" { "ended" } th.number scope="col" { "tests" } th.number scope="col" { "smallest, bytes" } th scope="col" { "saved in" } } }
                    tbody { @for other in met { tr {
                        th scope="row" { (other.signature) }
                        td { (other.exit) }
                        td.number { (count(other.tests)) }
                        td.number { (count(other.bytes)) }
                        td { @if let Some(folder) = &other.folder { code { (folder) } } @else { "not saved: " code { "--other-failures" } } }
                    } } }
                } }
            }
        }
    }
}

fn reproduce(run: &History) -> Markup {
    let Some(start) = &run.start else {
        return html! {};
    };
    html! {
        section {
            h2 { "Command" }
            @if !start.command.is_empty() { pre tabindex="0" role="group" aria-label="the command" { (typed(&start.command)) } }
            p {
                "nubbin " (start.nubbin) ", algorithm " code { (start.algorithm) } ", seed " (start.seed)
                ", " (start.jobs) @if start.jobs == 1 { " test" } @else { " tests" } " at the same time. The same version, seed, and input give the same result for any "
                "number of tests at the same time. The test of the original took " (duration(start.first_test_s)) "."
            }
            @if start.sandbox == "on" && start.sandbox_permitted.is_empty() { p { "The tests ran in a sandbox." } }
            @if start.sandbox == "on" && !start.sandbox_permitted.is_empty() { p { "The tests ran in a sandbox, with what the original needs: " code { (start.sandbox_permitted.join(" ")) } "." } }
            @if start.sandbox == "off" { p { "The tests ran without a sandbox" @if let Some(reason) = &start.sandbox_reason { ": " (reason) } "." } }
        }
    }
}

pub(super) fn signed(n: i64) -> String {
    match n {
        0.. => count(n as u64),
        _ => format!("−{}", count(n.unsigned_abs())),
    }
}

fn per_test(removed: i64, tests: u64) -> String {
    match tests {
        0 => "–".into(),
        _ => format!("{:.1}", removed as f64 / tests as f64),
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 120.0 => format!("{s:.1} s"),
        s if s < 7200.0 => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
        s => format!(
            "{:.0} h {:.0} min",
            (s / 3600.0).floor(),
            (s % 3600.0) / 60.0
        ),
    }
}
