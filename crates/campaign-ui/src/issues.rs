//! `nubbin campaign issues` and `show`.

use super::act::{existing, issue};
use super::farm::Given;
use super::pattern;
use super::reports;
use super::setup::Setup;
use super::store;
use super::template::time;
use crate::exit::Exit;
use crate::flags::{IssuesFlags, ShowIssueFlags};
use crate::nearly_empty;
use crate::print::{print, print_own, print_text};
use crate::problem::Problem;
use crate::shown::tests;
use nubbin_campaign::{Issue, IssueFilter, IssueState, Reduction, Store};
use serde_json::json;
use std::fmt::Write as _;

pub(super) fn list(flags: &IssuesFlags) -> Result<Exit, Problem> {
    let opened = existing(&flags.folder.folder)?;
    let states = flags.state.iter().map(|state| {
        state
            .parse()
            .map_err(|error: nubbin_campaign::ParseStateError| {
                Problem::new(Exit::Usage, error.to_string())
            })
    });
    let mut states: Vec<IssueState> = states.collect::<Result<_, _>>()?;
    if states.is_empty() && !flags.all {
        states.push(IssueState::Open);
    }
    let filter = IssueFilter {
        states,
        program: flags.program.clone(),
        text: flags.text.clone(),
        with_joined: flags.all,
    };
    let issues = opened.issues(&filter);
    let mut issues = issues.map_err(|error| store::problem(&error))?;
    issues.reverse();
    let mut text = String::new();
    if flags.json {
        for issue in &issues {
            let _ = writeln!(text, "{}", facts(issue));
        }
        return print(&text);
    }
    if !issues.is_empty() {
        let _ = writeln!(
            text,
            "{:>5}  {:7}  {:8}  {:>6}  {:>5}  {:>15}  issue",
            "id", "state", "severity", "seen", "again", "bytes"
        );
        for issue in &issues {
            let _ = writeln!(text, "{}", line(issue));
        }
    }
    print_text(&text)
}

/// The maximum number of inputs that are named.
const MAX_INPUTS: usize = 5;

/// The state of a reduction that would end with nothing.
const EMPTY: &str = "not reduced, since an empty test shows the issue as well";

fn line(issue: &Issue) -> String {
    let again = match issue.tries {
        0 => "-".to_owned(),
        tries => format!("{}/{tries}", issue.hits),
    };
    let bytes = match &issue.reduced {
        Some(reduced) => format!("{} → {}", issue.test.len(), reduced.len()),
        None => issue.test.len().to_string(),
    };
    let mark = match issue.regressed {
        true => " (regression)".to_owned(),
        false => String::new(),
    };
    let mark = match issue.joined_to {
        Some(to) => format!("{mark} (joined to {to})"),
        None => mark,
    };
    format!(
        "{:>5}  {:7}  {:8}  {:>6}  {again:>5}  {bytes:>15}  {}: {}{mark}",
        issue.id, issue.state, issue.severity, issue.seen, issue.program, issue.identity,
    )
}

pub(super) fn show(flags: &ShowIssueFlags) -> Result<Exit, Problem> {
    let opened = existing(&flags.folder.folder)?;
    let issue = issue(&opened, flags.issue)?;
    if flags.test || flags.original {
        let bytes = match flags.test {
            true => issue.smallest(),
            false => &issue.test,
        };
        return print_own(bytes);
    }
    if flags.json {
        let inputs = opened.inputs(issue.id);
        let inputs = inputs.map_err(|error| store::problem(&error))?;
        let inputs = inputs
            .iter()
            .map(|(generator, name)| json!({ "generator": generator, "name": name }));
        let mut value = facts(&issue);
        value["inputs"] = inputs.collect();
        return print(&format!("{value}\n"));
    }
    if flags.github {
        let setup = Setup::new(&flags.folder.folder, &Given::one(), true)?;
        return print(&reports::github(&setup, &opened, &issue)?);
    }
    print_text(&described(&opened, &issue)?)
}

/// Returns a text about an issue: its facts, its explanation, its test, and its output.
fn described(opened: &Store, issue: &Issue) -> Result<String, Problem> {
    let mut text = format!(
        "issue {} of {}: {}\n\n",
        issue.id, issue.program, issue.identity
    );
    let history = history(opened, issue)?;
    for (name, value) in own_rows(issue).into_iter().chain(history) {
        let _ = writeln!(text, "{name:12} {value}");
    }
    if let Some(pattern) = &issue.explanation {
        let _ = writeln!(text, "\nexplanation, {}:", pattern::evidence(pattern));
        for line in pattern.to_string().lines() {
            let _ = writeln!(text, "  {line}");
        }
        for line in pattern::lines(pattern) {
            let _ = writeln!(text, "    {line}");
        }
    }
    for (title, bytes) in [("test", issue.smallest()), ("output", &*issue.output)] {
        if bytes.is_empty() {
            let _ = writeln!(text, "\n{title}: none");
            continue;
        }
        let _ = writeln!(text, "\n{title}:");
        for line in String::from_utf8_lossy(bytes).lines() {
            let _ = writeln!(text, "  {}", line);
        }
    }
    Ok(text)
}

