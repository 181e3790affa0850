//! `nubbin graph explore`: creates the graph of an engine.

use super::file::{Answer, keep_apart};
use super::summary;
use crate::engine::{Profile, Shell, identity};
use crate::exit::Exit;
use crate::flags::{ExploreFlags, ShellFlags};
use crate::problem::{Problem, say, warn};
use crate::signals;
use nubbin_graph::probe::explore;
use nubbin_graph::{Graph, Reports};
use nubbin_oracle::Run;
use nubbin_verdict::{Cancel, Unresolved};
use std::path::PathBuf;

/// The maximum number of functions that are left out of the trials of an exploration, each after a
/// run of the probe.
const MOST_SKIPPED: usize = 40;

pub(super) fn run(options: &ExploreFlags) -> Result<Exit, Problem> {
    signals::end_on_signals()?;
    let profile = Profile::of(&options.engine, None)?;
    let profile_file: Vec<PathBuf> = options.engine.engine.iter().map(PathBuf::from).collect();
    keep_apart(&profile_file, &options.output)?;
    let answer = Answer::claim(&options.output)?;
    let graph = explored(&profile, &options.engine.shell)?;
    say(&summary::line(&graph));
    answer.give(&graph.to_json())
}

/// Explores an engine.
pub(super) fn explored(profile: &Profile, flags: &ShellFlags) -> Result<Graph, Problem> {
    let shell = Shell::of_probe(profile, flags)?;
    let engine = identity(profile, &shell)?;
    let reports = reports_of(profile, &shell)?;
    if reports.broken() > 0 {
        warn(&format!(
            "{} lines of the report could not be read",
            reports.broken()
        ));
    }
    let mut graph = reports.into_graph();
    graph.engine = Some(engine);
    graph.language = profile.language();
    Ok(graph)
}

/// Runs the probe. Where it ends the engine or hangs with a function that it tries, it is run once
/// more without a trial of that function.
fn reports_of(profile: &Profile, shell: &Shell) -> Result<Reports, Problem> {
    let mut skipped: Vec<String> = vec![];
    loop {
        let script = explore(&profile.probed, &skipped);
        let run = shell
            .run(script.as_bytes(), 0, &Cancel::new())
            .map_err(|error| broken(profile).because(&error))?;
        let mut reports = Reports::default();
        let lines = reports.read(run.stdout());
        if reports.is_done() {
            return Ok(reports);
        }
        // The time limit covers all trials, so it does not identify a faulty one.
        let is_late = matches!(run.cut_short, Some(Unresolved::TimedOut(_)));
        let tried = reports.tried();
        let tried = tried.filter(|_| !is_late && skipped.len() < MOST_SKIPPED);
        let Some(tried) = tried.filter(|name| !skipped.iter().any(|it| it == name)) else {
            return Err(unfinished(profile, lines, &run));
        };
        warn(&format!(
            "`{tried}` was left out of the trials: the engine ended with {}",
            ended(&run)
        ));
        skipped.push(tried.to_owned());
    }
}

fn ended(run: &Run) -> String {
    match &run.cut_short {
        Some(reason) => reason.to_string(),
        None => run.exit.to_string(),
    }
}

fn broken(profile: &Profile) -> Problem {
    Problem::new(
        Exit::Test,
        format!("the engine `{}` cannot be explored", profile.name),
    )
}

fn unfinished(profile: &Profile, lines: usize, run: &Run) -> Problem {
    let ended = ended(run);
    let problem = broken(profile);
    let wrote = String::from_utf8_lossy(run.stderr()).trim().to_owned();
    let wrote = if wrote.is_empty() {
        String::from_utf8_lossy(run.stdout()).trim().to_owned()
    } else {
        wrote
    };
    let last: Vec<&str> = wrote.lines().rev().take(3).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    let problem = problem.hint(match lines {
        0 => format!(
            "the engine reported nothing ({ended}): is `{}` a shell of this engine, and `{}` its \
            function \
             that prints a line?",
            profile.command[0], profile.probed.print
        ),
        lines => format!(
            "the engine stopped after {lines} lines ({ended}): the profile may have to name an \
            object that \
             must not be looked at, in `never`"
        ),
    });
    match last.is_empty() {
        true => problem,
        false => problem.hint(format!("it wrote:\n{}", last.join("\n"))),
    }
}
