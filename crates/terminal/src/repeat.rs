//! The command line of this process with more flags, for hints.

use crate::command_line::command_line;
use std::ffi::{OsStr, OsString};

/// Returns the command of this process with more flags of the program, for a shell. The command
/// omits the values of variables, which may be secret.
pub fn command_with(flags: &str) -> String {
    with(std::env::args_os().skip(1), flags)
}

/// Adds flags to the arguments of the program: before the command of the test, if that follows.
fn with(arguments: impl Iterator<Item = OsString>, flags: &str) -> String {
    let mut words = vec!["nubbin".to_owned()];
    let mut is_added = false;
    for argument in command_line(arguments) {
        if argument == "--" && !is_added {
            words.push(flags.to_owned());
            is_added = true;
        }
        words.push(quoted(OsStr::new(&argument)));
    }
    if !is_added {
        words.push(flags.to_owned());
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
