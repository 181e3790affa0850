//! The page of the campaign.

use super::snapshot::Snapshot;
use super::{file, issue};
use crate::html::document;
use crate::html::plot::{Axis, Plot, Series, Shape, TimeUnit};
use crate::shown::{count, rate, run_time, visible};
use crate::sources::SourceCoverage;
use crate::template::time;
use indicatif::HumanCount;
use maud::{Markup, html};
use nubbin_campaign::{IssueRow, Statistic};
use std::collections::BTreeMap;
use std::time::Duration;

/// The classes of the lines of programs, in their order.
const COLORS: [&str; 8] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];
/// The maximum number of points of a line.
const MAX_POINTS: i64 = 240;

/// Returns the page of a campaign.
pub(super) fn page(snapshot: &Snapshot) -> String {
    let name = visible(&snapshot.name);
    let body = html! {
        h1 { "Campaign " (name) }
        p.more { "As of " (time(snapshot.at)) " UTC. " a href=(file::FEED) { "Feed of the issues" } }
        (cards(snapshot))
        section { h2 { "Issues" } (issues(&snapshot.issues)) }
        @if !snapshot.history.is_empty() {
            section { h2 { "Over time" } div.plots { @for plot in plots(snapshot) { div { (plot) } } } }
        }
        section { h2 { "Statistics" } (statistics(&snapshot.statistics)) (sources(&snapshot.sources)) }
    };
    document(&format!("nubbin campaign: {name}"), &body, None)
}

fn cards(snapshot: &Snapshot) -> Markup {
    let rows = &snapshot.statistics;
    let sum = |of: fn(&Statistic) -> u64| rows.iter().map(of).sum::<u64>();
    let (tests, millis) = (sum(|row| row.tests), sum(|row| row.millis));
    let counted = |state: &str| {
        let of = snapshot.counts.iter().find(|(own, _)| own.name() == state);
        of.map_or(0, |(_, count)| *count)
    };
    let others =
        ["ignored", "closed", "invalid"].map(|state| format!("{} {state}", counted(state)));
    let jobs = match snapshot.jobs.len() {
        0 => "no job waits".to_owned(),
        jobs => format!("{} waiting or running", count(jobs as u64, "job")),
    };
    html! {
        dl.cards {
            (card("Tests", &HumanCount(tests).to_string(), &count(sum(|row| row.failures), "failure")))
            (card("Tests per second and core", &per_second(tests, millis), &format!("mean size {}", mean(sum(|row| row.bytes), tests))))
            (card("Open issues", &counted("open").to_string(), &others.join(", ")))
            (card("Core time", &run_time(Duration::from_millis(millis)), &jobs))
        }
    }
}

fn card(name: &str, value: &str, more: &str) -> Markup {
    html! { div { dt { (name) } dd { strong { (value) } span.more { (more) } } } }
}

fn per_second(tests: u64, millis: u64) -> String {
    match millis {
        0 => "–".to_owned(),
        millis => rate(tests as f64 * 1000.0 / millis as f64),
    }
}

fn mean(bytes: u64, tests: u64) -> String {
    count(bytes.checked_div(tests).unwrap_or(0), "byte")
}

/// Returns the figures of the fuzzers whose folders the campaign reads.
fn sources(rows: &[SourceCoverage]) -> Markup {
    html! {
        @if !rows.is_empty() {
            ul { @for row in rows { li {
                "Fuzzer of " (visible(&row.generator))
                @if let Some(instance) = &row.instance { " (" (visible(instance)) ")" }
                ": " (row.line())
            } } }
        }
    }
}

fn issues(rows: &[IssueRow]) -> Markup {
    html! {
        @if rows.is_empty() { p.more { "There are no issues." } }
        @else {
            // The roles keep the table for screen readers where rows become cards.
            div.scroll tabindex="0" { table.cards-when-narrow role="table" {
                thead role="rowgroup" { tr role="row" {
                    th.number scope="col" role="columnheader" { "No." }
                    @for name in ["Severity", "Identity", "Program", "State"] {
                        th scope="col" role="columnheader" { (name) }
                    }
                    @for name in ["Seen", "Size", "Reproduces"] { th.number scope="col" role="columnheader" { (name) } }
                    @for name in ["First seen", "Last seen"] { th scope="col" role="columnheader" { (name) } }
                } }
                tbody role="rowgroup" { @for row in rows.iter().filter(|row| row.joined_to.is_none()) { (of_issue(row)) } }
            } }
        }
    }
}

