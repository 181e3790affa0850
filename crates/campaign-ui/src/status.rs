//! `nubbin campaign status`: the counts of a campaign.

use super::act::existing;
use super::config::ConfigFile;
use super::generator::afl_stats;
use super::sources::coverage_of;
use super::store;
use super::template::time;
use super::trial::refused_line;
use crate::events::TestPlaces;
use crate::exit::Exit;
use crate::flags::StatusFlags;
use crate::print::{print, print_text};
use crate::problem::Problem;
use crate::remote::places_line;
use crate::sandbox::Wording;
use indicatif::HumanCount;
use nubbin_campaign::{EventKind, IssueState, RefusedRuns, Statistic, StoreError};
use nubbin_oracle::{PlaceCounts, Refusal};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The maximum number of warnings that are shown, the last of all.
const WARNINGS: usize = 5;

pub(super) fn run(flags: &StatusFlags) -> Result<Exit, Problem> {
    let folder = &flags.folder.folder;
    let opened = existing(folder)?;
    let unusable = |error| store::problem(&error);
    let rows = opened.statistics().map_err(unusable)?;
    let counts = opened.issue_counts().map_err(unusable)?;
    let jobs = opened.jobs().map_err(unusable)?;
    let places = opened.places().map_err(unusable)?;
    let refused = opened.refused().map_err(unusable)?;
    let warnings = opened.last_events(EventKind::Warning, WARNINGS);
    let warnings = warnings.map_err(unusable)?;
    let is_running = matches!(opened.lock(), Err(StoreError::Running { .. }));
    // Counts are shown even if the configuration cannot be read.
    let config = ConfigFile::read(folder).and_then(|file| file.parse()).ok();
    let generators = config.iter().flat_map(|config| config.generator.values());
    let afl: Vec<_> = generators
        .filter_map(|table| table.get_ref().afl.as_ref())
        .flat_map(|path| afl_stats(&folder.join(path.get_ref())))
        .collect();
    let sources = coverage_of(folder);
    if flags.json {
        let value = json!({
            "running": is_running, "issues": issues_json(&counts), "jobs": jobs, "statistics": rows, "afl": afl,
            "sources": sources,
            "places": places_json(&places), "refused": refused_json(&refused),
            "warnings": warnings.iter().map(|event| &event.text).collect::<Vec<_>>(),
        });
        return print(&format!("{value}\n"));
    }
    let tests: u64 = rows.iter().map(|row| row.tests).sum();
    let state = if is_running { "running" } else { "not running" };
    let mut text = format!("{state}, {} tests\n", HumanCount(tests));
    let _ = writeln!(text, "issues: {}", issues_line(&counts));
    if !jobs.is_empty() {
        let _ = writeln!(text, "jobs that wait or run: {}", jobs.len());
    }
    for event in warnings.iter().rev() {
        let _ = writeln!(text, "warning, {} UTC: {}", time(event.at), event.text);
    }
    if !rows.is_empty() {
        let _ = writeln!(
            text,
            "\n{:16} {:16} {:20} {:>10} {:>8} {:>9} {:>7} {:>7}",
            "program", "generator", "version", "tests", "per s", "failures", "limits", "issues"
        );
    }
    for row in &rows {
        let _ = writeln!(text, "{}", line(row));
    }
    for (program, counts) in &places {
        let _ = writeln!(text, "{program}: {}", places_line(counts));
    }
    for (program, refused) in &refused {
        let refusals: Vec<Refusal> = Refusal::of_line(&refused.line).into_iter().collect();
        let _ = writeln!(
            text,
            "{}",
            refused_line(program, refused.runs, &refusals, Wording::Keys)
        );
    }
    for row in &sources {
        let name = row
            .instance
            .as_deref()
            .map_or_else(String::new, |it| format!(" ({it})"));
        let _ = writeln!(text, "fuzzer of {}{name}: {}", row.generator, row.line());
    }
    print_text(&text)
}

/// Returns the number of issues in each state.
fn issues_json(counts: &[(IssueState, u64)]) -> Value {
    let each = counts.iter();
    let each = each.map(|(state, count)| (state.name().to_owned(), json!(count)));
    Value::Object(each.collect())
}

fn issues_line(counts: &[(IssueState, u64)]) -> String {
    let is_told = |(state, count): &&(IssueState, u64)| *count > 0 || *state == IssueState::Open;
    let told = counts.iter().filter(is_told);
    let told: Vec<_> = told
        .map(|(state, count)| format!("{count} {state}"))
        .collect();
    told.join(", ")
}

/// Returns the runs of each program in which the sandbox has refused something.
fn refused_json(refused: &[(String, RefusedRuns)]) -> Value {
    let each = refused.iter().map(|(program, refused)| {
        let value = json!({ "tests": refused.runs, "line": refused.line });
        (program.clone(), value)
    });
    Value::Object(each.collect())
}

/// Returns the runs by place of each program.
fn places_json(places: &[(String, PlaceCounts)]) -> Value {
    let each = places
        .iter()
        .map(|(program, counts)| (program.clone(), json!(TestPlaces::from(*counts))));
    Value::Object(each.collect())
}

fn line(row: &Statistic) -> String {
    let rate = row.tests as f64 * 1000.0 / row.millis.max(1) as f64;
    format!(
        "{:16} {:16} {:20} {:>10} {rate:>8.0} {:>9} {:>7} {:>7}",
        row.program,
        row.generator,
        row.version,
        HumanCount(row.tests).to_string(),
        HumanCount(row.failures).to_string(),
        row.limits,
        row.issues
    )
}
