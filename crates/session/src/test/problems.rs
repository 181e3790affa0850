//! The problems of a test that cannot run, and of an original that does not fail.

use super::setup::TestSetup;
use crate::advice;
use crate::exit::Exit;
use crate::flags::SandboxMode;
use crate::problem::Problem;
use crate::repeat::command_with;
use crate::sandbox;
use crate::signals::stopped;
use crate::with_flags::with_flags;
use nubbin_oracle::{CommandOracle, Diagnosis, Finding, OracleError, Refusal};
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

/// Returns the command line that reduces each file of a folder, with a command that may be missing.
pub fn reduce_all(folder: &Path, command: &[OsString]) -> String {
    let mut line = format!("nubbin reduce-all {}", shown_word(folder.as_os_str()));
    if !command.is_empty() {
        line.push_str(" --");
    }
    for word in command {
        line.push(' ');
        line.push_str(&shown_word(word));
    }
    line
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
            reduce_all(folder, &setup.flags.command)
        ));
    }
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
            let problem = match both_flags(&diagnosis, setup) {
                Some(flags) => {
                    problem.hint(format!("most likely both: try `{}`", command_with(&flags)))
                }
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

/// Returns the flags for a test that needs files next to the input and then shows its own failure
/// instead of the required failure. Either flag alone would be refused again.
fn both_flags(diagnosis: &Diagnosis, setup: TestSetup<'_>) -> Option<String> {
    let needed = diagnosis
        .findings
        .iter()
        .find_map(|finding| match finding {
            Finding::NeedsFolder { files } if !files.is_empty() => Some(files),
            _ => None,
        })?;
    let is_own = |finding: &Finding| matches!(finding, Finding::OwnFailure { .. });
    let flags = with_flags(needed, setup.folder());
    diagnosis
        .findings
        .iter()
        .any(is_own)
        .then(|| format!("{flags} --same-failure"))
}
