//! The run of `nubbin reduce --json` on one file, and what it says about the file.

use super::reduced::{Changed, Outcome, Reduced};
use crate::exit::Exit;
use crate::flags::{Jobs, ReduceAllFlags, SandboxMode};
use crate::nearly_empty;
use crate::new::absolute;
use crate::output::Access;
use crate::output::json::last_document;
use crate::problem::{Problem, say};
use clap::ValueEnum as _;
use nubbin_reduce::edit::fingerprint;
use nubbin_reduce::engine::Stop;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time between two looks at a reduction and at the wish to stop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// An exit code that no program is expected to have.
const NO_EXIT: &str = "253";

/// The limits of the reductions of all files.
pub(super) struct Limits<'a> {
    /// The end of the whole run.
    pub(super) until: Option<Instant>,
    pub(super) stop: &'a Stop,
}

impl Limits<'_> {
    /// Returns the time that is left.
    fn left(&self) -> Option<Duration> {
        let until = self.until;
        until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Returns whether no further reduction begins.
    pub(super) fn are_reached(&self) -> bool {
        self.stop.is_requested() || self.left().is_some_and(|left| left.is_zero())
    }
}

/// Reduces a file by at most the given number of tests, and returns what became of it; `None` if a
/// limit on the whole run stopped the reduction before its first test had an outcome.
pub(super) fn reduce(
    flags: &ReduceAllFlags,
    (path, file, target): (&Path, &Path, &Path),
    max_tests: u64,
    limits: &Limits<'_>,
) -> Result<Option<Reduced>, Problem> {
    let cannot = |error: &io::Error| {
        let what = format!("cannot reduce `{}`", path.display());
        Problem::new(Exit::Test, what).because(error)
    };
    let parent = target.parent().unwrap_or(Path::new("."));
    (Access::OWNER.make_dirs(parent)).map_err(|error| cannot(&error))?;
    let program = std::env::current_exe().map_err(|error| cannot(&error))?;
    let mut command = Command::new(program);
    command
        .args(words(flags, path, target, (max_tests, limits.left()))?)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // Ctrl-C is for this process, which then stops the reduction. A second signal would end the
    // reduction at once.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| cannot(&error))?;
    let (printed, said) = (read(child.stdout.take()), read(child.stderr.take()));
    let code = wait(&mut child, limits.stop).map_err(|error| cannot(&error))?;
    let text = printed.join().unwrap_or_default();
    let said = said.join().unwrap_or_default();
    // That an empty file fails is reported once, at the end of the whole run.
    if code != Some(Exit::EmptyFails as i32) && !said.trim().is_empty() {
        say(said.trim_end());
    }
    let answer = last_document(&text);
    let is_early = [Exit::NoResult, Exit::Stopped].map(|exit| Some(exit as i32));
    if is_early.contains(&code) && limits.are_reached() && answer["bytes_after"].is_null() {
        return Ok(None);
    }
    Ok(Some(reduced(file, target, code, &answer)))
}

/// Returns the diagnosis of a file that does not fail, with the end of the output of the program.
pub(super) fn diagnosis(flags: &ReduceAllFlags, path: &Path, target: &Path) -> Option<String> {
    let mut words = words(flags, path, target, (0, None)).ok()?;
    // A failure that cannot be recognized would be told without the output.
    let end = words.iter().position(|word| word == "--")?;
    match words[..end]
        .iter()
        .position(|word| word == "--same-failure")
    {
        Some(at) if flags.exit.is_empty() => {
            words.splice(at..=at, ["--exit".into(), NO_EXIT.into()]);
        }
        Some(at) => drop(words.remove(at)),
        None => {}
    }
    let mut command = Command::new(std::env::current_exe().ok()?);
    let output = command.args(words).stdin(Stdio::null()).output().ok()?;
    let answer = last_document(&String::from_utf8_lossy(&output.stdout));
    answer["hint"].as_str().map(str::to_owned)
}

/// Returns what a reduction says about a file by its exit code and its answer.
fn reduced(file: &Path, target: &Path, code: Option<i32>, answer: &serde_json::Value) -> Reduced {
    let text = |key: &str| answer[key].as_str().map(str::to_owned);
    let error = text("error");
    let result = std::fs::read(target).ok();
    let outcome = match code {
        Some(code) if code == Exit::NotFailing as i32 => Outcome::NoFailure,
        Some(code) if code == Exit::EmptyFails as i32 => Outcome::Empty,
        _ if error.is_none() && result.is_some() => Outcome::Failure,
        _ => Outcome::Error,
    };
    let bytes_before = answer["bytes_before"].as_u64().unwrap_or(0);
    let result = result.filter(|_| outcome == Outcome::Failure);
    Reduced {
        file: file.to_owned(),
        outcome,
        error,
        bytes: answer["bytes_after"].as_u64(),
        done: result.as_ref().map(|_| came_to_its_end(answer)),
        changed_failure: Changed::of(&answer["changed_failure"]),
        tests: answer["tests"].as_u64().unwrap_or(0),
        failure: text("failure"),
        print: result.as_ref().map(|text| fingerprint(text).0),
        note: result.and_then(|text| nearly_empty::note(bytes_before as usize, &text)),
    }
}

/// Returns whether a reduction came to its end, by its statistics: a limit may have stopped it.
fn came_to_its_end(answer: &serde_json::Value) -> bool {
    let ended = answer["ended"].as_str();
    ended.is_some_and(|ended| ["complete", "empty", "small-enough"].contains(&ended))
}

/// Returns whether a reduction keeps the failure of its file. Without this, the exit code of one
/// failure lets a reduction end at any other with the same code. The user may describe the failure
/// by its message, and with exit code 0, the program itself looks for it.
fn keeps_failure(flags: &ReduceAllFlags) -> bool {
    flags.stderr.is_empty() && flags.hang.is_none() && !flags.exit.contains(&0)
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
    (max_tests, left): (u64, Option<Duration>),
) -> Result<Vec<OsString>, Problem> {
    let mut words: Vec<OsString> = vec!["reduce".into(), path.into(), "--output".into()];
    words.extend([target.into(), "--json".into()]);
    let mut add = |flag: &str, value: Option<OsString>| {
        words.push(format!("--{flag}").into());
        words.extend(value);
    };
    add("max-tests", Some(max_tests.to_string().into()));
    if max_tests == 0 {
        // One run shows whether the file fails. Its reduction finds out whether it always does.
        add("flaky", Some("off".into()));
    }
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
    if keeps_failure(flags) {
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
