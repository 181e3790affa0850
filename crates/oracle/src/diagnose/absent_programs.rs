//! The programs that the script of a test runs and that do not exist. A script can hide the message
//! of its shell: `pyton3 x.py 2>&1 | grep Error`.

use crate::command::{CommandError, TestCommand};
use std::path::Path;

/// Words that a shell runs by itself, besides [`KEYWORDS`] and [`PREFIXES`].
const OF_SHELL: [&str; 71] = [
    ":",
    ".",
    "[",
    "[[",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "case",
    "cd",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "coproc",
    "declare",
    "dirs",
    "disown",
    "echo",
    "enable",
    "esac",
    "eval",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "fi",
    "for",
    "function",
    "getopts",
    "hash",
    "help",
    "history",
    "in",
    "jobs",
    "kill",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "print",
    "printf",
    "pushd",
    "pwd",
    "read",
    "readarray",
    "readonly",
    "return",
    "select",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "test",
    "times",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
    "whence",
    "done",
];

/// Words after which a command follows.
const KEYWORDS: [&str; 9] = [
    "if", "then", "else", "elif", "do", "while", "until", "!", "{",
];

/// Commands that run the command behind them.
const PREFIXES: [&str; 7] = ["exec", "nohup", "time", "env", "sudo", "nice", "timeout"];

/// Commands that ask whether a program exists. A script with a question has an answer for a missing
/// program.
const QUESTIONS: [&str; 4] = ["command", "which", "type", "hash"];

/// The shells in the first line of a script.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ash", "ksh", "zsh"];

/// Returns the programs that the script of a command for a shell runs and that do not exist, in the
/// order in which they are named. A relative path of the command is one of `folder`.
pub fn missing_programs(command: &TestCommand, folder: &Path) -> Vec<String> {
    let Some(script) = command
        .script(folder)
        .filter(|text| is_of_shell(command, text))
    else {
        return Vec::new();
    };
    let mut missing: Vec<String> = Vec::new();
    for program in programs(&script) {
        if !missing.contains(&program) && !exists(&program) {
            missing.push(program);
        }
    }
    missing
}

/// Returns whether a script is one for a shell: its first line or its command says so. Another
/// interpreter, which the command names, does not follow the first line.
fn is_of_shell(command: &TestCommand, script: &str) -> bool {
    let program = std::fs::read_to_string(command.program());
    let is_program = program.is_ok_and(|text| text.starts_with(script));
    if !command.is_shell() && !is_program {
        return false;
    }
    let Some(line) = script.strip_prefix("#!") else {
        return command.is_shell();
    };
    let line = line.lines().next().unwrap_or_default();
    let mut words = line.split(|char: char| char.is_whitespace() || char == '/');
    words.any(|word| SHELLS.contains(&word))
}

/// Returns whether a program exists, by its absolute path or by its name in `PATH`.
fn exists(program: &str) -> bool {
    !matches!(
        TestCommand::new(vec![program.into()], Path::new("/")),
        Err(CommandError::NotInPath { .. } | CommandError::NoSuchFile { .. })
    )
}

/// Returns the names and absolute paths of the programs that a script runs, without those that
/// depend on variables, and without those about whose existence it asks.
fn programs(script: &str) -> Vec<String> {
    let mut reader = Reader::default();
    reader.read(script);
    let Reader { found, known, .. } = reader;
    found
        .into_iter()
        .filter(|word| !known.contains(word))
        .collect()
}

/// A reader of scripts that finds the first word of each command.
#[derive(Default)]
struct Reader {
    found: Vec<String>,
    /// Functions of the script, and programs about which it asks.
    known: Vec<String>,
    /// The last word of the command under way.
    last: Option<String>,
    /// Whether the command has its first word, so that the next one is an argument.
    is_begun: bool,
    /// Whether the command asks for programs.
    is_question: bool,
    /// Whether the next word is the name of a file.
    is_target: bool,
    /// The number of cases that have not ended, and whether patterns of one follow.
    cases: usize,
    is_pattern: bool,
}

impl Reader {
    fn read(&mut self, script: &str) {
        let mut rest = script;
        while let Some(char) = rest.chars().next() {
            let after = &rest[char.len_utf8()..];
            rest = match char {
                ' ' | '\t' | '\r' => after,
                '#' => after
                    .split_once('\n')
                    .map_or("", |(comment, _)| &after[comment.len()..]),
                // A text without commands follows.
                '<' if after.starts_with('<') && !after.starts_with("<<") => return,
                '<' | '>' => {
                    self.is_target = true;
                    after.trim_start_matches(['<', '>', '&', '|'])
                }
                '(' if after.trim_start().starts_with(')') && self.is_begun => {
                    // The word in front of it is the name of a function.
                    self.known.extend(self.last.take());
                    self.end();
                    &after.trim_start()[1..]
                }
                ';' if after.starts_with(';') => {
                    self.end();
                    self.is_pattern = self.cases > 0;
                    &after[1..]
                }
                ')' => {
                    self.is_pattern = false;
                    self.end();
                    after
                }
                '\n' | ';' | '|' | '&' | '(' | '`' => {
                    self.end();
                    after
                }
                _ => self.word(rest),
            };
        }
    }

