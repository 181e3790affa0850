//! `nubbin graph learn`: adds the signatures of the calls that tests make.

use super::explore::explored;
use super::file::{Answer, keep_apart, read};
use super::summary;
use crate::engine::{Profile, Shell, identity, warn_of_other};
use crate::exit::Exit;
use crate::flags::LearnFlags;
use crate::grammar::bytes;
use crate::problem::{Problem, say, warn};
use crate::shown::ProgressLine;
use crate::signals;
use nubbin_graph::probe::learn;
use nubbin_graph::{Language, Reports, Statistics};
use nubbin_oracle::Run;
use nubbin_verdict::Cancel;
use regex::bytes::Regex;
use std::path::{Path, PathBuf};

/// The maximum number of tests that are named because of their end.
const SHOWN: usize = 5;

pub(super) fn run(options: &LearnFlags) -> Result<Exit, Problem> {
    signals::end_on_signals()?;
    let graph = options.graph.as_deref().map(read).transpose()?;
    let of_graph = graph.as_ref().and_then(|graph| graph.engine.as_ref());
    let profile = Profile::of(&options.engine, of_graph.map(|engine| engine.name.as_str()))?;
    if profile.language() != Language::Javascript {
        let what = format!(
            "tests of {} cannot be learned from",
            profile.language().title()
        );
        return Err(Problem::new(Exit::Usage, what)
            .hint("`nubbin graph explore` has already called each function with samples"));
    }
    let tests = tests(&options.tests)?;
    let profile_file = options.engine.engine.iter().map(PathBuf::from);
    let read_files = tests.iter().chain(&options.prelude).chain(&options.with);
    let read_files = read_files.chain(&options.graph).cloned();
    let read_files: Vec<PathBuf> = read_files.chain(profile_file).collect();
    keep_apart(&read_files, &options.output)?;
    let answer = Answer::claim(&options.output)?;
    let flags = &options.engine.shell;
    let scripts = Shell::of_tests(&profile, false, flags, &options.with)?;
    let modules = Shell::of_tests(&profile, true, flags, &options.with)?;
    let graph = match graph {
        Some(graph) => {
            warn_of_other(graph.engine.as_ref(), &identity(&profile, &scripts)?);
            graph
        }
        None => explored(&profile, flags)?,
    };
    let before = Statistics::of(&graph);
    let engine = graph.engine.clone();
    let mut reports = Reports::onto(graph);
    let mut head = learn(&profile.probed).into_bytes();
    for path in &options.prelude {
        head.extend(bytes(path)?);
        head.push(b'\n');
    }
    let (silent, failed) = run_all(&tests, &mut reports, |path, test| {
        let shell = if is_module(path, test) {
            &modules
        } else {
            &scripts
        };
        let script = [&head[..], test].concat();
        shell.run(&script, 0, &Cancel::new()).map_err(|error| {
            let what = format!("the engine `{}` cannot be run", profile.name);
            Problem::new(Exit::Test, what).because(&error)
        })
    })?;
    if silent.len() == tests.len() {
        let what = "no test could be learned from";
        let (path, end) = &silent[0];
        return Err(Problem::new(Exit::Input, what)
            .hint(format!("`{}`: {end}", path.display()))
            .hint("`--prelude` and `--with` give files that the tests need"));
    }
    name(&silent, "could not be learned from");
    name(&failed, "failed; the calls until then count");
    if reports.broken() > 0 {
        warn(&format!(
            "{} lines of the reports could not be read",
            reports.broken()
        ));
    }
    let mut graph = reports.into_graph();
    graph.engine = engine;
    let now = Statistics::of(&graph);
    say(&format!(
        "{} ({} new signatures and {} new types from {} tests)",
        summary::line(&graph),
        now.signatures - before.signatures,
        now.types - before.types,
        tests.len() - silent.len(),
    ));
    answer.give(&graph.to_json())
}

/// Tests with their ends.
type Ends<'a> = Vec<(&'a PathBuf, String)>;

