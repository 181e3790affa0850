//! The command line of this process with more flags, for hints.

use crate::command_line::command_line;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Returns the command of this process with more flags of the program, for a shell. The command
/// omits the values of variables, which may be secret.
pub fn command_with(flags: &str) -> String {
    with(std::env::args_os().skip(1), flags)
}

/// The place of the input in the command of a test.
#[derive(Clone, Copy, Debug)]
pub enum InputPlace<'a> {
    /// It is added as the last word.
    Last,
    /// It replaces this word.
    Replaced(&'a str),
}

/// Returns the command of this process with more flags and with the input in the command of the
/// test, or `None` if the command of the test is not clear.
pub fn command_with_input(flags: &str, place: InputPlace<'_>) -> Option<String> {
    let arguments = placed(std::env::args_os().skip(1).collect(), place)?;
    Some(with(arguments.into_iter(), flags))
}

/// Returns the command of this process with another word in the place of one in the command of the
/// test and with more flags, or `None` if that has no such word.
pub fn command_with_word(word: &str, other: &str, flags: &str) -> Option<String> {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let end = arguments.iter().position(|word| word == "--")?;
    let at = arguments[end..].iter().position(|it| it == word)?;
    arguments[end + at] = other.into();
    Some(with(arguments.into_iter(), flags))
}

/// Returns the command of this process with two of its words exchanged, or `None` if it does not
/// have both before the command of the test.
pub fn command_with_exchanged(one: &OsStr, other: &OsStr) -> Option<String> {
    let arguments = exchanged(std::env::args_os().skip(1).collect(), one, other)?;
    Some(with(arguments.into_iter(), ""))
}

/// Returns the command of this process with another word in the place of one of its own words, or
/// `None` if it does not have this word before the command of the test.
pub fn command_with_instead(word: &OsStr, other: &str) -> Option<String> {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let at = before_test(&arguments).iter().position(|it| it == word)?;
    arguments[at] = other.into();
    Some(with(arguments.into_iter(), ""))
}

fn exchanged(mut words: Vec<OsString>, one: &OsStr, other: &OsStr) -> Option<Vec<OsString>> {
    let at = |word: &OsStr| before_test(&words).iter().position(|it| it == word);
    let (first, second) = (at(one)?, at(other)?);
    words.swap(first, second);
    Some(words)
}

/// Returns the words before the command of the test.
fn before_test(words: &[OsString]) -> &[OsString] {
    let end = words.iter().position(|word| word == "--");
    &words[..end.unwrap_or(words.len())]
}

/// Puts `{}` into the command of the test, which follows `--` or is the value of `--test`.
fn placed(mut arguments: Vec<OsString>, place: InputPlace<'_>) -> Option<Vec<OsString>> {
    const TEST: &str = "--test";
    let end = arguments.iter().position(|word| word == "--");
    match (place, end) {
        (InputPlace::Last, Some(_)) => arguments.push("{}".into()),
        (InputPlace::Last, None) => {
            let attached = |word: &OsString| {
                let (_, program) = word.to_str()?.split_once("--test=")?;
                Some(OsString::from(program))
            };
            let at =
                (arguments.iter()).position(|word| word == TEST || attached(word).is_some())?;
            let flag = arguments.remove(at);
            let program = match attached(&flag) {
                Some(program) => program,
                None if at < arguments.len() => arguments.remove(at),
                None => return None,
            };
            arguments.extend(["--".into(), path_of(program), "{}".into()]);
        }
        (InputPlace::Replaced(word), Some(end)) => {
            let at = arguments[end..].iter().position(|it| it == word)?;
            arguments[end + at] = "{}".into();
        }
        (InputPlace::Replaced(_), None) => return None,
    }
    Some(arguments)
}

/// Returns a program that `--test` finds in the current folder as a path.
fn path_of(program: OsString) -> OsString {
    let path = Path::new(&program);
    match path.components().count() == 1 && path.is_file() {
        true => Path::new(".").join(path).into_os_string(),
        false => program,
    }
}

/// Adds flags to the arguments of the program: before the command of the test, if that follows.
fn with(arguments: impl Iterator<Item = OsString>, flags: &str) -> String {
    let mut words = vec!["nubbin".to_owned()];
    let mut is_added = false;
    for argument in command_line(arguments) {
        if argument == "--" && !is_added {
            words.extend(Some(flags.to_owned()).filter(|flags| !flags.is_empty()));
            is_added = true;
        }
        words.push(quoted(OsStr::new(&argument)));
    }
    if !is_added {
        words.extend(Some(flags.to_owned()).filter(|flags| !flags.is_empty()));
    }
    words.join(" ")
}

/// Returns a word quoted for a shell.
pub fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    // Only a word with a zero byte cannot be quoted, and no argument has one.
    shlex::try_quote(&word).unwrap_or_default().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let words = shlex::split(line).unwrap();
        with(words.into_iter().map(OsString::from), "--same-failure")
    }

    #[test]
    fn two_words_before_the_command_of_the_test_are_exchanged() {
        let line = "isolate a b --exit 1 -- cmp a b";
        let words = shlex::split(line).unwrap().into_iter().map(OsString::from);
        let found = exchanged(words.clone().collect(), OsStr::new("a"), OsStr::new("b")).unwrap();
        let found = with(found.into_iter(), "");
        assert_eq!(found, "nubbin isolate b a --exit 1 -- cmp a b");
        let none = exchanged(words.collect(), OsStr::new("a"), OsStr::new("cmp"));
        assert_eq!(none, None);
    }

    #[test]
    fn the_input_is_put_into_the_command_of_the_test() {
        let shown = |line: &str, place| {
            let words = shlex::split(line).unwrap().into_iter();
            let words = placed(words.map(OsString::from).collect(), place)?;
            Some(with(words.into_iter(), "--same-failure"))
        };
        for (line, place, expected) in [
            (
                "reduce a.json -- python3 t.py",
                InputPlace::Last,
                "nubbin reduce a.json --same-failure -- python3 t.py '{}'",
            ),
            (
                "reduce --test ./t.sh a.json",
                InputPlace::Last,
                "nubbin reduce a.json --same-failure -- ./t.sh '{}'",
            ),
            (
                "reduce --test=./t.sh a.json",
                InputPlace::Last,
                "nubbin reduce a.json --same-failure -- ./t.sh '{}'",
            ),
            (
                "reduce d/a.json -- t d/a.json",
                InputPlace::Replaced("d/a.json"),
                "nubbin reduce d/a.json --same-failure -- t '{}'",
            ),
        ] {
            assert_eq!(shown(line, place).as_deref(), Some(expected), "{line}");
        }
        assert_eq!(shown("t.sh a.json", InputPlace::Last), None);
    }

    #[test]
    fn flags_are_those_of_the_program_and_not_of_the_test() {
        assert_eq!(
            shown("reduce a.json --stderr 'a b' -- python3 t.py -- {}"),
            "nubbin reduce a.json --stderr 'a b' --same-failure -- python3 t.py -- '{}'"
        );
        assert_eq!(
            shown("reduce a.json --env TOKEN=secret -- ./t.sh"),
            "nubbin reduce a.json --env 'TOKEN=…' --same-failure -- ./t.sh"
        );
        assert_eq!(
            shown("check.sh a.json"),
            "nubbin check.sh a.json --same-failure"
        );
    }
}
