//! Commands of a test without `--` in front of them.

use super::line::completed;
use super::{given, script};
use crate::exit::Exit;
use crate::habits::is_executable;
use crate::others_words;
use crate::problem::Problem;
use crate::programs;
use crate::typed::{Typed, is_same};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Flags of nubbin that no other program is expected to have.
const OWN: [&str; 16] = [
    "allow-empty",
    "exit",
    "inside",
    "max-tests",
    "max-time",
    "must-parse",
    "not-stderr",
    "not-stdout",
    "private-failure",
    "same-failure",
    "same-stack",
    "signal",
    "stderr",
    "timeout-fails",
    "with",
    "with-siblings",
];

/// Returns the problem of a command without `--` in front of it. `args` begins with the name of the
/// program.
pub fn without_dashes(args: &[OsString]) -> Option<Problem> {
    let typed = Typed::of(args).filter(|typed| typed.takes_test() && !typed.has_test())?;
    if !typed.has_flag("test") && typed.is_typed("test") {
        return given::misplaced(&typed);
    }
    let at = begin(&typed)?;
    let (own, command) = typed.words().split_at(at);
    let end = typed.trailing_flags(|flag| OWN.contains(&flag)).max(at + 1);
    let behind = &typed.words()[end..];
    let mut command = command[..end - at].to_vec();
    let mut own = [own, behind].concat();
    let script = Path::new(&command[0]);
    if command.len() == 1 && !typed.inputs().1 && (script.exists() || script::is_script(script)) {
        // The script may not be executable, or not exist.
        let named = typed.plain().into_iter().map(|at| &typed.words()[at]);
        let named: Vec<PathBuf> = named.map(PathBuf::from).collect();
        if let Some(problem) = script::unusable(&typed, &named) {
            return Some(problem);
        }
    }
    let missing = missing_inputs(&typed, at);
    match missing {
        0 => place(&typed, at, &own, &mut command),
        // The input is named by the command alone.
        1 => own.push(input_of(&command)?),
        _ => return None,
    }
    give_files(&typed, at, &mut own, &command);
    let own = completed(&typed, own);
    let line: Vec<OsString> = own
        .into_iter()
        .chain(["--".into()])
        .chain(command.iter().cloned())
        .collect();
    if !typed.accepts(&line) {
        return None;
    }
    let shown = shlex::try_join(command_as_typed(&typed, at, end)?).ok()?;
    let what = format!("`--` is missing in front of `{shown}`");
    let example = format!("    {}", typed.line(&line)?);
    let conditions = match typed.has_flag("same-failure") {
        true => "; a condition, such as `--same-failure` or `--stderr TEXT`, in front of it",
        false => "",
    };
    Some(Problem::new(Exit::Usage, what).hint(format!(
        "the command of the test is behind `--`{conditions}:\n{example}"
    )))
}

fn command_as_typed(typed: &Typed, at: usize, end: usize) -> Option<Vec<&str>> {
    let words = typed.words()[at..end].iter();
    words.map(|word| word.to_str()).collect()
}

/// Returns where the command begins: at a program with words for it, or behind all inputs.
fn begin(typed: &Typed) -> Option<usize> {
    let plain = typed.plain();
    let found = plain.iter().find(|&&at| begins_command(typed, at)).copied();
    let (inputs, is_many) = typed.inputs();
    match is_many {
        true => found,
        false => found.or_else(|| plain.get(inputs).copied()),
    }
}

/// Returns whether the word at a position begins the command of a test: a program with words for
/// it, or a program of `PATH`.
fn begins_command(typed: &Typed, at: usize) -> bool {
    let words = typed.words();
    let word = Path::new(&words[at]);
    if word.is_dir() {
        return false;
    }
    // Any file may be an input.
    if word.exists() {
        let next = words.get(at + 1).map(|next| next.to_string_lossy());
        let is_known = |next: &str| {
            let long = next.strip_prefix("--").unwrap_or_default();
            let name = long.split_once('=').map_or(long, |(name, _)| name);
            let is_short = !next.starts_with("--") && next.starts_with('-');
            typed.has_flag(name)
                || is_short && !typed.unknown().contains(&(at + 1))
                || next.starts_with("--") && others_words::is_of_others(next)
        };
        let has_flag =
            next.is_some_and(|next| next == "{}" || next.starts_with('-') && !is_known(&next));
        return is_executable(word) && has_flag;
    }
    word.components().count() == 1 && programs::exists(&words[at].to_string_lossy())
}

/// Returns how many inputs are missing in front of the command.
fn missing_inputs(typed: &Typed, at: usize) -> usize {
    let given = typed.plain().into_iter().filter(|&plain| plain < at);
    let (inputs, is_many) = typed.inputs();
    if is_many {
        let exists = |at: usize| Path::new(&typed.words()[at]).exists();
        return usize::from(!given.into_iter().any(exists));
    }
    inputs.saturating_sub(given.count())
}

/// Returns the last file that a command names. A script is in front of its input.
fn input_of(command: &[OsString]) -> Option<OsString> {
    let is_input = |word: &&OsString| Path::new(word).is_file();
    command[1..].iter().rfind(is_input).cloned()
}

/// Adds the place of the input to a command that does not name it.
fn place(typed: &Typed, at: usize, own: &[OsString], command: &mut Vec<OsString>) {
    let inputs = typed.plain().into_iter().filter(|&plain| plain < at);
    let inputs: Vec<PathBuf> = inputs.map(|at| PathBuf::from(&typed.words()[at])).collect();
    let names = |word: &OsString| {
        let text = word.to_string_lossy();
        let has_place = text.contains("{}") || text.contains("@@");
        let is_input = |input: &PathBuf| {
            let name = input.file_name().unwrap_or_default().to_string_lossy();
            is_same(word, input) || !name.is_empty() && text.contains(&*name)
        };
        has_place || inputs.iter().any(is_input)
    };
    let is_stdin = own.iter().any(|word| word == "--stdin");
    // A program of the user may read the input by its name, or by no name at all.
    let is_free =
        typed.name() == "cmin" || command.len() > 1 && command[0].to_string_lossy().contains('/');
    if !is_stdin && !is_free && !command.iter().any(names) {
        command.push("{}".into());
    }
}

/// Adds `--with` for the files of the current folder that a command names, which its private folder
/// does not have.
fn give_files(typed: &Typed, at: usize, own: &mut Vec<OsString>, command: &[OsString]) {
    if !typed.has_flag("with") || typed.is_typed("with-siblings") || typed.is_typed("inside") {
        return;
    }
    let mut inputs: Vec<OsString> = (typed.plain().into_iter())
        .filter(|&plain| plain < at)
        .map(|at| typed.words()[at].clone())
        .collect();
    inputs.extend(own.last().cloned());
    for word in &command[1..] {
        let path = Path::new(word);
        let is_below = path.is_relative() && !path.starts_with("..");
        let is_input = inputs.iter().any(|input| {
            is_same(input, path) || Path::new(input).is_dir() && path.starts_with(input)
        });
        let is_given = own.contains(word);
        if path.is_file() && is_below && !is_input && !is_given {
            own.extend(["--with".into(), word.clone()]);
        }
    }
}
