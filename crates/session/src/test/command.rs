//! The command of a test, from the words of the command line.

use super::problems::unusable;
use super::setup::TestSetup;
use crate::habits::is_executable;
use crate::persistent;
use crate::problem::Problem;
use crate::shim;
use nubbin_oracle::TestCommand;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the command of a test. A program that runs in a fork server is `persistent`.
pub(super) fn command(
    setup: TestSetup<'_>,
    is_persistent: bool,
    here: &Path,
) -> Result<TestCommand, Problem> {
    let flags = setup.flags;
    let words = match &flags.program {
        Some(program) => vec![in_this_folder(program)],
        None => with_placeholder(flags.command.clone(), setup.inputs),
    };
    let words = match is_persistent {
        true => persistent::with_places(words),
        false => words,
    };
    // A worker of a farm has its own program with this name.
    let words = match setup.has_original && flags.remote.address().is_none() {
        true => shim::resolved(words, here, &flags.run, setup.is_quiet),
        false => words,
    };
    TestCommand::new(words, here).map_err(|error| unusable(&error))
}

/// Returns the path of the program given by `--test`: `test.sh` is the file of this folder if there
/// is one, and otherwise a program of `PATH`.
fn in_this_folder(program: &Path) -> OsString {
    let is_name = program.components().count() == 1 && program.file_name().is_some();
    match is_name && program.is_file() && is_executable(program) {
        true => Path::new(".").join(program).into_os_string(),
        false => program.as_os_str().to_os_string(),
    }
}

/// Returns the words of a command with `{}` for `@@`, as fuzzers write it, unless the command has
/// `{}` or names an input.
pub fn with_placeholder(words: Vec<OsString>, inputs: &[PathBuf]) -> Vec<OsString> {
    let is_place = |word: &str| word == "@@" || word.ends_with("=@@");
    let names_input = |word: &OsString| {
        let is_named = |input: &PathBuf| Path::new(word).file_name() == input.file_name();
        word.to_str().is_some_and(|word| word.contains("{}")) || inputs.iter().any(is_named)
    };
    if words.iter().any(names_input) {
        return words;
    }
    let placed = |word: OsString| match word.to_str() {
        Some(text) if is_place(text) => text.replace("@@", "{}").into(),
        _ => word,
    };
    words.into_iter().map(placed).collect()
}
