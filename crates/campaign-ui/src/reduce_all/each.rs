//! `reduce-all --each`: a reduction of every file, and groups of files with equal results.
//!
//! Each reduction is a run of `nubbin reduce --json`, which says whether the file fails.

use super::prepared::found;
use super::results::{lines, put};
use crate::exit::Exit;
use crate::flags::{Jobs, ReduceAllFlags, SandboxMode};
use crate::nearly_empty;
use crate::new::absolute;
use crate::output::Access;
use crate::output::json::last_document;
use crate::print::print_json;
use crate::problem::{Problem, say};
use crate::shown::{count, tests};
use clap::ValueEnum as _;
use nubbin_reduce::engine::Stop;
use serde::{Serialize, Serializer};
use serde_json::json;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The list of the results, in their folder.
const LIST: &str = "results.jsonl";

/// The time between two looks at a reduction and at the wish to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A file that was run.
#[derive(Clone, Debug, Serialize)]
struct Reduced {
    /// The path in the folder of the files.
    #[serde(serialize_with = "lossy")]
    file: PathBuf,
    /// Whether it fails: `failure`, `no-failure`, `empty` if an empty file fails as well, `error`.
    outcome: &'static str,
    /// The error of the reduction, if it has no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// Whether the reduction came to its end. Absent without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    done: Option<bool>,
    #[serde(skip)]
    bytes_before: u64,
    tests: u64,
}

/// A result, and the files that have it.
#[derive(Clone, Debug, Serialize)]
struct Group {
    /// The first of the files, and the name of the result.
    #[serde(serialize_with = "lossy")]
    file: PathBuf,
    bytes: u64,
    /// Whether a reduction that came to its end has this result.
    done: bool,
    #[serde(skip)]
    bytes_before: u64,
    #[serde(serialize_with = "all_lossy")]
    files: Vec<PathBuf>,
    #[serde(skip)]
    text: Vec<u8>,
}

/// Writes a path as text: a name need not be Unicode, and JSON is.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

fn all_lossy<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.iter().map(|path| path.to_string_lossy()))
}

pub(super) fn run(
    flags: &ReduceAllFlags,
    (folder, output): (&Path, &Path),
    name: &str,
    stop: &Stop,
) -> Result<Exit, Problem> {
    let found = found(folder)?;
    refuse(&found, folder)?;
    // The list and the results of an earlier run are replaced.
    put(&output.join(LIST), b"")?;
    let is_quiet = flags.quiet || flags.json;
    let until = flags.max_time.map(|time| Instant::now() + time);
    let (mut all, mut groups): (Vec<Reduced>, Vec<Group>) = (vec![], vec![]);
    for (number, path) in found.iter().enumerate() {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if stop.is_requested() || left.is_some_and(|left| left.is_zero()) {
            break;
        }
        let file = path.strip_prefix(folder).unwrap_or(path).to_owned();
        let target = output.join(&file);
        let reduced = reduce(flags, (path, &file, &target), left, stop);
        let reduced = reduced.unwrap_or_else(|problem| not_reduced(file, &problem));
        if !is_quiet {
            say(&line(number + 1, found.len(), &reduced));
        }
        if reduced.outcome == "failure" {
            group(&mut groups, &reduced, &target)?;
            put(&output.join(LIST), lines(&groups).as_bytes())?;
        }
        all.push(reduced);
    }
    let failing: usize = groups.iter().map(|group| group.files.len()).sum();
    if flags.json {
        print_json(&json!({
            "program": name,
            "counts": { "run": all.len(), "failing": failing, "not_done": not_done(&groups), "not_run": found.len() - all.len() },
            "results": groups,
            "files": all,
        }))?;
    } else if !flags.quiet {
        say(&summary(&all, &groups, output));
        if all.len() < found.len() {
            let left = count((found.len() - all.len()) as u64, "file");
            say(&format!("{left} not run: the run was stopped earlier"));
        }
    }
    if stop.is_requested() {
        return Ok(Exit::Stopped);
    }
    match failing {
        0 => Err(nothing_fails(name, &all, found.len())),
        _ => Ok(Exit::Done),
    }
}

