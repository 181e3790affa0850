//! Command lines in the style of other reducers.
//!
//! If a command line is wrong for nubbin but can only have one meaning, nubbin runs it with that
//! meaning and prints a note.

use crate::flags::CommandLine;
use crate::typed::Typed;
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

/// Returns a command line with the command in front of its flags. Flags of `nubbin reduce` without
/// a command belong to it. `args` begins with the name of the program.
pub fn in_order(args: &[OsString], is_command: impl Fn(&OsStr) -> bool) -> Option<Vec<OsString>> {
    let (program, words) = args.split_first()?;
    let is_flag = |word: &OsString| word.to_str().is_some_and(|word| word.starts_with('-'));
    let first = words.first().filter(|word| is_flag(word))?;
    let typed = Typed::of(args)?;
    let is_jobs = first.to_str()?.starts_with("-n");
    if typed.unknown().contains(&0) && !is_jobs {
        return None;
    }
    // C-Vise's `-n` takes a number.
    let is_value = |at: usize| at > 0 && words[at - 1] == "-n";
    let mut plain = typed.plain().into_iter().filter(|&at| !is_value(at));
    let command = plain.find(|&at| is_command(&words[at]));
    let before = words.iter().take(command.unwrap_or(0)).cloned();
    let (name, behind) = match command {
        Some(at) => (words[at].clone(), &words[at + 1..]),
        None => ("reduce".into(), words),
    };
    let head = [program.clone(), name].into_iter();
    Some(head.chain(before).chain(behind.iter().cloned()).collect())
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

/// Returns whether a command line has a test.
pub(super) fn has_test(words: &[OsString]) -> bool {
    words
        .iter()
        .any(|word| word == "--" || starts_with(word, "--test"))
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
