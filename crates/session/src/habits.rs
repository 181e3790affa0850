//! Command lines in the style of other reducers.
//!
//! If a command line is wrong for nubbin but can only have one meaning, nubbin runs it with that
//! meaning and prints a note.

use crate::flags::CommandLine;
use clap::CommandFactory as _;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A command line in nubbin's own form.
pub struct Understood {
    pub args: Vec<OsString>,
    /// The note that tells the user how the command line was understood.
    pub note: String,
}

/// Returns a command line in nubbin's own form if a word is missing: the command `reduce`, or
/// `--test` before a program that comes before the inputs, as with C-Reduce, C-Vise, and Shrink
/// Ray. Returns `None` if the meaning is not clear. `args` begins with the name of the program.
/// `is_command` returns whether a word is a command.
pub fn understood(args: &[OsString], is_command: impl Fn(&OsStr) -> bool) -> Option<Understood> {
    let (program, words) = args.split_first()?;
    let is_reduce = words.first()? == "reduce";
    let words = match is_reduce {
        true => &words[1..],
        false => words,
    };
    // A file may have the name of a command.
    if !is_reduce && is_command(words.first()?) {
        return None;
    }
    let mut words = words.to_vec();
    if has_test(&words) {
        // The first argument is not a file, so only the command name can be missing.
        if is_reduce || !Path::new(words.first()?).exists() {
            return None;
        }
    } else {
        words = with_test(words)?;
    }
    let shown = words.iter().map(|word| word.to_string_lossy());
    let shown: Vec<_> = shown.collect();
    let shown = shlex::try_join(shown.iter().map(AsRef::as_ref)).ok()?;
    let head = [program.clone(), "reduce".into()];
    Some(Understood {
        args: head.into_iter().chain(words).collect(),
        note: format!("running `nubbin reduce {shown}`"),
    })
}

/// Returns a command line of `reduce` with `-n`, C-Vise's option, replaced with `-j`.
pub fn with_jobs(args: &[OsString]) -> Option<Understood> {
    let end = args.iter().position(|word| word == "--");
    let end = end.unwrap_or(args.len());
    if args.get(1)? != "reduce" {
        return None;
    }
    let is_jobs = |word: &OsString| {
        let number = word.to_str().and_then(|word| word.strip_prefix("-n"));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let at = args[..end].iter().position(is_jobs)?;
    let mut args = args.to_vec();
    args[at] = args[at].to_str()?.replacen("-n", "-j", 1).into();
    Some(Understood {
        args,
        note: "`-n` is the number of workers, `-j`".to_owned(),
    })
}

/// Puts `--test` before the first input, if it is a program and another input follows.
fn with_test(mut words: Vec<OsString>) -> Option<Vec<OsString>> {
    let mut inputs = positionals(&words)?;
    inputs.retain(|path| path.exists());
    let [test, _, ..] = &inputs[..] else {
        return None;
    };
    if !test.is_file() || !is_executable(test) {
        return None;
    }
    let at = words.iter().position(|word| word == test.as_os_str())?;
    words.insert(at, "--test".into());
    Some(words)
}

/// Returns the words of a command line after `reduce` that are not flags or their values.
pub(super) fn positionals(words: &[OsString]) -> Option<Vec<PathBuf>> {
    let line = ["nubbin".into(), "reduce".into()].into_iter();
    let line = line.chain(words.iter().cloned());
    let matches = CommandLine::command().ignore_errors(true);
    let matches = matches.try_get_matches_from(line).ok()?;
    let reduce = matches.subcommand_matches("reduce")?;
    let inputs = reduce.get_many::<PathBuf>("inputs")?;
    Some(inputs.cloned().collect())
}

/// Returns a problem with the command line to type if an input is given without a test. `args`
/// begins with the name of the program.
pub fn without_test(args: &[OsString]) -> Option<Problem> {
    let words = args.get(1..)?;
    let is_reduce = words.first()? == "reduce";
    let words = if is_reduce { &words[1..] } else { words };
    if (words.iter()).any(|word| word == "--" || starts_with(word, "--test")) {
        return None;
    }
    let files = inputs(words)?;
    let first = files.first()?;
    if !is_reduce && *words.first()? != *first {
        return None;
    }
    let programs = files.iter();
    let programs = programs.filter(|file| file.is_file() && is_executable(file));
    let program = programs.map(|file| file.to_str()).next_back().flatten();
    let inputs = files.iter().filter_map(|file| file.to_str());
    let inputs = shlex::try_join(inputs.filter(|file| Some(*file) != program)).ok()?;
    let program = program.and_then(|program| shlex::try_quote(program).ok());
    let program = program.as_deref().unwrap_or("./test.sh");
    let program = match program.contains('/') {
        true => program.to_owned(),
        false => format!("./{program}"),
    };
    let what = "no test is given: nothing says how to tell that a smaller file still fails";
    let problem = Problem::new(Exit::Usage, what);
    if let Some(folder) = folder_of_all(&files) {
        let line = reduce_all(folder, &[], &["PROGRAM".into(), "{}".into()]);
        return Some(problem.hint(format!(
            "if each file fails by itself: `{line}`; if one test needs all of them, put \
             `--test {program}` before their names"
        )));
    }
    let line = |more: &str| format!("    nubbin reduce {inputs} {more}");
    let lines = [
        "a test is a command that exits with code 0 if the file still fails, as one of these:"
            .to_owned(),
        line(&format!("--test {program}")),
        line("--exit 1 -- PROGRAM {}"),
        line("--stderr 'the message' -- PROGRAM {}"),
    ];
    Some(problem.hint(lines.join("\n")))
}

fn starts_with(word: &OsStr, prefix: &str) -> bool {
    word.to_str().is_some_and(|word| word.starts_with(prefix))
}

/// Returns whether a file can be run.
#[cfg(unix)]
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

/// Returns whether a file can be run.
#[cfg(not(unix))]
pub fn is_executable(path: &Path) -> bool {
    let endings = ["bat", "cmd", "exe", "ps1", "py", "sh"];
    path.extension()
        .is_some_and(|ending| endings.iter().any(|one| ending == *one))
}