/// Refuses a folder without files, and one with a file whose result would be the list.
fn refuse(found: &[PathBuf], folder: &Path) -> Result<(), Problem> {
    if found.contains(&folder.join(LIST)) {
        let what = format!(
            "the result of `{}` would have the name of the list of results",
            folder.join(LIST).display()
        );
        return Err(Problem::new(Exit::Input, what).hint("give the file another name"));
    }
    Ok(())
}

/// Returns the file as one that could not be reduced.
fn not_reduced(file: PathBuf, problem: &Problem) -> Reduced {
    Reduced {
        file,
        outcome: "error",
        error: Some(problem.what().to_owned()),
        bytes: None,
        done: None,
        bytes_before: 0,
        tests: 0,
    }
}

/// Returns the problem of a run without a failing file: the first reason that holds for all files.
fn nothing_fails(name: &str, all: &[Reduced], found: usize) -> Problem {
    let of = |outcome: &str| all.iter().filter(|it| it.outcome == outcome).count();
    if all.len() < found {
        let what = format!("no file had made `{name}` fail when the time limit was reached");
        return Problem::new(Exit::NoResult, what);
    }
    match of("empty") {
        0 => {}
        failing if failing == all.len() => {
            let what = format!("`{name}` fails on an empty file as well");
            return Problem::new(Exit::EmptyFails, what)
                .hint("check that the command reads the file, or use `--allow-empty`");
        }
        failing => {
            let files = count(failing as u64, "file");
            let what = format!("`{name}` fails on {files} and on an empty one, so none is reduced");
            return Problem::new(Exit::EmptyFails, what)
                .hint("say what the failure is with `--stderr RE`, or leave out `--exit`")
                .hint("`--allow-empty` reduces the files anyway");
        }
    }
    let problem = Problem::new(Exit::NotFailing, format!("no file makes `{name}` fail"));
    let error = all.iter().find_map(|it| it.error.as_ref());
    match (of("error"), error) {
        (errors @ 1.., Some(error)) => problem.fact(format!(
            "{} could not be reduced: {error}",
            count(errors as u64, "file")
        )),
        _ => problem,
    }
}

/// Reduces a file, and returns what became of it.
fn reduce(
    flags: &ReduceAllFlags,
    (path, file, target): (&Path, &Path, &Path),
    left: Option<Duration>,
    stop: &Stop,
) -> Result<Reduced, Problem> {
    let cannot = |error: &io::Error| {
        let what = format!("cannot reduce `{}`", path.display());
        Problem::new(Exit::Test, what).because(error)
    };
    let parent = target.parent().unwrap_or(Path::new("."));
    (Access::OWNER.make_dirs(parent)).map_err(|error| cannot(&error))?;
    let program = std::env::current_exe().map_err(|error| cannot(&error))?;
    let mut command = Command::new(program);
    command
        .args(words(flags, path, target, left)?)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Ctrl-C is for this process, which then stops the reduction. A second signal would end the
    // reduction at once.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| cannot(&error))?;
    let (printed, said) = (read(child.stdout.take()), read(child.stderr.take()));
    let code = wait(&mut child, stop).map_err(|error| cannot(&error))?;
    let text = printed.join().unwrap_or_default();
    let said = said.join().unwrap_or_default();
    // That an empty file fails is reported once, at the end of the whole run.
    if code != Some(Exit::EmptyFails as i32) && !said.trim().is_empty() {
        say(said.trim_end());
    }
    let answer = last_document(&text);
    let error = answer["error"].as_str().map(str::to_owned);
    let outcome = match code {
        Some(code) if code == Exit::NotFailing as i32 => "no-failure",
        Some(code) if code == Exit::EmptyFails as i32 => "empty",
        _ if error.is_none() && target.is_file() => "failure",
        _ => "error",
    };
    Ok(Reduced {
        file: file.to_owned(),
        outcome,
        error,
        bytes: answer["bytes_after"].as_u64(),
        done: (outcome == "failure").then(|| came_to_its_end(&answer)),
        bytes_before: answer["bytes_before"].as_u64().unwrap_or(0),
        tests: answer["tests"].as_u64().unwrap_or(0),
    })
}

