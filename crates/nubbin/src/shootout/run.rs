//! Runs a benchmark, from its flags to its tables.

use super::algorithms::BenchmarkAlgorithm;
use super::benchmark::{Score, Scores};
use super::cases::Case;
use super::comparison::{CaseFacts, Comparison, Reduced, Row};
use super::task::Measure;
use super::{
    algorithms, benchmark, cases, grammars, page, ranking, simulated_time, speedup, tables, task,
};
use crate::exit::Exit;
use crate::flags::ShootoutFlags;
use crate::output::write::folder_of;
use crate::output::{Access, Destination};
use crate::print::print;
use crate::problem::{Problem, say, warn};
use crate::repeat::quoted;
use crate::signals;
use console::Term;
use nubbin_reduce::engine::Stop;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) fn run(args: &ShootoutFlags) -> Result<Exit, Problem> {
    let claim = |path: &Option<PathBuf>, what| {
        let file = path.as_deref().map(|path| {
            // If this call fails, the claim below reports the error.
            let _ = Access::ALL.make_dirs(folder_of(path));
            Destination::claim(path, what, Access::ALL, args.force)
        });
        file.transpose()
    };
    let html = claim(&args.html, "page")?;
    let csv = claim(&args.csv, "figures")?;
    let json_file = claim(&args.json, "figures")?;
    let result = match args.cases.is_some() || args.file.is_some() {
        true => compare_on_cases(args)?,
        false => compare(args)?,
    };
    let json = serde_json::to_string_pretty(&result)
        .map_err(|error| Problem::new(Exit::Output, error.to_string()))?;
    for (file, text) in [
        (html, page::page(&result)),
        (csv, tables::csv(&result)),
        (json_file, json + "\n"),
    ] {
        if let Some(file) = file {
            file.write(text.as_bytes())?;
            say(&format!("wrote `{}`", file.path().display()));
        }
    }
    print(&tables::markdown(&result))?;
    match result.left_out {
        0 => return Ok(Exit::Done),
        1 => warn("stopped before one case was complete, which is left out"),
        more => warn(&format!(
            "stopped before {more} cases were complete, which are left out"
        )),
    }
    Ok(Exit::Stopped)
}

fn compare(args: &ShootoutFlags) -> Result<Comparison, Problem> {
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
    let algorithms = chosen(args)?;
    let scores = benchmark::run_all(
        tasks.len(),
        &algorithms,
        jobs(args),
        quiet(),
        &|task, algorithm| {
            let task = &tasks[task];
            benchmark::run(algorithm, &subjects[task.subject], task, None).0
        },
    );
    let of = |task: &task::Task| Reduced::Generated {
        grammar: subjects[task.subject].name,
        size: task.circumstances.size,
        symbols: task.circumstances.needed,
        depth: task.circumstances.depth,
        spread: task.circumstances.spread,
    };
    let rows = tasks.iter().zip(&scores.by_task);
    let rows = rows.flat_map(|(task, scores)| rows_of(|| of(task), &algorithms, scores));
    let ranking = ranking::ranking(&algorithms, &scores);
    let full = if args.full { " --full" } else { "" };
    let inputs = args
        .inputs
        .map_or_else(String::new, |n| format!(" --inputs {n}"));
    let sizes: Vec<String> = args.sizes.iter().map(u64::to_string).collect();
    let only = listed("--sizes", &sizes) + &listed("--algorithms", &args.algorithms);
    let prepare = prepare(args);
    Ok(Comparison {
        command: format!(
            "nubbin shootout --seed {}{full}{inputs}{only}{prepare}",
            args.seed
        ),
        seed: args.seed,
        preparation: args.prepare.map(|steps| steps.to_string()),
        reductions: tasks.len() * algorithms.len(),
        algorithms: algorithms.len(),
        tasks: tasks.len(),
        grammars: subjects.iter().map(|subject| subject.name).collect(),
        cases: vec![],
        left_out: 0,
        groups: ranking::groups(&subjects, &tasks, &algorithms, &scores),
        growth: ranking::growth(&tasks, &algorithms, &scores),
        speedup: speedup::speedups(&subjects, &tasks, &algorithms),
        simulated_times: vec![],
        rows: rows.collect(),
        ranking,
    })
}

/// Reduces the cases with all algorithms, and leaves out those that were cut short by a signal.
fn scored(
    cases: Vec<Case>,
    algorithms: &[BenchmarkAlgorithm],
    args: &ShootoutFlags,
    stop: &Stop,
) -> (Vec<Case>, Scores) {
    let cut: Vec<AtomicBool> = cases.iter().map(|_| AtomicBool::new(false)).collect();
    let scores = benchmark::run_all(
        cases.len(),
        algorithms,
        jobs(args),
        quiet(),
        &|case, algorithm| {
            let score = (!stop.is_requested())
                .then(|| cases[case].reduce(algorithm, args, stop))
                .filter(|_| !stop.is_requested());
            if score.is_none() {
                cut[case].store(true, Ordering::Relaxed);
            }
            score.unwrap_or_default()
        },
    );
    let through = (cases.into_iter().zip(scores.by_task).zip(cut))
        .filter(|(_, cut)| !cut.load(Ordering::Relaxed));
    let (cases, by_task): (Vec<Case>, Vec<Vec<Score>>) = through.map(|(both, _)| both).unzip();
    (cases, Scores { by_task })
}