/// A fact about an issue, with its name.
type Row = (&'static str, String);

/// Returns the state of an issue, and the behavior of its test.
fn own_rows(issue: &Issue) -> Vec<Row> {
    let regressed = match issue.regressed {
        true => ", a regression",
        false => "",
    };
    let mut rows = vec![
        ("state", format!("{}{regressed}", issue.state)),
        ("severity", issue.severity.to_string()),
        ("ends with", issue.exit.clone()),
    ];
    if issue.tries > 0 {
        let runs = format!("{} of {} runs", issue.hits, issue.tries);
        rows.push(("reproduces", runs));
    }
    rows.push(("cluster", issue.cluster.clone()));
    rows
}

/// Returns the runs that showed an issue, the issues that are joined to it, and its reduction.
fn history(opened: &Store, issue: &Issue) -> Result<Vec<Row>, Problem> {
    let sightings = opened.sightings(issue.id);
    let sightings = sightings.map_err(|error| store::problem(&error))?;
    let inputs = opened.inputs(issue.id);
    let inputs = inputs.map_err(|error| store::problem(&error))?;
    let seen = |at: i64, version: &str| format!("{} UTC, version {}", time(at), version);
    let mut rows = vec![
        ("first seen", seen(issue.first_seen, &issue.first_version)),
        ("last seen", seen(issue.last_seen, &issue.last_version)),
    ];
    let seen = sightings.iter().map(|(generator, version, count)| {
        let seen = format!("{count} times by {generator}, version {version}");
        ("seen", seen)
    });
    rows.extend(seen);
    if !issue.first_bad.is_empty() {
        rows.push(("revision", format!("first shown by {}", issue.first_bad)));
    }
    if let Some(to) = issue.joined_to {
        rows.push(("joined to", format!("issue {to}")));
    }
    if !issue.joined.is_empty() {
        let joined = format!("{}, whose counts are included", numbers(&issue.joined));
        rows.push(("joined", joined));
    }
    if !inputs.is_empty() {
        rows.push(("inputs", listed(&inputs)));
    }
    let reduction = match issue.reduction {
        Reduction::None => "not reduced".to_owned(),
        Reduction::Partial => format!("being reduced, {}", tests(issue.reduction_tests)),
        Reduction::Done => format!("reduced in {}", tests(issue.reduction_tests)),
        Reduction::Limited => format!(
            "not reduced to the end: a limit stopped the reduction after {}",
            tests(issue.reduction_tests)
        ),
        Reduction::Empty => EMPTY.to_owned(),
    };
    let sizes = format!("{} of {} bytes", issue.smallest().len(), issue.test.len());
    rows.push(("test", format!("{sizes}, {reduction}")));
    if let Some(note) = nearly_empty::note(issue.test.len(), issue.smallest()) {
        rows.push(("warning", note));
    }
    if !issue.note.is_empty() {
        rows.push(("note", issue.note.clone()));
    }
    Ok(rows)
}

/// Returns the numbers of issues.
pub(crate) fn numbers(issues: &[i64]) -> String {
    let numbers: Vec<String> = issues.iter().map(i64::to_string).collect();
    match &numbers[..] {
        [only] => format!("issue {only}"),
        _ => format!("issues {}", numbers.join(", ")),
    }
}

/// Returns the names of the first inputs.
fn listed(inputs: &[(String, String)]) -> String {
    let names: Vec<String> = inputs
        .iter()
        .take(MAX_INPUTS)
        .map(|(generator, name)| format!("{generator}: {name}"))
        .collect();
    match inputs.len().saturating_sub(MAX_INPUTS) {
        0 => names.join(", "),
        more => format!("{}, and {more} more (`--json`)", names.join(", ")),
    }
}

/// Returns an issue for programs.
fn facts(issue: &Issue) -> serde_json::Value {
    let mut value = serde_json::to_value(issue).unwrap_or_default();
    value["text"] = json!(issue.identity.to_string());
    value["bytes"] = json!(issue.test.len());
    value["reduced_bytes"] = json!(issue.reduced.as_ref().map(Vec::len));
    value["test"] = json!(String::from_utf8_lossy(issue.smallest()));
    value
}
