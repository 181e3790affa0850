//! Programs of shell lines that flags give and that run late. A missing program is reported before
//! the first test.

use crate::exit::Exit;
use crate::problem::Problem;
use std::path::Path;

/// Words that a shell runs by itself.
const OF_SHELL: [&str; 46] = [
    ":", ".", "[", "{", "!", "alias", "bg", "break", "case", "cd", "command", "continue", "echo",
    "eval", "exec", "exit", "export", "false", "fg", "for", "getopts", "hash", "if", "jobs",
    "kill", "let", "local", "printf", "pwd", "read", "readonly", "return", "set", "shift",
    "source", "test", "time", "trap", "true", "type", "ulimit", "umask", "unset", "until", "wait",
    "while",
];

/// Returns an error if the program of a line does not exist. A line whose program only a shell can
/// determine is accepted.
pub fn require(flag: &str, line: &str) -> Result<(), Problem> {
    let Some(program) = program(line).filter(|program| !exists(program)) else {
        return Ok(());
    };
    let what = format!("`{flag} {line}` cannot run: there is no program `{program}`");
    Err(
        Problem::new(Exit::Usage, what).hint(match program.contains('/') {
            true => "check the path, which is relative to the current folder",
            false => "install it, or write its absolute path",
        }),
    )
}

/// Returns the program of a line; `None` if only a shell knows it.
fn program(line: &str) -> Option<String> {
    let words = shlex::split(line)?;
    let first = words.into_iter().find(|word| !is_assignment(word))?;
    let is_plain = !first.contains(|char: char| "$`*?;|&<>(){}~\n".contains(char));
    (is_plain && !OF_SHELL.contains(&&*first)).then_some(first)
}

/// Returns whether a word sets a variable of the command after it.
fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    let is_name = |char: char| char == '_' || char.is_ascii_alphanumeric();
    !name.is_empty() && name.chars().all(is_name)
}

/// Returns whether there is a program with the given path, or with the given name in `PATH`.
pub fn exists(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).exists();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let endings: &[&str] = if cfg!(windows) {
        &["", ".exe", ".cmd", ".bat"]
    } else {
        &[""]
    };
    std::env::split_paths(&path).any(|folder| {
        let mut names = endings
            .iter()
            .map(|ending| folder.join(format!("{program}{ending}")));
        names.any(|path| path.is_file())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_a_line_is_its_first_word_behind_assignments() {
        assert_eq!(program("A=1 b_2=x fmt --x").as_deref(), Some("fmt"));
        assert_eq!(program("'my fmt' {}").as_deref(), Some("my fmt"));
        for line in [
            "echo x",
            "$FMT x",
            "(a; b)",
            "",
            "[ -e x ]",
            "if a; then b; fi",
            "'",
        ] {
            assert_eq!(program(line), None, "{line}");
        }
    }

    #[test]
    fn a_program_is_looked_for_in_the_path_or_where_it_is() {
        assert!(exists("sh") && exists("/bin/sh"));
        assert!(!exists("/bin/no-such-program") && !exists("no-such-program"));
        assert!(require("--format", "sh -c x").is_ok());
        let problem = require("--format", "no-such-program {}").unwrap_err();
        assert!(problem.what().contains("no program `no-such-program`"));
    }
}
