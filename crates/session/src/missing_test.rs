//! Command lines of `nubbin reduce` without a test: which word may have been meant as the test, and
//! what is wrong with it.

use crate::exit::Exit;
use crate::flags::CommandLine;
use crate::habits::{has_test, is_executable, positionals};
use crate::others_words;
use crate::problem::Problem;
use crate::programs;
use crate::test::{folder_of_all, reduce_all};
use clap::{CommandFactory as _, Parser as _};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns a problem with the command line to type if a command line has no test. `args` begins
/// with the name of the program.
pub fn without_test(args: &[OsString]) -> Option<Problem> {
    let words = args.get(1..)?;
    let is_reduce = words.first()? == "reduce";
    let words = if is_reduce { &words[1..] } else { words };
    if has_test(words) {
        return None;
    }
    if let Some(problem) = without_dashes(args) {
        return Some(problem);
    }
    let named = positionals(words)?;
    // A word that is neither a command nor a path is a misspelled command.
    let is_path = |word: &PathBuf| word.exists() || looks_like_path(word);
    if !is_reduce
        && !named
            .first()
            .is_some_and(|first| *words[0] == *first && is_path(first))
    {
        return None;
    }
    unusable_script(&named)
        .or_else(|| missing_file(&named))
        .or_else(|| not_given(&named))
}

/// Returns the problem of a command without `--` in front of it. `args` begins with the name of the
/// program.
pub fn without_dashes(args: &[OsString]) -> Option<Problem> {
    let words = args.get(1..)?;
    let is_reduce = words.first()? == "reduce";
    let words = if is_reduce { &words[1..] } else { words };
    let is_other = CommandLine::command().find_subcommand(&args[1]).is_some() && !is_reduce;
    if is_other || has_test(words) {
        return None;
    }
    let at = (0..words.len()).find(|&at| begins_command(words, at))?;
    let (own, command) = words.split_at(at);
    let mut own = own.to_vec();
    let names = |word: &OsString| word.to_str().is_some_and(|word| word.contains("{}"));
    let mut command = command.to_vec();
    let inputs = positionals(&own).unwrap_or_default();
    if !inputs.iter().any(|input| input.exists()) {
        // The input is named by the command alone.
        let is_input = |word: &&OsString| Path::new(word).is_file() && !names(word);
        own.push(command[1..].iter().find(is_input)?.clone());
    } else if command.len() == 1 {
        command.push("{}".into());
    }
    let line = own
        .into_iter()
        .chain(["--".into()])
        .chain(command.iter().cloned());
    let line: Vec<OsString> = line.collect();
    let head = ["nubbin", "reduce"].map(OsString::from);
    let whole = head.into_iter().chain(line.iter().cloned());
    CommandLine::try_parse_from(whole).ok()?;
    let what = format!("`--` is missing in front of `{}`", joined(&command)?);
    let example = format!("    nubbin reduce {}", joined(&line)?);
    Some(Problem::new(Exit::Usage, what).hint(format!(
        "the command of the test is behind `--`; a condition, such as `--same-failure` or \
         `--stderr TEXT`, in front of it:\n{example}"
    )))
}

/// Returns whether the word at a position begins the command of a test: a program with words for
/// it, or a program of `PATH`.
fn begins_command(words: &[OsString], at: usize) -> bool {
    let word = Path::new(&words[at]);
    let text = words[at].to_string_lossy();
    let is_value = at > 0 && takes_value(&words[at - 1]);
    if text.starts_with('-') || is_value || word.is_dir() {
        return false;
    }
    let is_name = word.components().count() == 1;
    // Any file may be an input.
    if word.exists() {
        let next = words.get(at + 1).map(|next| next.to_string_lossy());
        let is_known = |next: &str| {
            let is_own = flags().iter().any(|flag| flag.is_named(next));
            is_own || next.starts_with("--") && others_words::is_of_others(next)
        };
        let has_flag =
            next.is_some_and(|next| next == "{}" || next.starts_with('-') && !is_known(&next));
        return is_executable(word) && has_flag;
    }
    is_name && programs::exists(&text)
}

