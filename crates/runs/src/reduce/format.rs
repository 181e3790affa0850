//! `--format COMMAND`: the result as a formatter prints it, if it still fails.

use crate::parameters::ParameterFiles;
use crate::problem::warn;
use nubbin_oracle::{CommandOracle, Exit, TestCommand};
use nubbin_reduce::edit::Edit;
use nubbin_reduce::engine::Stop;
use nubbin_reduce::input::Input;
use nubbin_verdict::{Ask, Oracle as _};

/// Returns the formatted result, or `None` with a warning that gives the reason. The formatter runs
/// like a test, on a copy. If it runs outside, a warning says so where that was not asked for.
pub(super) fn formatted(
    line: &str,
    oracle: &CommandOracle,
    result: &Input,
    parameters: &ParameterFiles,
    stop: &Stop,
    says_outside: bool,
) -> Option<Input> {
    if says_outside && oracle.sandbox().is_none() {
        warn("the formatter runs without a sandbox, as the tests do, and may write anywhere");
    }
    match run(line, oracle, result, parameters, stop) {
        Ok(formatted) => Some(formatted),
        Err(_) if stop.is_requested() => None,
        Err(why) => {
            warn(&format!("the result is not formatted: {why}"));
            None
        }
    }
}

fn run(
    line: &str,
    oracle: &CommandOracle,
    result: &Input,
    parameters: &ParameterFiles,
    stop: &Stop,
) -> Result<Input, String> {
    let mut files = parameters.own_files(result).into_iter();
    let (Some(file), None) = (files.next(), files.next()) else {
        return Err("the result is not one file".into());
    };
    let line = match line.contains("{}") {
        true => line.to_owned(),
        false => format!("{line} <{{}}"),
    };
    let here = std::env::current_dir().unwrap_or_default();
    let command = TestCommand::shell_in(&line, &here).map_err(|error| error.to_string())?;
    let ran = result
        .with_candidate(|candidate| oracle.observe_other(&command, candidate, 0, stop.token()))
        .map_err(|error| error.to_string())?;
    if let Some(reason) = &ran.cut_short {
        return Err(format!("`{line}`: {reason}"));
    }
    if ran.exit != Exit::Code(0) {
        let said = String::from_utf8_lossy(ran.stderr());
        let last = said.lines().last().unwrap_or_default();
        return Err(format!("`{line}` ended with {}: {last}", ran.exit));
    }
    if ran.stdout().is_empty() && !file.text.is_empty() {
        return Err(format!("`{line}` prints nothing"));
    }
    let formatted = result.apply(&Edit::replace(file.span, ran.stdout()));
    let ask = Ask {
        cancel: stop.token().clone(),
        ..Ask::new(0)
    };
    let verdict = formatted
        .with_candidate(|candidate| oracle.judge(candidate, &ask))
        .map_err(|error| error.to_string())?;
    match verdict.is_fail() {
        true => Ok(formatted),
        false => Err("the formatted text does not fail".into()),
    }
}
