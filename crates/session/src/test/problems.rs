//! The problems of a test that cannot run, and of an original that does not fail.

use super::setup::TestSetup;
use crate::advice;
use crate::exit::Exit;
use crate::flags::SandboxMode;
use crate::problem::Problem;
use crate::repeat::{InputPlace, command_with, command_with_input};
use crate::sandbox;
use crate::settings::TestSettings;
use crate::signals::stopped;
use crate::with_flags::with_flags;
use nubbin_oracle::{CommandOracle, Finding, OracleError, Refusal};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_verdict::{Unresolved, Verdict};
use std::borrow::Cow;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

pub(super) fn unusable(error: &(dyn Error + 'static)) -> Problem {
    Problem::new(Exit::Test, "the test cannot be run").because(error)
}

pub(super) fn wrong_condition(error: &OracleError) -> Problem {
    Problem::new(Exit::Usage, advice::wrong_condition(error))
}

/// The advice for a failure that no run showed.
const RARE: &str = "if it fails in some runs only, `--flaky on` runs it more often, and decides about each \
                    candidate by several runs";

/// Returns the command line that reduces each file of a folder, with flags for the failure, and
/// with a command that may be missing.
pub fn reduce_all(folder: &Path, flags: &[String], command: &[OsString]) -> String {
    let mut line = format!("nubbin reduce-all {}", shown_word(folder.as_os_str()));
    for flag in flags {
        line.push(' ');
        line.push_str(flag);
    }
    if !command.is_empty() {
        line.push_str(" --");
    }
    for word in command {
        line.push(' ');
        line.push_str(&shown_word(word));
    }
    line
}

/// Returns the flags of a command line that `reduce-all` has as well.
fn shared_flags(flags: &TestSettings) -> Vec<String> {
    let word = |flag: &str, value: &OsStr| format!("{flag} {}", shown_word(value));
    let failure = &flags.failure;
    let exit = failure.exit.iter().map(|it| word("--exit", it.as_ref()));
    let stderr = (failure.stderr.iter()).map(|it| word("--stderr", it.as_ref()));
    let with = (flags.run.with.iter()).map(|it| word("--with", it.as_ref()));
    let stdin = flags.run.stdin.then(|| "--stdin".to_owned());
    exit.chain(stderr).chain(with).chain(stdin).collect()
}

/// Returns the hint for a folder that is one input and may be a folder of inputs. One with folders
/// in it is a project.
fn of_each_file(setup: TestSetup<'_>, input: &Input) -> Option<String> {
    let [folder] = setup.inputs else { return None };
    let is_flat = |file: &Path| file.components().count() <= 2;
    let files = input.present().count();
    let is_plain = folder.is_dir() && input.present().all(|file| is_flat(file.name));
    (files > 1 && is_plain && !setup.flags.command.is_empty()).then(|| {
        format!(
            "`{}` is one input of {files} files; if each of them fails by itself: `{}`",
            folder.display(),
            reduce_all(folder, &shared_flags(setup.flags), &setup.flags.command)
        )
    })
}

/// Returns a problem with the hint for a folder of inputs.
pub(super) fn or_each_file(problem: Problem, setup: TestSetup<'_>, input: &Input) -> Problem {
    match of_each_file(setup, input) {
        Some(hint) => problem.hint(hint),
        None => problem,
    }
}

/// Returns a word quoted for a shell, with the place of the candidate in the form used in examples.
fn shown_word(word: &OsStr) -> String {
    match word.to_string_lossy() {
        word if word == "{}" => word.into_owned(),
        word => shlex::try_quote(&word).map_or_else(|_| word.to_string(), Cow::into_owned),
    }
}

/// Returns the common folder of several inputs, for example for a pattern such as `crashes/*`.
pub fn folder_of_all(inputs: &[PathBuf]) -> Option<&Path> {
    let mut folders = inputs.iter().map(|input| input.parent());
    let first = folders.next()?.filter(|it| *it != Path::new(""))?;
    (inputs.len() > 1 && folders.all(|folder| folder == Some(first))).then_some(first)
}

/// Returns the problem of an original that does not fail, with a diagnosis.
pub fn not_failing(
    setup: TestSetup<'_>,
    oracle: &CommandOracle,
    input: &Input,
    verdict: &Verdict,
    stop: &Stop,
) -> Problem {
    let what = match verdict {
        Verdict::Unresolved(Unresolved::NotBuilt { .. }) => {
            "the original does not build".to_owned()
        }
        Verdict::Unresolved(reason) => {
            format!("the test could not decide whether the original input fails: {reason}")
        }
        _ => "the original input does not fail".to_owned(),
    };
    let mut problem = Problem::new(Exit::NotFailing, what);
    if let Some(folder) = folder_of_all(setup.inputs) {
        problem = problem.hint(format!(
            "the {} inputs are files of one test; if each of them fails by itself: `{}`",
            setup.inputs.len(),
            reduce_all(folder, &shared_flags(setup.flags), &setup.flags.command)
        ));
    }
    let mut problem = or_each_file(problem, setup, input);
    let here = std::env::current_dir().unwrap_or_default();
    let script = oracle.command().script(&here).unwrap_or_default();
    if script.starts_with("#!") && script.contains("\r\n") {
        problem = problem.hint(
            "the lines of the test script end in a carriage return, as in Windows files, which a \
             shell takes for a part of each line; remove it, for example with `sed -i 's/\\r$//' \
             FILE`",
        );
    }
    if setup.flags.sandbox.sandbox != SandboxMode::On {
        // The original does not fail outside the sandbox either, so the cause is another one.
        oracle.set_sandbox(None);
    }
    let diagnosed = setup
        .folder()
        .canonicalize()
        .map_err(|error| Box::new(error) as Box<dyn Error>)
        .and_then(|folder| {
            input
                .with_candidate(|candidate| {
                    nubbin_oracle::diagnose_with(oracle, candidate, &folder, stop.token())
                })
                .map_err(Into::into)
        });
    match diagnosed {
        _ if stop.is_requested() => stopped(),
        Ok(diagnosis) => {
            let is_rare = |finding: &Finding| {
                matches!(finding, Finding::Unmet { .. } | Finding::Flaky { .. })
            };
            let may_be_rare = setup.may_repeat && diagnosis.findings.iter().any(is_rare);
            let problem = problem.hint(
                diagnosis.with_advice(|finding| advice::for_finding(finding, setup.folder())),
            );
            let problem = match whole_command(&diagnosis.findings, setup) {
                Some((2, line)) => problem.hint(format!("most likely both: try `{line}`")),
                Some((_, line)) => problem.hint(format!("most likely all: try `{line}`")),
                None => problem,
            };
            let problem = match may_be_rare {
                true => problem.hint(RARE),
                false => problem,
            };
            match oracle.sandbox() {
                Some(_) => problem.hint(sandbox::advice(&Refusal::of_run(&diagnosis.private))),
                None => problem,
            }
        }
        Err(error) => problem.because(error.as_ref()),
    }
}

/// Returns the number of reasons and the command line that removes all of them, if there are
/// several and each can be removed. A line that leaves one out would be refused again.
fn whole_command(findings: &[Finding], setup: TestSetup<'_>) -> Option<(usize, String)> {
    if findings.len() < 2 {
        return None;
    }
    let (mut flags, mut place) = (Vec::new(), None);
    for finding in findings {
        match finding {
            Finding::NeedsFolder { files } if !files.is_empty() => {
                flags.push(with_flags(files, setup.folder()));
            }
            Finding::OwnFailure { .. } => flags.push("--same-failure".to_owned()),
            Finding::Inverted {
                message: Some(message),
                ..
            } => flags.push(advice::message_flag(message)),
            Finding::Inverted { code, .. } => flags.push(format!("--exit {code}")),
            Finding::Crashed { name } => flags.push(format!("--signal {name}")),
            Finding::InputNotUsed { .. } => place = Some(InputPlace::Last),
            Finding::TypedPath { typed, .. } => place = Some(InputPlace::Replaced(typed)),
            _ => return None,
        }
    }
    let flags = flags.join(" ");
    let line = match place {
        Some(place) => command_with_input(&flags, place)?,
        None => command_with(&flags),
    };
    Some((findings.len(), line))
}