/// A flag of `nubbin reduce`.
struct Flag {
    names: Vec<String>,
    takes_value: bool,
}

impl Flag {
    fn is_named(&self, word: &str) -> bool {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        self.names.iter().any(|own| own == name)
    }
}

fn flags() -> Vec<Flag> {
    let commands = CommandLine::command();
    let reduce = commands.find_subcommand("reduce");
    let arguments = reduce.into_iter().flat_map(clap::Command::get_arguments);
    let flag = |argument: &clap::Arg| {
        let long = argument.get_long_and_visible_aliases().unwrap_or_default();
        let short = argument.get_short_and_visible_aliases().unwrap_or_default();
        let long = long.into_iter().map(|name| format!("--{name}"));
        Flag {
            names: long
                .chain(short.into_iter().map(|name| format!("-{name}")))
                .collect(),
            takes_value: argument.get_action().takes_values() && !argument.is_require_equals_set(),
        }
    };
    arguments.map(flag).collect()
}

/// Returns whether a word is a flag whose value is the next word.
fn takes_value(word: &OsString) -> bool {
    let Some(word) = word
        .to_str()
        .filter(|word| word.starts_with('-') && !word.contains('='))
    else {
        return false;
    };
    flags()
        .iter()
        .any(|flag| flag.takes_value && flag.is_named(word))
}

/// Returns the problem of a script among several files that may be the test, and cannot be run.
fn unusable_script(named: &[PathBuf]) -> Option<Problem> {
    let [first, .., last] = named else {
        return None;
    };
    // A script in front of the inputs comes from other reducers, one behind them from a guess.
    let script = [first, last].into_iter().find(|path| is_script(path))?;
    let others: Vec<OsString> = (named.iter().filter(|path| *path != script))
        .map(|path| path.clone().into_os_string())
        .collect();
    let line = format!(
        "nubbin reduce --test {} {}",
        quoted(script)?,
        joined(&others)?
    );
    let shown = script.display();
    if !script.exists() {
        let problem = Problem::new(Exit::Usage, format!("the test `{shown}` does not exist"));
        return Some(problem.hint(format!("create it, then `{line}`")));
    }
    if is_executable(script) {
        return None;
    }
    let problem = Problem::new(Exit::Usage, format!("the test `{shown}` is not executable"));
    Some(problem.hint(format!("`chmod +x {}`, then `{line}`", quoted(script)?)))
}

/// Returns whether a path is that of a script: by its first bytes, or by its name if it is missing.
fn is_script(path: &Path) -> bool {
    let has_name = || {
        let ending = path.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("sh" | "bash" | "zsh" | "py" | "pl" | "rb"))
    };
    match std::fs::File::open(path) {
        Ok(mut file) => {
            let mut begin = [0; 2];
            let is_read = std::io::Read::read_exact(&mut file, &mut begin).is_ok();
            is_read && begin == *b"#!" || path.extension().is_some_and(|ending| ending == "sh")
        }
        Err(_) => !path.exists() && has_name(),
    }
}

fn missing_file(named: &[PathBuf]) -> Option<Problem> {
    let missing = named.iter().find(|path| !path.exists())?;
    let what = format!("`{}` does not exist", missing.display());
    Some(Problem::new(Exit::Usage, what).hint(
        "each word before the test is an input; a command of several words has `--` in front of it",
    ))
}

/// Returns the problem of inputs without any test.
fn not_given(files: &[PathBuf]) -> Option<Problem> {
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
    if let Some(folder) = folder_of_all(files) {
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

/// Returns whether a word is a path by its form.
fn looks_like_path(word: &Path) -> bool {
    word.components().count() > 1 || is_script(word)
}

fn quoted(path: &Path) -> Option<String> {
    let path = shlex::try_quote(path.to_str()?).ok()?;
    Some(path.into_owned())
}

/// Returns words as a line of a shell.
pub(crate) fn joined(words: &[OsString]) -> Option<String> {
    let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    shlex::try_join(words?).ok()
}