/// Returns whether a reduction came to its end, by its statistics: a limit may have stopped it.
fn came_to_its_end(answer: &serde_json::Value) -> bool {
    let ended = answer["ended"].as_str();
    ended.is_some_and(|ended| ["complete", "empty", "small-enough"].contains(&ended))
}

/// Reads a stream of a reduction to its end.
fn read(stream: Option<impl io::Read + Send + 'static>) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // The part before an error is shown.
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Waits for the end of a reduction, and stops it on request.
fn wait(child: &mut Child, stop: &Stop) -> io::Result<Option<i32>> {
    let mut is_told = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if stop.is_requested() && !is_told {
            is_told = true;
            end(child)?;
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Asks a reduction to end with its best so far.
#[cfg(unix)]
fn end(child: &mut Child) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process};
    Ok(kill_process(Pid::from_child(child), Signal::TERM)?)
}

#[cfg(not(unix))]
fn end(child: &mut Child) -> io::Result<()> {
    child.kill()
}

/// Returns the command line of a reduction, whose command has whole paths.
fn words(
    flags: &ReduceAllFlags,
    path: &Path,
    target: &Path,
    left: Option<Duration>,
) -> Result<Vec<OsString>, Problem> {
    let mut words: Vec<OsString> = vec!["reduce".into(), path.into(), "--output".into()];
    words.extend([target.into(), "--json".into()]);
    let mut add = |flag: &str, value: Option<OsString>| {
        words.push(format!("--{flag}").into());
        words.extend(value);
    };
    add("max-tests", Some(flags.max_tests.to_string().into()));
    if let Some(left) = left {
        add("max-time", Some(left.as_secs_f64().to_string().into()));
    }
    if let Some(Jobs::Number(number)) = flags.jobs {
        add("jobs", Some(number.to_string().into()));
    }
    for (flag, is_given) in [
        ("stdin", flags.stdin),
        ("private-failure", flags.private_failure),
        ("allow-empty", flags.allow_empty),
        ("force", flags.force),
        ("network", flags.sandbox.network),
        ("timeout-fails", flags.hang.is_some()),
    ] {
        if is_given {
            add(flag, None);
        }
    }
    let is_stated = !flags.exit.is_empty() || !flags.stderr.is_empty() || flags.hang.is_some();
    if !is_stated {
        add("same-failure", None);
    }
    if !flags.exit.is_empty() {
        let codes: Vec<String> = flags.exit.iter().map(i32::to_string).collect();
        add("exit", Some(codes.join(",").into()));
    }
    for pattern in &flags.stderr {
        add("stderr", Some(pattern.into()));
    }
    if let Some(time) = flags.hang.or(flags.timeout) {
        add("timeout", Some(time.as_secs_f64().to_string().into()));
    }
    if let Some(memory) = flags.memory {
        add("memory", Some(memory.to_string().into()));
    }
    if let Some(language) = &flags.language {
        add("language", Some(language.into()));
    }
    for pair in &flags.env {
        add("env", Some(pair.clone()));
    }
    for path in &flags.with {
        add("with", Some(path.into()));
    }
    for path in &flags.sandbox.writable {
        add("writable", Some(path.into()));
    }
    if let Some(mode) = SandboxMode::to_possible_value(&flags.sandbox.sandbox) {
        add("sandbox", Some(mode.get_name().into()));
    }
    words.push("--".into());
    // Scripts are used at their own paths, as in the tables of a campaign.
    for (at, word) in flags.command.iter().enumerate() {
        words.push(absolute(word, at > 0)?.into());
    }
    Ok(words)
}

/// Adds a file to the group of those with the same result.
fn group(groups: &mut Vec<Group>, reduced: &Reduced, target: &Path) -> Result<(), Problem> {
    let text = std::fs::read(target).map_err(|error| {
        let what = format!("cannot read `{}`", target.display());
        Problem::new(Exit::Output, what).because(&error)
    })?;
    let (file, done) = (&reduced.file, reduced.done == Some(true));
    match groups.iter_mut().find(|group| group.text == text) {
        Some(group) => {
            group.files.push(file.to_owned());
            group.done |= done;
        }
        None => groups.push(Group {
            file: file.to_owned(),
            bytes: text.len() as u64,
            done,
            bytes_before: reduced.bytes_before,
            files: vec![file.to_owned()],
            text,
        }),
    }
    Ok(())
}

/// Describes a file: `3 of 4  a.txt: 2 bytes, 22 tests`.
fn line(number: usize, all: usize, reduced: &Reduced) -> String {
    let end = match (reduced.outcome, reduced.bytes, &reduced.error) {
        ("failure", Some(bytes), _) => {
            let end = match reduced.done {
                Some(false) => ", not reduced to the end",
                _ => "",
            };
            format!("{}, {}{end}", count(bytes, "byte"), tests(reduced.tests))
        }
        ("no-failure", ..) => "does not fail".to_owned(),
        ("empty", ..) => "an empty file fails as well".to_owned(),
        (_, _, Some(error)) => error.clone(),
        _ => "no result".to_owned(),
    };
    format!("{number} of {all}  {}: {end}", reduced.file.display())
}

/// Returns the number of results that no reduction has that came to its end.
fn not_done(groups: &[Group]) -> usize {
    groups.iter().filter(|group| !group.done).count()
}

/// Describes the groups.
fn summary(all: &[Reduced], groups: &[Group], output: &Path) -> String {
    let failing: usize = groups.iter().map(|group| group.files.len()).sum();
    let mut text = vec![
        format!("{}: {failing} fail", count(all.len() as u64, "file")),
        count((groups.len() - not_done(groups)) as u64, "different result"),
    ];
    if let stopped @ 1.. = not_done(groups) {
        let results = count(stopped as u64, "result");
        text.push(format!(
            "{results} not reduced to the end, which may show the failures of other results: \
             `--max-tests N` and `--max-time TIME` set the limits"
        ));
    }
    let of = |outcome: &str| all.iter().filter(|it| it.outcome == outcome).count();
    let (errors, empty) = (of("error"), of("empty"));
    if empty > 0 {
        text[0] += &format!(", and {empty} as an empty file does");
    }
    if errors > 0 {
        text.push(format!(
            "{} could not be reduced",
            count(errors as u64, "file")
        ));
    }
    for group in groups {
        let names: Vec<String> = group
            .files
            .iter()
            .map(|it| it.display().to_string())
            .collect();
        text.push(format!(
            "  {}: {}{}\n    {}: {}",
            output.join(&group.file).display(),
            count(group.bytes, "byte"),
            if group.done {
                ""
            } else {
                ", not reduced to the end"
            },
            count(names.len() as u64, "file"),
            names.join(", ")
        ));
        if let Some(note) = nearly_empty::note(group.bytes_before as usize, &group.text) {
            text.push(format!("    {note}"));
        }
    }
    text.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(name: &str, is_done: bool) -> Reduced {
        Reduced {
            file: name.into(),
            outcome: "failure",
            error: None,
            bytes: Some(1),
            done: Some(is_done),
            bytes_before: 1,
            tests: 1,
        }
    }

    #[test]
    fn files_with_equal_results_are_a_group() {
        let folder = tempfile::tempdir().unwrap();
        let mut groups = vec![];
        for (name, text) in [("a", "1"), ("b", "2"), ("c", "1")] {
            let target = folder.path().join(name);
            std::fs::write(&target, text).unwrap();
            group(&mut groups, &reduced(name, name == "c"), &target).unwrap();
        }
        let files: Vec<_> = groups.iter().map(|group| group.files.clone()).collect();
        let path = PathBuf::from;
        assert_eq!(files, [vec![path("a"), path("c")], vec![path("b")]]);
        // A reduction that was stopped has no failure of its own.
        let done: Vec<_> = groups.iter().map(|group| group.done).collect();
        assert_eq!((done, not_done(&groups)), (vec![true, false], 1));
    }
}