    /// Begins another command.
    fn end(&mut self) {
        self.is_begun = false;
        self.is_question = false;
        self.is_target = false;
        self.last = None;
    }

    /// Reads a word, and returns the text behind it.
    fn word<'t>(&mut self, text: &'t str) -> &'t str {
        let (word, is_plain, rest) = word(text);
        if word.ends_with("$") && rest.starts_with('(') {
            // A substitution is a command within the word.
            self.end();
            return rest;
        }
        if std::mem::take(&mut self.is_target) {
            return rest;
        }
        match word {
            "case" if !self.is_begun => self.cases += 1,
            "in" if self.cases > 0 => self.is_pattern = true,
            "esac" => {
                self.cases = self.cases.saturating_sub(1);
                self.is_pattern = false;
            }
            _ => {}
        }
        if self.is_question && !word.starts_with('-') {
            self.known.push(word.to_owned());
        }
        if self.is_begun || self.is_pattern {
            return rest;
        }
        let is_apart = KEYWORDS.contains(&word)
            || PREFIXES.contains(&word)
            || word.starts_with('-')
            || word.starts_with(|char: char| char.is_ascii_digit())
            || is_assignment(word);
        if is_apart {
            return rest;
        }
        self.is_begun = true;
        self.is_question = QUESTIONS.contains(&word);
        self.last = Some(word.to_owned());
        let is_name = |char: char| char.is_ascii_alphanumeric() || "_-+./".contains(char);
        let is_own = OF_SHELL.contains(&word) || self.is_question || word == "}";
        // A relative path is one of a folder that only the script knows.
        let is_found = word.starts_with('/') || !word.contains('/');
        if is_plain && !is_own && is_found && !word.is_empty() && word.chars().all(is_name) {
            self.found.push(word.to_owned());
        }
        rest
    }
}

/// Returns the first word of a text, whether it is written without quotes and variables, and the
/// text behind it.
fn word(text: &str) -> (&str, bool, &str) {
    let mut quote = None;
    let mut is_plain = true;
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match (char, quote) {
            ('\\', None | Some('"')) => {
                is_plain = false;
                chars.next();
            }
            (_, Some(open)) if open == char => quote = None,
            (_, Some(_)) => {}
            ('\'' | '"', None) => {
                is_plain = false;
                quote = Some(char);
            }
            (' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | '(' | ')' | '<' | '>' | '`', None) => {
                return (&text[..at], is_plain, &text[at..]);
            }
            ('$', None) => is_plain = false,
            _ => {}
        }
    }
    (text, is_plain, "")
}

/// Returns whether a word sets a variable of the command after it.
fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    let is_name = |char: char| char == '_' || char.is_ascii_alphanumeric();
    !name.is_empty() && name.chars().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(script: &str) -> Vec<String> {
        programs(script)
    }

    #[test]
    fn the_first_word_of_each_command_is_its_program() {
        for (script, found) in [
            (
                "#!/bin/sh\npyton3 x.py \"$1\" 2>&1 | grep Error\n",
                &["pyton3", "grep"][..],
            ),
            (
                "A=1 timeout -k 1 5 cc -c $1 || exit 1; ! nm a.o",
                &["cc", "nm"],
            ),
            ("x=$(prog --version) y=`other`\n", &["prog", "other"]),
            (
                "if cc x; then echo a; else gcc b; fi # and more",
                &["cc", "gcc"],
            ),
            ("f() {\n  inner x\n}\nf 1\n", &["inner"]),
            (
                "case $1 in\n a|b) first ;;\n *) second;;\nesac\nthird",
                &["first", "second", "third"],
            ),
            ("command -v cc >/dev/null && cc x", &[]),
            (
                "$CC x; ./here x; \"a b\" c; cat <<END\nno-command\nEND\n",
                &["cat"],
            ),
            ("(cd x && /opt/prog y) >out 2>err &", &["/opt/prog"]),
            ("for i in one two; do step $i; done", &["step"]),
            ("[ -e x ] && [[ a == b ]] && exec run it", &["run"]),
        ] {
            assert_eq!(of(script), found, "{script}");
        }
    }

    #[test]
    fn only_scripts_of_shells_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let missing = |words: &[&str]| {
            let words = words.iter().map(|&word| word.into()).collect();
            let command = TestCommand::new(words, folder.path()).unwrap();
            missing_programs(&command, folder.path())
        };
        std::fs::write(folder.path().join("t"), "no-such-program $1 | cat").unwrap();
        std::fs::write(folder.path().join("p"), "#!/usr/bin/python3\nimport os\n").unwrap();
        assert_eq!(missing(&["sh", "t"]), ["no-such-program"]);
        assert_eq!(missing(&["sh", "-c", "no-such x; true"]), ["no-such"]);
        assert!(missing(&["cat", "t"]).is_empty());
        // An interpreter does not follow the first line of its script.
        std::fs::write(folder.path().join("s"), "#!/bin/sh\nimport os\n").unwrap();
        assert!(missing(&["cat", "s"]).is_empty());
        assert!(missing(&["sh", "p"]).is_empty());
    }
}
