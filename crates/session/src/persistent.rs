//! Tests in the fork server of a program: the settings from the flags, and the check for a server.

use crate::exit::Exit;
use crate::flags::{CoverageMode, PersistentMode};
use crate::problem::{Problem, warn};
use crate::settings::TestSettings;
use crate::signals::stopped;
use nubbin_oracle::{CommandOracle, Granularity, Persistence, ServedTrial, ServerError};
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use std::ffi::OsString;

/// Returns the use of a fork server that the flags request, if any.
pub fn of(flags: &TestSettings) -> Result<Option<Persistence>, Problem> {
    let failure = &flags.failure;
    let persistence = match flags.run.persistent {
        None if failure.same_coverage.is_some() => Persistence::Fork,
        None => return Ok(None),
        Some(PersistentMode::Fork) => Persistence::Fork,
        Some(PersistentMode::Loop) => Persistence::Loop,
    };
    if persistence == Persistence::Fork {
        return Ok(Some(persistence));
    }
    let refuse = |flag: &str, why: &str| {
        let what = format!("`--persistent=loop` cannot be used with `{flag}`: {why}");
        Problem::new(Exit::Usage, what).hint(
            "use `--persistent` alone: each test then has its \
                                              own process",
        )
    };
    if failure.same_coverage.is_some() {
        let why = "the first test of a process takes other edges than later ones";
        return Err(refuse("--same-coverage", why));
    }
    let stdout = "a process writes its standard output later than it runs a test";
    let flag = match failure {
        _ if !failure.stdout.is_empty() => "--stdout",
        _ if !failure.not_stdout.is_empty() => "--not-stdout",
        _ if failure.differs_from.is_some() => "--differs-from",
        _ => return Ok(Some(persistence)),
    };
    Err(refuse(flag, stdout))
}

/// Returns the granularity of the coverage for a mode.
pub fn granularity(mode: CoverageMode) -> Granularity {
    match mode {
        CoverageMode::Hits => Granularity::Hits,
        CoverageMode::Edges => Granularity::Edges,
    }
}

/// Returns the words of a command with `@@`, AFL++'s placeholder, replaced with `{}`.
pub fn with_places(words: Vec<OsString>) -> Vec<OsString> {
    let placed = |word: OsString| match word.to_str() {
        Some(text) if text.contains("@@") => text.replace("@@", "{}").into(),
        _ => word,
    };
    words.into_iter().map(placed).collect()
}

/// Tries the original in the fork server. If there is no server, or if the outcome differs, the
/// tests start the program and a warning is printed. It is an error if a condition needs the
/// server.
pub fn settle(
    flags: &TestSettings,
    oracle: &mut CommandOracle,
    original: &Input,
    is_quiet: bool,
    stop: &Stop,
) -> Result<(), Problem> {
    if oracle.persistence().is_none() {
        return Ok(());
    }
    let trial = original
        .with_candidate(|candidate| oracle.try_persistence(candidate, stop.token()))
        .map_err(|error| Problem::new(Exit::Test, "the test cannot be run").because(&error))?;
    if stop.is_requested() {
        return Err(stopped());
    }
    let needs = flags.failure.same_coverage.is_some();
    let program = oracle.command().program().display().to_string();
    let reason = match trial {
        ServedTrial::Same => return Ok(()),
        ServedTrial::OnlyServed { started } => {
            if !is_quiet {
                warn(&format!(
                    "the original fails in the fork server, but not if `{program}` is started: it \
                     ends with {started}"
                ));
            }
            return Ok(());
        }
        ServedTrial::NoServer(error) if needs => {
            let what = format!("`--same-coverage` needs the fork server of `{program}`");
            return Err(Problem::new(Exit::Test, what).because(&error).hint(
                "build the program with `afl-cc`, and pass it directly after `--`, not through a \
                 script",
            ));
        }
        ServedTrial::NoServer(error @ ServerError::Loop) => error.to_string(),
        ServedTrial::NoServer(error) => {
            let source = std::error::Error::source(&error);
            let source = source.map(|source| format!(": {source}"));
            format!(
                "`{program}` has no fork server: {error}{}",
                source.unwrap_or_default()
            )
        }
        ServedTrial::Differs { started, served } => {
            let what = format!(
                "the original ends with {started} if `{program}` is started, and with {served} in \
                 its fork server"
            );
            if needs {
                return Err(Problem::new(Exit::NotFailing, what));
            }
            what
        }
        ServedTrial::Unstable(first, second) => {
            let what = format!(
                "the coverage of the original differs between two runs ({first}; {second})"
            );
            return Err(Problem::new(Exit::NotFailing, what).hint(
                "use `--same-coverage=edges`, or describe the failure with \
                       `--same-failure`",
            ));
        }
        ServedTrial::NoCoverage => {
            let what = format!("`{program}` reports no coverage");
            return Err(Problem::new(Exit::NotFailing, what).hint("build it with `afl-cc`"));
        }
    };
    oracle.set_persistence(None);
    if !is_quiet {
        warn(&format!("the program is started for each test: {reason}"));
    }
    Ok(())
}

/// Warns of tests that the fork server could not run.
pub fn warn_of_unserved(oracle: &CommandOracle) {
    if let (tests @ 1.., Some(reason)) = oracle.unserved() {
        let end = if tests == 1 { "" } else { "s" };
        let rest = match oracle.persistence() {
            Some(_) => "",
            None => ", and then all",
        };
        warn(&format!(
            "the fork server could not run {tests} test{end}, for which the program was \
             started{rest}: {reason}"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_the_candidate_is_written_as_in_afl() {
        let words = ["./target", "-f", "@@", "--in=@@", "{}"].map(OsString::from);
        let expected = ["./target", "-f", "{}", "--in={}", "{}"].map(OsString::from);
        assert_eq!(with_places(words.to_vec()), expected);
    }
}
