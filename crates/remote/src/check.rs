//! The check of a farm before it is trusted.

use crate::error::RemoteError;
use crate::oracle::RemoteOracle;
use crate::{script, travel};
use nubbin_oracle::{CommandOracle, Exit, Run, RunError, TestCommand};
use nubbin_verdict::{Cancel, Candidate, File};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A test that prints on both outputs and is killed.
const PRINTS: &str = "echo out; echo err >&2; kill -SEGV $$";
/// The maximum number of paths whose existence is checked on a worker.
const MOST_PATHS: usize = 200;
/// The time that a test without its input has at least.
const MIN_TIME: Duration = Duration::from_secs(2);

/// A run that must have the same exit on a worker as on this machine.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The name of the sample in messages: `an empty test`.
    pub what: &'a str,
    /// The command of the run.
    pub command: &'a TestCommand,
    /// The candidate that the command runs on.
    pub candidate: &'a Candidate<'a>,
    /// Whether runs of the sample may vary. A difference then counts only if runs on this machine
    /// are alike.
    pub may_vary: bool,
}

/// The rules by which the runs of a sample are compared.
#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    /// Returns whether two runs are equal for the caller.
    pub is_alike: &'a dyn Fn(&Run, &Run) -> bool,
    /// Describes the caller's view of a run, as in `the verdict fail`.
    pub shown: &'a dyn Fn(&Run) -> String,
}

impl std::fmt::Debug for Comparison<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Comparison").finish_non_exhaustive()
    }
}

impl RemoteOracle {
    /// Checks that tests have the same verdicts on a worker as on this machine. The check runs a
    /// command that prints and is killed, the original, and an empty input.
    ///
    /// # Errors
    /// Returns [`RemoteError::Differs`] if verdicts differ, with the programs that the worker
    /// lacks, if they are known. Other errors of the farm are returned unchanged.
    pub fn check(&self, original: &Candidate<'_>, cancel: &Cancel) -> Result<(), RemoteError> {
        check(self, original, cancel)
    }

    /// Checks that runs have the same exit on a worker as on this machine. The check runs a command
    /// that prints and is killed, and the samples. Use it in callers that examine runs themselves.
    ///
    /// # Errors
    /// Returns the same errors as [`RemoteOracle::check`].
    pub fn check_samples(
        &self,
        samples: &[Sample<'_>],
        comparison: &Comparison<'_>,
        cancel: &Cancel,
    ) -> Result<(), RemoteError> {
        check_samples(self, samples, comparison, cancel)
    }
}

fn check(
    oracle: &RemoteOracle,
    original: &Candidate<'_>,
    cancel: &Cancel,
) -> Result<(), RemoteError> {
    prints(oracle, original, cancel)?;
    let local = oracle.local();
    let judge = |run: &Run| local.judge_run(run);
    let comparison = Comparison {
        // Other differences between verdicts do not matter to a reduction.
        is_alike: &|one, other| judge(one).is_fail() == judge(other).is_fail(),
        shown: &|run| format!("the verdict `{}`", judge(run).word()),
    };
    let begin = Instant::now();
    let here = local.observe_with(original, 0, cancel).map_err(failed)?;
    let time = begin.elapsed();
    let mut sample = Sample {
        what: "the original",
        command: local.command(),
        candidate: original,
        may_vary: false,
    };
    compare(oracle, &sample, &comparison, &here, cancel)?;
    let empty: Vec<File<'_>> = original
        .files()
        .iter()
        .map(|file| File {
            name: file.name,
            bytes: b"",
        })
        .collect();
    let empty = Candidate::new(&empty);
    sample.what = "an empty input";
    sample.candidate = &empty;
    // A test may hang without its input. A timeout is a verdict like others, but not worth the
    // wait.
    let here = observe_for(local, &empty, MIN_TIME.max(time * 20), cancel).map_err(failed)?;
    match here.cut_short {
        Some(_) if cancel.is_cancelled() => Err(RemoteError::Stopped),
        Some(_) => Ok(()),
        None => compare(oracle, &sample, &comparison, &here, cancel),
    }
}

fn check_samples(
    oracle: &RemoteOracle,
    samples: &[Sample<'_>],
    comparison: &Comparison<'_>,
    cancel: &Cancel,
) -> Result<(), RemoteError> {
    if let Some(sample) = samples.first() {
        prints(oracle, sample.candidate, cancel)?;
    }
    for sample in samples {
        let observe = || {
            let local = oracle.local();
            local.observe_other(sample.command, sample.candidate, 0, cancel)
        };
        let here = observe().map_err(failed)?;
        // A run that takes too long shows more about this machine than about the worker.
        if here.cut_short.is_some() && !cancel.is_cancelled() {
            continue;
        }
        let compared = compare(oracle, sample, comparison, &here, cancel);
        if matches!(compared, Err(RemoteError::Differs { .. })) && sample.may_vary {
            let again = observe().map_err(failed)?;
            if !(comparison.is_alike)(&here, &again) {
                continue;
            }
        }
        compared?;
    }
    Ok(())
}

fn failed(error: RunError) -> RemoteError {
    RemoteError::Failed {
        why: error.to_string(),
    }
}

/// Runs the test on this machine, and stops it after a time.
fn observe_for(
    local: &CommandOracle,
    candidate: &Candidate<'_>,
    limit: Duration,
    cancel: &Cancel,
) -> Result<Run, RunError> {
    let limited = Cancel::new();
    let at_stop = limited.clone();
    let _guard = cancel.on_cancel(move || at_stop.cancel());
    let (ended, end) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let at_limit = limited.clone();
        scope.spawn(move || {
            if end.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                at_limit.cancel();
            }
        });
        let run = local.observe_with(candidate, 0, &limited);
        drop(ended);
        run
    })
}