fn of_issue(row: &IssueRow) -> Markup {
    let size = match row.reduced_bytes {
        Some(reduced) => format!("{} → {}", HumanCount(row.test_bytes), HumanCount(reduced)),
        None => HumanCount(row.test_bytes).to_string(),
    };
    let reproduces = match row.tries {
        0 => "–".to_owned(),
        tries => format!("{} of {tries}", row.hits),
    };
    html! {
        tr role="row" {
            td.number role="cell" { (row.id) }
            td role="cell" { (issue::severity(row.severity)) }
            th.identity scope="row" role="rowheader" {
                a href=(file::of_issue(row.id, "html")) { (visible(&row.identity.to_string())) }
                @if row.regressed { " " span.regressed { "has come back" } }
                @if !row.note.is_empty() { br; span.more { (visible(&row.note)) } }
            }
            td role="cell" { (visible(&row.program)) }
            td role="cell" { (row.state) }
            td.number role="cell" data-label="seen" { (HumanCount(row.seen)) }
            td.number role="cell" data-label="bytes" { (size) }
            td.number role="cell" data-label="reproduces" { (reproduces) }
            td role="cell" data-label="first seen" { (seen(row.first_seen, &row.first_version)) }
            td role="cell" data-label="last seen" { (seen(row.last_seen, &row.last_version)) }
        }
    }
}

/// Returns a time, to the minute, and the version at that time.
fn seen(at: i64, version: &str) -> Markup {
    let moment = time(at);
    let minute = moment
        .rsplit_once(':')
        .map_or(&*moment, |(minute, _)| minute);
    html! { span.time { (minute) } " " span.more { (visible(version)) } }
}

fn statistics(rows: &[Statistic]) -> Markup {
    html! {
        div.scroll tabindex="0" { table {
            thead { tr {
                @for name in ["Program", "Generator", "Version"] { th scope="col" { (name) } }
                @for name in ["Tests", "Failures", "Hit a limit", "Issues", "Mean size", "Core time", "Per core"] {
                    th.number scope="col" { (name) }
                }
            } }
            tbody { @for row in rows { tr {
                td { (visible(&row.program)) }
                td { (visible(&row.generator)) }
                td.version { (visible(&row.version)) }
                @for value in [row.tests, row.failures, row.limits, row.issues] { td.number { (HumanCount(value)) } }
                td.number { (mean(row.bytes, row.tests)) }
                td.number { (run_time(Duration::from_millis(row.millis))) }
                td.number { (per_second(row.tests, row.millis)) }
            } } }
        } }
    }
}

/// Returns the tests per minute of each program, and the issues so far, over the time of the
/// campaign.
fn plots(snapshot: &Snapshot) -> [Markup; 2] {
    let history = &snapshot.history;
    let minutes = || history.iter().map(|row| row.minute);
    let (from, to) = (
        minutes().min().unwrap_or(0),
        minutes().max().unwrap_or(0) + 1,
    );
    let step = ((to - from) / MAX_POINTS).max(1);
    let unit = TimeUnit::of_longest((to - from) as f64 * 60.0);
    let label = format!("{} since the first test", unit.name);
    let time = |bucket: i64| unit.number((bucket * step * 60) as f64);
    let buckets = (to - from + step - 1) / step;
    let mut tests: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let mut found = vec![0; buckets as usize];
    for row in history {
        let bucket = ((row.minute - from) / step) as usize;
        let counts = tests.entry(&row.program);
        counts.or_insert_with(|| vec![0; buckets as usize])[bucket] += row.tests;
    }
    // An issue may have been found by a reduction, which is not in any count per minute.
    let shown = |issue: &&nubbin_campaign::IssueRow| issue.joined_to.is_none();
    for issue in snapshot.issues.iter().filter(shown) {
        let bucket = (issue.first_seen / 60_000).clamp(from, to - 1) - from;
        found[(bucket / step) as usize] += 1;
    }
    let lines = tests
        .iter()
        .enumerate()
        .map(|(at, (program, counts))| Series {
            label: visible(program).into_owned(),
            class: COLORS[at % COLORS.len()].to_owned(),
            points: (0..)
                .map(time)
                .zip(
                    counts
                        .iter()
                        .chain(counts.last())
                        .map(|count| *count as f64 / step as f64),
                )
                .collect(),
            shape: Shape::Lines,
        });
    let lines: Vec<Series> = lines.collect();
    let mut all = 0_u64;
    let so_far = found.iter().map(|count| {
        all += count;
        all as f64
    });
    let so_far: Vec<f64> = std::iter::once(0.0).chain(so_far).collect();
    let issues = Series {
        label: "issues".to_owned(),
        class: "c1".to_owned(),
        points: (0..).map(time).zip(so_far).collect(),
        shape: Shape::Steps,
    };
    let ran: u64 = history.iter().map(|row| row.tests).sum();
    let plot = |title, y, summary| Plot {
        title,
        x: Axis::linear(&label),
        y,
        summary,
    };
    let span = run_time(Duration::from_secs((to - from).unsigned_abs() * 60));
    [
        plot(
            "Tests per minute",
            Axis::linear("tests per minute"),
            format!("{} in {span}.", count(ran, "test")),
        )
        .draw(&lines),
        plot(
            "Issues found so far",
            Axis::whole("issues"),
            format!("{} in {span}.", count(all, "issue")),
        )
        .draw(&[issues]),
    ]
}