/// Runs all tests, and reads their reports. Returns the tests without a report, and those that
/// failed after one.
fn run_all<'a>(
    tests: &'a [PathBuf],
    reports: &mut Reports,
    run: impl Fn(&Path, &[u8]) -> Result<Run, Problem>,
) -> Result<(Ends<'a>, Ends<'a>), Problem> {
    let progress = ProgressLine::counting(tests.len() as u64, "tests");
    let (mut silent, mut failed) = (vec![], vec![]);
    for path in tests {
        let run = run(path, &bytes(path)?)?;
        if reports.read(run.stdout()) == 0 {
            silent.push((path, end_of(&run)));
        } else if run.cut_short.is_some() || run.exit.code() != Some(0) {
            failed.push((path, end_of(&run)));
        }
        if let Some(progress) = &progress {
            progress.count();
        }
    }
    if let Some(progress) = &progress {
        progress.finish();
    }
    Ok((silent, failed))
}

fn name(tests: &[(&PathBuf, String)], what: &str) {
    if tests.is_empty() {
        return;
    }
    let tests_are = match tests.len() {
        1 => "1 test".to_owned(),
        many => format!("{many} tests"),
    };
    warn(&format!("{tests_are} {what}"));
    for (path, end) in tests.iter().take(SHOWN) {
        say(&format!("  {}: {end}", path.display()));
    }
    if tests.len() > SHOWN {
        say(&format!("  and {} more", tests.len() - SHOWN));
    }
}

/// Returns how a run ended, with the first line that it wrote to standard error.
fn end_of(run: &Run) -> String {
    let end = match &run.cut_short {
        Some(reason) => reason.to_string(),
        None => run.exit.to_string(),
    };
    let wrote = String::from_utf8_lossy(run.stderr());
    match wrote.lines().find(|line| !line.trim().is_empty()) {
        Some(line) => format!(
            "{end}: {}",
            line.trim().chars().take(100).collect::<String>()
        ),
        None => end,
    }
}

/// Returns the files to learn from: all `.js` and `.mjs` files of a folder and its folders.
fn tests(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let mut tests = vec![];
    for path in paths {
        if !path.is_dir() {
            tests.push(path.clone());
            continue;
        }
        let cannot = |error: &std::io::Error| {
            Problem::new(Exit::Input, format!("cannot read `{}`", path.display())).because(error)
        };
        let mut found = vec![];
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).map_err(|error| cannot(&error))? {
                let entry = entry.map_err(|error| cannot(&error))?;
                let kind = entry.file_type().map_err(|error| cannot(&error))?;
                let path = entry.path();
                let ending = path.extension().and_then(|ending| ending.to_str());
                if kind.is_dir() {
                    folders.push(path);
                } else if kind.is_file() && matches!(ending, Some("js" | "mjs")) {
                    found.push(path);
                }
            }
        }
        found.sort();
        if found.is_empty() {
            let what = format!("`{}` has no JavaScript files", path.display());
            return Err(Problem::new(Exit::Input, what));
        }
        tests.extend(found);
    }
    Ok(tests)
}

/// Returns whether a test is a module: by its name, or by a line that imports or exports.
fn is_module(path: &Path, test: &[u8]) -> bool {
    #[expect(
        clippy::unwrap_used,
        reason = "the expression is fixed, and a test compiles it"
    )]
    static LINE: std::sync::LazyLock<Regex> =
        std::sync::LazyLock::new(|| Regex::new(r"(?m)^(import|export)\b[^(.]").unwrap());
    path.extension().is_some_and(|ending| ending == "mjs") || LINE.is_match(test)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_recognized() {
        let script = |text: &str| is_module(Path::new("a.js"), text.as_bytes());
        assert!(script("// a\nimport * as std from \"qjs:std\";\n"));
        assert!(script("export default 1;\n"));
        assert!(!script("import(\"a\").then(f);\n"));
        assert!(!script("var a = \" import b\";\n"));
        assert!(is_module(Path::new("a.mjs"), b""));
    }
}