/// Checks nubbin's own parts: the script, the outputs, and the exit of a test that is killed.
fn prints(
    oracle: &RemoteOracle,
    original: &Candidate<'_>,
    cancel: &Cancel,
) -> Result<(), RemoteError> {
    let command = TestCommand::shell(PRINTS).map_err(|error| RemoteError::Failed {
        why: error.to_string(),
    })?;
    let run = oracle.run_there(&command, original, cancel)?;
    let is_killed = run.exit.is_signal(11);
    if is_killed && run.stdout() == b"out\n" && run.stderr() == b"err\n" {
        return Ok(());
    }
    Err(RemoteError::Worker {
        why: format!(
            "a test that prints `out` and is killed by SIGSEGV ended with {}, and printed `{}`",
            run.exit,
            String::from_utf8_lossy(run.stdout()).trim()
        ),
    })
}

/// Compares the run of a sample on the farm with that on this machine.
fn compare(
    oracle: &RemoteOracle,
    sample: &Sample<'_>,
    comparison: &Comparison<'_>,
    here: &Run,
    cancel: &Cancel,
) -> Result<(), RemoteError> {
    let there = oracle.run_there(sample.command, sample.candidate, cancel)?;
    if cancel.is_cancelled() {
        return Err(RemoteError::Stopped);
    }
    if (comparison.is_alike)(here, &there) {
        return Ok(());
    }
    let lacks = lacks(oracle, sample, &there, cancel);
    let stderr = String::from_utf8_lossy(there.stderr()).into_owned();
    Err(RemoteError::Differs {
        what: format!(
            "{} has {} on this machine ({}), and {} on a worker ({})",
            sample.what,
            (comparison.shown)(here),
            end(here),
            (comparison.shown)(&there),
            end(&there)
        ),
        stderr,
        lacks,
    })
}

fn end(run: &Run) -> String {
    match &run.cut_short {
        Some(reason) => reason.to_string(),
        None => run.exit.to_string(),
    }
}

