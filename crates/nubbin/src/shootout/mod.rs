//! `nubbin shootout`: every algorithm on the same inputs and tests.
//!
//! The third exercise of the Fuzzing Book's chapter on reducing asks for it: inputs from grammars,
//! tests that look for symbols in them, and who does best under which circumstances. No process is
//! started for a test.

mod contest;
mod contestants;
mod grammars;
mod page;
mod speedup;
mod standings;
mod tables;
mod task;

use crate::args::ShootoutArgs;
use crate::exit::Exit;
use crate::place;
use crate::print;
use crate::problem::{Problem, say};
use console::Term;
use contestants::Contestant;
use serde::Serialize;
use speedup::Speedup;
use standings::{Group, Growth, Standing};
use std::path::Path;
use task::Measure;

/// All that is known at the end.
#[derive(Debug, Serialize)]
struct Result {
    command: String,
    seed: u64,
    reductions: usize,
    contestants: usize,
    tasks: usize,
    grammars: Vec<&'static str>,
    standings: Vec<Standing>,
    groups: Vec<Group>,
    growth: Vec<Growth>,
    speedup: Vec<Speedup>,
    rows: Vec<Row>,
}

/// One reduction.
#[derive(Debug, Serialize)]
struct Row {
    grammar: &'static str,
    size: u64,
    symbols: usize,
    depth: u32,
    spread: f64,
    algorithm: String,
    tests: u64,
    unresolved: u64,
    before: usize,
    after: usize,
    complete: bool,
}

pub(crate) fn run(args: &ShootoutArgs) -> std::result::Result<Exit, Problem> {
    let outputs = [&args.html, &args.csv, &args.json];
    for path in outputs.into_iter().flatten() {
        place::probe(path)?;
    }
    let result = hold(args)?;
    let json = serde_json::to_string_pretty(&result)
        .map_err(|error| Problem::new(Exit::Output, error.to_string()))?;
    for (path, text) in [
        (&args.html, page::page(&result)),
        (&args.csv, tables::csv(&result)),
        (&args.json, json + "\n"),
    ] {
        if let Some(path) = path {
            write(path, &text)?;
        }
    }
    print(&tables::markdown(&result))
}

fn hold(args: &ShootoutArgs) -> std::result::Result<Result, Problem> {
    let subjects = grammars::all()
        .map_err(|error| Problem::new(Exit::Input, "a grammar cannot be read").because(&*error))?;
    let sizes = match (&args.sizes[..], args.full) {
        ([], true) => vec![25, 50, 100, 200, 400, 800],
        ([], false) => vec![20, 40, 80, 160],
        (sizes, _) => sizes.to_vec(),
    };
    let measure = Measure {
        sizes,
        inputs: args.inputs.unwrap_or(if args.full { 10 } else { 3 }),
    };
    let tasks: Vec<task::Task> = subjects
        .iter()
        .enumerate()
        .flat_map(|(index, subject)| task::tasks(index, subject, &measure, args.seed))
        .collect();
    let contestants = chosen(args)?;
    let jobs = args.jobs.map_or_else(crate::cores, usize::from);
    let quiet = !Term::stderr().is_term();
    let scores = contest::hold(&subjects, &tasks, &contestants, jobs, quiet);
    let rows = tasks.iter().zip(&scores.by_task).flat_map(|(task, row)| {
        let grammar = subjects[task.subject].name;
        contestants
            .iter()
            .zip(row)
            .map(move |(contestant, score)| Row {
                grammar,
                size: task.circumstances.size,
                symbols: task.circumstances.needed,
                depth: task.circumstances.depth,
                spread: task.circumstances.spread,
                algorithm: contestant.name.clone(),
                tests: score.tests,
                unresolved: score.unresolved,
                before: score.before,
                after: score.after,
                complete: score.complete,
            })
    });
    let standings = standings::standings(&contestants, &scores);
    let full = if args.full { " --full" } else { "" };
    let inputs = args
        .inputs
        .map_or_else(String::new, |n| format!(" --inputs {n}"));
    let listed = |flag: &str, values: &[String]| match values {
        [] => String::new(),
        values => format!(" {flag} '{}'", values.join(",")),
    };
    let sizes: Vec<String> = args.sizes.iter().map(u64::to_string).collect();
    let only = listed("--sizes", &sizes) + &listed("--algorithms", &args.algorithms);
    Ok(Result {
        command: format!("nubbin shootout --seed {}{full}{inputs}{only}", args.seed),
        seed: args.seed,
        reductions: tasks.len() * contestants.len(),
        contestants: contestants.len(),
        tasks: tasks.len(),
        grammars: subjects.iter().map(|subject| subject.name).collect(),
        groups: standings::groups(&subjects, &tasks, &contestants, &scores),
        growth: standings::growth(&tasks, &contestants, &scores),
        speedup: speedup::speedups(&subjects, &tasks, &contestants),
        rows: rows.collect(),
        standings,
    })
}

/// Everybody, or those who were named.
fn chosen(args: &ShootoutArgs) -> std::result::Result<Vec<Contestant>, Problem> {
    let mut all = contestants::all(args.full);
    let unknown = |name: &&String| !all.iter().any(|one| one.name == **name);
    if let Some(name) = args.algorithms.iter().find(unknown) {
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        let what = format!("nobody called `{name}` takes part");
        return Err(Problem::new(Exit::Usage, what).hint(format!("there are {}", names.join(", "))));
    }
    if !args.algorithms.is_empty() {
        all.retain(|one| args.algorithms.contains(&one.name));
    }
    Ok(all)
}

fn write(path: &Path, text: &str) -> std::result::Result<(), Problem> {
    place::replace(path, text.as_bytes(), Some(0o644)).map_err(|error| {
        let what = format!("cannot write `{}`", path.display());
        Problem::new(Exit::Output, what).because(&error)
    })?;
    say(&format!("wrote `{}`", path.display()));
    Ok(())
}