/// Compares the algorithms on real failures.
fn compare_on_cases(args: &ShootoutFlags) -> Result<Comparison, Problem> {
    let algorithms = chosen(args)?;
    let stop = Stop::default();
    signals::stop_on_signals(stop.clone())?;
    let cases = cases::of(args, &stop)?;
    for case in cases.iter().filter(|case| !case.has_trees()) {
        let name = &case.name;
        warn(&format!(
            "unknown language of the input of `{name}`: tree reducers leave it as it is"
        ));
    }
    let all = cases.len();
    let (cases, scores) = scored(cases, &algorithms, args, &stop);
    if cases.is_empty() {
        return Err(cases::stopped());
    }
    let simulated_times = simulated_time::simulated_times(&cases, &algorithms, args, &stop);
    let of = |case: &Case| Reduced::Case {
        case: case.name.clone(),
        language: case.language.clone(),
    };
    let rows = cases.iter().zip(&scores.by_task);
    let rows = rows.flat_map(|(case, scores)| rows_of(|| of(case), &algorithms, scores));
    let facts = cases.iter().map(|case| CaseFacts {
        name: case.name.clone(),
        language: case.language.clone(),
        bytes: case.bytes(),
    });
    Ok(Comparison {
        command: command_on_cases(args),
        seed: args.seed,
        preparation: args.prepare.map(|steps| steps.to_string()),
        reductions: cases.len() * algorithms.len(),
        algorithms: algorithms.len(),
        tasks: cases.len(),
        grammars: vec![],
        cases: facts.collect(),
        left_out: all - cases.len(),
        ranking: ranking::ranking(&algorithms, &scores),
        groups: ranking::groups_of_cases(&cases, &algorithms, &scores),
        growth: vec![],
        speedup: vec![],
        simulated_times,
        rows: rows.collect(),
    })
}

/// Formats the command that repeats a comparison on real failures.
fn command_on_cases(args: &ShootoutFlags) -> String {
    let limit = |flag: &str, most: Option<String>| {
        most.map_or_else(String::new, |most| format!(" {flag} {most}"))
    };
    let of = match (&args.cases, &args.file) {
        (Some(folder), _) => format!(" --cases {}", quoted(folder.as_os_str())),
        (None, Some(file)) => format!(" {}", quoted(file.as_os_str())),
        (None, None) => String::new(),
    };
    let test: Vec<String> = args.command.iter().map(|word| quoted(word)).collect();
    [
        format!("nubbin shootout{of} --seed {}", args.seed),
        if args.full {
            " --full".into()
        } else {
            String::new()
        },
        limit("--max-tests", args.max_tests.map(|most| most.to_string())),
        limit(
            "--max-time",
            args.max_time.map(|most| most.as_secs_f64().to_string()),
        ),
        limit(
            "--timeout",
            args.timeout.map(|most| most.as_secs_f64().to_string()),
        ),
        listed("--algorithms", &args.algorithms),
        prepare(args),
        simulated_time::options(args),
        if test.is_empty() {
            String::new()
        } else {
            format!(" -- {}", test.join(" "))
        },
    ]
    .concat()
}

fn jobs(args: &ShootoutFlags) -> usize {
    args.jobs.map_or_else(crate::cores::cores, usize::from)
}

fn quiet() -> bool {
    !Term::stderr().is_term()
}

/// Formats a flag with its values. Returns an empty text without values.
fn listed(flag: &str, values: &[String]) -> String {
    match values {
        [] => String::new(),
        values => format!(" {flag} '{}'", values.join(",")),
    }
}

/// Formats the flag for the preparation of trees.
fn prepare(args: &ShootoutFlags) -> String {
    let steps = args.prepare.map(|steps| steps.to_string());
    listed("--prepare", steps.as_slice())
}

/// Returns a row for each algorithm on one task.
fn rows_of(
    subject: impl Fn() -> Reduced,
    algorithms: &[BenchmarkAlgorithm],
    scores: &[Score],
) -> Vec<Row> {
    let both = algorithms.iter().zip(scores);
    both.map(|(algorithm, score)| Row {
        subject: subject(),
        algorithm: algorithm.name.clone(),
        tests: score.tests,
        tests_unresolved: score.unresolved,
        bytes_before: score.before,
        bytes_after: score.after,
        complete: score.complete,
    })
    .collect()
}

/// Returns all algorithms, or those named on the command line.
fn chosen(args: &ShootoutFlags) -> Result<Vec<BenchmarkAlgorithm>, Problem> {
    let mut all = algorithms::all(args.full, args.prepare);
    let unknown = |name: &&String| !all.iter().any(|one| one.name == **name);
    if let Some(name) = args.algorithms.iter().find(unknown) {
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        let what = format!("unknown algorithm `{name}`");
        return Err(Problem::new(Exit::Usage, what)
            .hint(format!("the algorithms are {}", names.join(", "))));
    }
    if !args.algorithms.is_empty() {
        all.retain(|one| args.algorithms.contains(&one.name));
    }
    Ok(all)
}
