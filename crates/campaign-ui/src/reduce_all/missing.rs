//! Runs in which no file fails because the command lacks a program or a file.

use super::outcomes::{End, Ran};
use crate::exit::Exit;
use crate::problem::Problem;
use crate::shown::count;
use nubbin_oracle::{TestCommand, missing_programs};
use std::path::Path;

/// Returns the problem of a command that could not show any failure: its script runs a program that
/// does not exist, or each run reports that something is missing. `here` is the folder of the user.
pub(super) fn problem(
    name: &str,
    command: Option<&TestCommand>,
    ran: &[Ran],
    here: &Path,
) -> Option<Problem> {
    if let Some(program) = command.and_then(|it| missing_programs(it, here).into_iter().next()) {
        return Some(no_program(name, &program));
    }
    let mut lines = ran.iter().map(|ran| ran.missing.as_deref());
    let line = lines.next()??;
    lines.all(|line| line.is_some()).then(|| {
        let what = format!(
            "no file makes `{name}` fail, and every run reports that something is missing: `{line}`"
        );
        Problem::new(Exit::Test, what).hint(HINT)
    })
}

/// Returns the problem of a command that reports for the first file that something is missing, if
/// no file fails.
pub(super) fn of_one(name: &str, file: &Path, line: &str) -> Problem {
    let what = format!(
        "no file makes `{name}` fail, and the run of `{}` reports that something is missing: `{line}`",
        file.display()
    );
    Problem::new(Exit::Test, what).hint(HINT)
}

const HINT: &str = "tests run in folders of their own: name programs and files by absolute paths, or copy them \
                    there with `--with FILE`";

/// Returns the problem of a script that runs a program that does not exist.
pub(super) fn no_program(name: &str, program: &str) -> Problem {
    let what = format!("`{name}` runs `{program}`, which does not exist");
    Problem::new(Exit::Test, what).hint(format!(
        "correct the name of `{program}` or install it; the same command then runs the files again"
    ))
}

/// Returns the hint for files on which the command reports that something is missing, if others
/// fail.
pub(super) fn hint(ran: &[Ran]) -> Option<String> {
    let mut missing = ran.iter().filter(|ran| ran.outcome == End::NoFailure);
    let line = missing.find_map(|ran| ran.missing.as_deref())?;
    let files = ran.iter().filter(|ran| ran.missing.is_some()).count();
    let files = count(files as u64, "file");
    Some(format!(
        "on {files} without a failure, the command reports that something is missing: `{line}`; \
         {HINT}"
    ))
}
