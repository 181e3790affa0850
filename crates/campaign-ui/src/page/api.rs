//! The data of a campaign that the page reads.

use super::answer::{Answer, Refusal};
use crate::Live;
use crate::excerpt::Excerpt;
use crate::sources::coverage_of;
use nubbin_campaign::{IssueFilter, Statistic, Store, now};
use serde_json::{Value, json};

/// The minutes of a history without a beginning.
const MINUTES: i64 = 120;

type Parameters = [(String, String)];

/// Returns all that changes from second to second.
pub(super) fn summary(store: &Store, live: &Live) -> Result<Answer, Refusal> {
    let statistics = store.statistics()?;
    let counts = store.issue_counts()?;
    let states = counts.iter().map(|(state, count)| (state.name(), count));
    let states: serde_json::Map<String, Value> = states
        .map(|(name, count)| (name.to_owned(), json!(count)))
        .collect();
    let sum = |of: fn(&Statistic) -> u64| statistics.iter().map(of).sum::<u64>();
    let folder = store.folder();
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    let mut programs: Vec<(&str, Vec<&str>)> = vec![];
    for row in &statistics {
        match programs.iter_mut().find(|(name, _)| *name == row.program) {
            Some((_, versions)) if versions.contains(&&*row.version) => {}
            Some((_, versions)) => versions.push(&row.version),
            None => programs.push((&row.program, vec![&row.version])),
        }
    }
    let programs = programs.iter();
    let programs = programs.map(|(name, versions)| json!({ "name": name, "versions": versions }));
    let elapsed = live.elapsed();
    Answer::json(&json!({
        "name": name.to_string_lossy(),
        "nubbin": env!("CARGO_PKG_VERSION"),
        "now": now(),
        "is_running": elapsed.is_some(),
        "seconds": elapsed.map(|time| time.as_secs_f64()),
        "tests_per_second": rate(store)?,
        "running": live.running(),
        "queued": store.jobs()?,
        "issues": states,
        "totals": {
            "tests": sum(|row| row.tests),
            "failures": sum(|row| row.failures),
            "limits": sum(|row| row.limits),
            "bytes": sum(|row| row.bytes),
            "millis": sum(|row| row.millis),
            "issues": sum(|row| row.issues),
        },
        "programs": programs.collect::<Vec<_>>(),
        "statistics": statistics,
        "sources": coverage_of(store.folder()),
    }))
}

/// Returns the counts of the minutes since one.
pub(super) fn history(store: &Store, parameters: &Parameters) -> Result<Answer, Refusal> {
    let since = match value(parameters, "since") {
        None => now() / 60_000 - MINUTES,
        Some(minute) => minute.parse().map_err(|_| {
            let why = "The parameter `since` is the number of a minute since 1970.";
            Refusal::new(400, why)
        })?,
    };
    Answer::json(&store.history(since)?)
}

/// Returns a list of issues.
pub(super) fn issues(store: &Store, parameters: &Parameters) -> Result<Answer, Refusal> {
    let states = value(parameters, "state").unwrap_or("");
    let states = states.split(',').filter(|state| !state.is_empty());
    let states: Result<_, _> = states.map(str::parse).collect();
    let given = |name| value(parameters, name).filter(|it| !it.is_empty());
    let filter = IssueFilter {
        states: states.map_err(|error: nubbin_campaign::ParseStateError| {
            Refusal::new(400, error.to_string())
        })?,
        program: given("program").map(str::to_owned),
        text: given("text").map(str::to_owned),
        with_joined: false,
    };
    Answer::json(&store.issue_list(&filter)?)
}

/// Returns an issue with its tests and its output.
pub(super) fn issue(store: &Store, id: i64) -> Result<Answer, Refusal> {
    let issue = store.issue(id)?.ok_or_else(|| Refusal::no_issue(id))?;
    let sightings = store.sightings(id)?;
    let sightings = sightings.into_iter().map(|(generator, version, seen)| {
        json!({ "generator": generator, "version": version, "seen": seen })
    });
    let inputs = store.inputs(id)?;
    let inputs = inputs
        .into_iter()
        .map(|(generator, name)| json!({ "generator": generator, "name": name }));
    let jobs = store.jobs()?.into_iter();
    let jobs: Vec<_> = jobs.filter(|job| job.issue == Some(id)).collect();
    Answer::json(&json!({
        "issue": issue,
        "test": Excerpt::of_start(&issue.test),
        "reduced": issue.reduced.as_deref().map(Excerpt::of_start),
        "output": Excerpt::of_end(&issue.output),
        "sightings": sightings.collect::<Vec<_>>(),
        "inputs": inputs.collect::<Vec<_>>(),
        "jobs": jobs,
    }))
}

/// Returns the test of an issue as a file.
pub(super) fn test(store: &Store, id: i64) -> Result<Answer, Refusal> {
    let issue = store.issue(id)?.ok_or_else(|| Refusal::no_issue(id))?;
    Ok(Answer::file(&format!("issue-{id}.test"), issue.test))
}

/// Returns the reduced test of an issue as a file.
pub(super) fn reduced(store: &Store, id: i64) -> Result<Answer, Refusal> {
    let issue = store.issue(id)?.ok_or_else(|| Refusal::no_issue(id))?;
    let missing = || Refusal::new(404, format!("Issue {id} is not reduced."));
    let reduced = issue.reduced.ok_or_else(missing)?;
    Ok(Answer::file(&format!("issue-{id}.reduced"), reduced))
}

/// Returns the tests per second of the last 60 seconds. Counts are by the minute, so a part of the
/// minute before counts.
fn rate(store: &Store) -> Result<f64, Refusal> {
    let now = now();
    let minute = now / 60_000;
    let passed = (now % 60_000) as f64 / 60_000.0;
    let rows = store.history(minute - 1)?;
    let tests = rows.iter().map(|row| match row.minute - minute {
        -1 => row.tests as f64 * (1.0 - passed),
        0 => row.tests as f64,
        _ => 0.0,
    });
    // The sum of an empty iterator is negative zero, so the fold starts at zero.
    Ok(tests.fold(0.0, |sum, tests| sum + tests) / 60.0)
}

fn value<'a>(parameters: &'a Parameters, name: &str) -> Option<&'a str> {
    let mut named = parameters.iter().filter(|(own, _)| own == name);
    named.next().map(|(_, value)| &**value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_without_a_test_is_no_negative_zero() {
        let folder = tempfile::tempdir().unwrap();
        let rate = rate(&Store::create(folder.path()).unwrap()).ok().unwrap();
        assert!(rate == 0.0 && rate.is_sign_positive(), "{rate}");
    }
}