/// Returns the programs and files that the worker lacks, according to its standard error and the
/// paths that the test names.
fn lacks(oracle: &RemoteOracle, sample: &Sample<'_>, run: &Run, cancel: &Cancel) -> Vec<String> {
    let mut lacks: Vec<String> = vec![];
    let stderr = String::from_utf8_lossy(run.stderr()).into_owned();
    for line in stderr.lines() {
        if let Some((_, rest)) = line.split_once("error while loading shared libraries: ") {
            let name = rest.split(':').next().unwrap_or(rest);
            lacks.push(format!("the shared library `{name}`"));
        }
    }
    let here = std::env::current_dir().unwrap_or_default();
    let (command, candidate) = (sample.command, sample.candidate);
    let text = command.script(&here).unwrap_or_default();
    let mut paths = BTreeSet::new();
    if let Some(interpreter) = text.lines().next().and_then(|line| line.strip_prefix("#!")) {
        paths.extend(interpreter.split_whitespace().next().map(PathBuf::from));
    }
    let args = command.args().iter().map(|arg| arg.to_string_lossy());
    let texts: Vec<String> = args.map(|arg| arg.into_owned()).chain([text]).collect();
    paths.extend(texts.iter().flat_map(|text| absolute_paths(text)));
    let program = command.program().file_name().and_then(|name| name.to_str());
    let program = program.filter(|_| script::is_in_path(command));
    // Paths that do not exist on this machine cannot explain the difference.
    let paths: Vec<String> = paths
        .into_iter()
        .filter(|path| path.exists())
        .filter_map(|path| path.to_str().map(str::to_owned))
        .take(MOST_PATHS)
        .collect();
    for path in missing(oracle, candidate, program, &paths, cancel) {
        let is_own = !travel::is_of_system(Path::new(&path));
        lacks.push(match path.strip_prefix("program ") {
            Some(program) => format!("the program `{program}`"),
            None if is_own => format!("`{path}`, which `--remote-input {path}` would send"),
            None => format!("`{path}`"),
        });
    }
    if lacks.is_empty() && matches!(run.exit, Exit::Code(126 | 127)) {
        lacks.push("a program that the test runs".to_owned());
    }
    lacks
}

/// Asks a worker which of these paths it does not have.
fn missing(
    oracle: &RemoteOracle,
    candidate: &Candidate<'_>,
    program: Option<&str>,
    paths: &[String],
    cancel: &Cancel,
) -> Vec<String> {
    let is_plain = |text: &&str| {
        !text.is_empty()
            && text
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || "/._+-".contains(char))
    };
    let mut line = String::new();
    if let Some(program) = program.filter(is_plain) {
        line += &format!("command -v {program} >/dev/null || echo program {program};");
    }
    line += "for p in";
    for path in paths.iter().map(String::as_str).filter(is_plain) {
        line += " ";
        line += path;
    }
    // A path that was sent is below the input root, which is not always the root of the file
    // system.
    line += "; do [ -e \"$p\" ] || [ -e \"${PWD%/nubbin/*}$p\" ] || echo \"$p\"; done; exit 1";
    let Ok(command) = TestCommand::shell(line) else {
        return vec![];
    };
    match oracle.run_there(&command, candidate, cancel) {
        Ok(run) => {
            let text = String::from_utf8_lossy(run.stdout()).into_owned();
            text.lines().map(str::to_owned).collect()
        }
        Err(_) => vec![],
    }
}

/// Returns the absolute paths in a text.
fn absolute_paths(text: &str) -> impl Iterator<Item = PathBuf> {
    let is_inside = |char: char| char.is_ascii_alphanumeric() || "/._+-".contains(char);
    let words = text.split(move |char: char| !is_inside(char));
    let paths = words.filter_map(|word| word.find('/').filter(|&at| at <= 2).map(|at| &word[at..]));
    paths
        .map(|path| PathBuf::from(path.trim_end_matches(['.', '/'])))
        .filter(|path| path.is_absolute() && path.components().count() > 1)
        .collect::<Vec<_>>()
        .into_iter()
}
