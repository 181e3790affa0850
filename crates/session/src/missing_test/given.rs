//! Inputs without any word that may be a test.

use super::line::{as_test, completed};
use crate::exit::Exit;
use crate::habits::is_executable;
use crate::problem::Problem;
use crate::test::{folder_of_all, reduce_all};
use crate::typed::Typed;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The flags that say what a failure is.
const CONDITIONS: [&str; 9] = [
    "exit",
    "stderr",
    "stdout",
    "not-stderr",
    "not-stdout",
    "signal",
    "same-failure",
    "timeout-fails",
    "differs-from",
];

const WHAT: &str = "no test is given: nothing says how to tell that a smaller file still fails";

/// Returns the problem of inputs without any test.
pub(super) fn none(typed: &Typed, files: &[PathBuf]) -> Option<Problem> {
    let problem = Problem::new(Exit::Usage, WHAT);
    if typed.name() == "cmin" || typed.name() == "reduce-all" {
        return of_folder(typed);
    }
    let programs = files.iter();
    let programs = programs.filter(|file| file.is_file() && is_executable(file));
    let program = programs.map(PathBuf::as_path).next_back();
    let is_program = |word: &OsString| program.is_some_and(|it| Path::new(word) == it);
    let own = typed.words().iter().filter(|word| !is_program(word));
    let own: Vec<OsString> = own.cloned().collect();
    let program = program.unwrap_or(Path::new("./test.sh"));
    let program = match program.components().count() {
        1 => Path::new(".").join(program),
        _ => program.to_owned(),
    };
    let program = program.to_str()?;
    let program = shlex::try_quote(program).ok()?;
    if let Some(folder) = folder_of_all(files).filter(|_| typed.name() == "reduce") {
        let line = reduce_all(folder, &[], &["PROGRAM".into(), "{}".into()]);
        return Some(problem.hint(format!(
            "if each file fails by itself: `{line}`; if one test needs all of them, put \
             `--test {program}` before their names"
        )));
    }
    let words = typed.line(&own)?;
    let line = |more: &str| format!("    {words} {more}");
    let has_condition = CONDITIONS.iter().any(|flag| typed.is_typed(flag));
    let mut lines = vec![
        "a test is a command that exits with code 0 if the file still fails, as one of these:"
            .to_owned(),
    ];
    // A condition that was typed says what a failure is.
    lines.extend(match has_condition {
        true => vec![line("-- PROGRAM {}")],
        false => vec![
            line(&format!("--test {program}")),
            line("--exit 1 -- PROGRAM {}"),
            line("--stderr 'the message' -- PROGRAM {}"),
        ],
    });
    if has_condition {
        lines[0] = "the program to run follows `--`; `{}` stands for the path of the file:".into();
    }
    let problem = match files {
        [folder] if typed.name() == "reduce" && is_flat(folder) => problem.hint(format!(
            "if each file of `{}` fails by itself: `{}`; if the folder is one input:",
            folder.display(),
            reduce_all(folder, &[], &["PROGRAM".into(), "{}".into()])
        )),
        _ => problem,
    };
    Some(problem.hint(lines.join("\n")))
}

/// Returns the problem of a command that runs a program with each file of a folder.
fn of_folder(typed: &Typed) -> Option<Problem> {
    if typed.plain().is_empty() {
        return None;
    }
    if typed.is_typed("test") {
        return misplaced(typed);
    }
    let own = completed(typed, typed.words().to_vec());
    let place = if typed.is_typed("stdin") { "" } else { " {}" };
    let line = format!("{} -- PROGRAM{place}", typed.line(&own)?);
    let what = "no program is given: nothing says what to run with each file";
    Some(Problem::new(Exit::Usage, what).hint(format!(
        "the program and its arguments follow `--`; `{{}}` stands for the path of a file: `{line}`"
    )))
}

/// Returns the problem of `--test`, which a command does not have.
pub(super) fn misplaced(typed: &Typed) -> Option<Problem> {
    let mut own = typed.words().to_vec();
    let is_test = |word: &OsString| {
        let word = word.to_string_lossy();
        word == "--test" || word.starts_with("--test=")
    };
    let at = own.iter().position(is_test)?;
    let flag = own.remove(at);
    let script = match flag.to_string_lossy().split_once('=') {
        Some((_, script)) => OsString::from(script),
        None if at < own.len() => own.remove(at),
        None => return None,
    };
    // A script of `nubbin reduce` exits with 0 if the file fails.
    if typed.name() == "reduce-all" && !typed.is_typed("exit") {
        own.extend(["--each".into(), "--exit".into(), "0".into()]);
    }
    let line = typed.line(&as_test(typed, Path::new(&script), own))?;
    let what = format!("`nubbin {}` has no flag `--test`", typed.name());
    Some(Problem::new(Exit::Usage, what).hint(format!("the program follows `--`: `{line}`")))
}

/// Returns whether a folder has several files, and no folders.
fn is_flat(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    let kinds: Vec<bool> = (entries.flatten().take(1000))
        .map(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .collect();
    kinds.len() > 1 && kinds.into_iter().all(|is_file| is_file)
}
