//! A command line that the parser rejects, divided into flags, their values, and other words.

use crate::flags::CommandLine;
use clap::{Arg, ArgAction, Command, CommandFactory as _, Parser as _};
use nubbin_terminal::command_line::command_line;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A word of a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A flag of the command, or one with its value.
    Flag,
    /// The value of the flag before it.
    Value,
    /// A flag that the command does not have.
    Unknown,
    /// Any other word.
    Plain,
}

/// A command line as it was typed.
pub struct Typed {
    /// The command; `reduce` if none was typed.
    command: Command,
    /// The names of the command, such as `campaign new`.
    name: String,
    /// Whether a command was typed.
    has_name: bool,
    /// The words after the command.
    words: Vec<OsString>,
    kinds: Vec<Kind>,
}

impl Typed {
    /// Divides a command line. `args` begins with the name of the program.
    pub fn of(args: &[OsString]) -> Option<Self> {
        let mut words = args.get(1..)?;
        let mut command = CommandLine::command();
        let mut names: Vec<String> = vec![];
        while let Some(found) = words.first().and_then(|word| command.find_subcommand(word)) {
            names.push(found.get_name().to_owned());
            command = found.clone();
            words = &words[1..];
        }
        let has_name = !names.is_empty();
        if !has_name {
            command = command.find_subcommand("reduce")?.clone();
            names.push("reduce".into());
        }
        let words = words.to_vec();
        let kinds = kinds(&command, &words);
        let name = names.join(" ");
        Some(Typed {
            command,
            name,
            has_name,
            words,
            kinds,
        })
    }

    /// The names of the command.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the name of a command was typed.
    pub fn has_name(&self) -> bool {
        self.has_name
    }

    /// The definition of the command.
    pub fn command(&self) -> &Command {
        &self.command
    }

    /// The words after the command.
    pub fn words(&self) -> &[OsString] {
        &self.words
    }

    /// Returns whether the command runs a test, which follows `--`.
    pub fn takes_test(&self) -> bool {
        self.command.get_arguments().any(Arg::is_last_set)
    }

    /// Returns whether the command has a flag, such as `test`.
    pub fn has_flag(&self, long: &str) -> bool {
        self.command
            .get_arguments()
            .any(|argument| has_long(argument, long))
    }

    /// Returns whether a flag was typed, such as `--test` or `--test=x`.
    pub fn is_typed(&self, long: &str) -> bool {
        self.words.iter().any(|word| long_of(word) == Some(long))
    }

    /// Returns whether the line has a test.
    pub fn has_test(&self) -> bool {
        self.words.iter().any(|word| word == "--") || self.has_flag("test") && self.is_typed("test")
    }

    /// Returns the number of words that are neither flags nor the test, and whether it is the
    /// fewest.
    pub fn inputs(&self) -> (usize, bool) {
        let own = self.command.get_positionals();
        let own: Vec<&Arg> = own.filter(|argument| !argument.is_last_set()).collect();
        let is_many = |argument: &&Arg| matches!(argument.get_action(), ArgAction::Append);
        (own.len(), own.iter().any(is_many))
    }

    /// Returns the positions of the words in front of `--` that are neither flags nor values.
    pub fn plain(&self) -> Vec<usize> {
        let all = 0..self.words.len();
        all.filter(|&at| self.kinds[at] == Kind::Plain).collect()
    }

    /// Returns the positions of the flags in front of `--` that the command does not have.
    pub fn unknown(&self) -> Vec<usize> {
        let all = 0..self.words.len();
        all.filter(|&at| self.kinds[at] == Kind::Unknown).collect()
    }

    /// Returns where the flags of this command begin that end the words up to a position.
    pub fn trailing_flags(&self, is_own: impl Fn(&str) -> bool) -> usize {
        let mut begin = self.words.len();
        for at in (0..self.words.len()).rev() {
            match self.kinds[at] {
                Kind::Value => {}
                Kind::Flag if long_of(&self.words[at]).is_some_and(&is_own) => begin = at,
                _ => break,
            }
        }
        begin
    }

    /// Returns a line of a shell with this command and other words, without the values of
    /// variables, which may be secret.
    pub fn line(&self, words: &[OsString]) -> Option<String> {
        let words = command_line(words.iter().cloned());
        let words = shlex::try_join(words.iter().map(String::as_str)).ok()?;
        Some(format!("nubbin {} {words}", self.name))
    }

    /// Returns whether this command accepts other words.
    pub fn accepts(&self, words: &[OsString]) -> bool {
        let names = self.name.split(' ').map(OsString::from);
        let head = std::iter::once(OsString::from("nubbin")).chain(names);
        CommandLine::try_parse_from(head.chain(words.iter().cloned())).is_ok()
    }
}

/// Returns the name of a long flag, without its value.
pub(crate) fn long_of(word: &OsStr) -> Option<&str> {
    let long = word.to_str()?.strip_prefix("--")?;
    Some(long.split_once('=').map_or(long, |(name, _)| name))
}

fn has_long(argument: &Arg, long: &str) -> bool {
    let visible = argument.get_long_and_visible_aliases().unwrap_or_default();
    let all = argument.get_all_aliases().unwrap_or_default();
    visible.contains(&long) || all.contains(&long)
}

/// Returns the kinds of the words up to the first `--`. The words behind it belong to the test.
fn kinds(command: &Command, words: &[OsString]) -> Vec<Kind> {
    let mut kinds = Vec::with_capacity(words.len());
    let mut is_value = false;
    for word in words {
        if word == "--" && !is_value {
            break;
        }
        let kind = match is_value {
            true => Kind::Value,
            false => kind(command, word),
        };
        is_value = kind == Kind::Flag && needs_value(command, word);
        kinds.push(kind);
    }
    // None of these words is one of nubbin.
    kinds.resize(words.len(), Kind::Value);
    kinds
}

fn kind(command: &Command, word: &OsStr) -> Kind {
    let text = word.to_string_lossy();
    match text.strip_prefix('-') {
        None | Some("") => Kind::Plain,
        Some(_) if argument_of(command, word).is_some() => Kind::Flag,
        Some(_) => Kind::Unknown,
    }
}

/// Returns the flag of a command that a word names: a long one, or the first of several short ones.
fn argument_of<'a>(command: &'a Command, word: &OsStr) -> Option<&'a Arg> {
    let mut arguments = command.get_arguments();
    if let Some(long) = long_of(word) {
        return arguments.find(|argument| has_long(argument, long));
    }
    let short = word.to_str()?.strip_prefix('-')?.chars().next()?;
    arguments.find(|argument| {
        let names = argument.get_short_and_visible_aliases().unwrap_or_default();
        names.contains(&short)
    })
}

/// Returns whether the next word is the value of a flag.
fn needs_value(command: &Command, word: &OsStr) -> bool {
    let text = word.to_string_lossy();
    let is_attached = match text.starts_with("--") {
        true => text.contains('='),
        false => text.chars().count() > 2,
    };
    let takes =
        |argument: &Arg| argument.get_action().takes_values() && !argument.is_require_equals_set();
    !is_attached && argument_of(command, word).is_some_and(takes)
}

/// Returns whether two words name the same file.
pub fn is_same(word: &OsStr, path: &Path) -> bool {
    let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
    plain(Path::new(word)) == plain(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> Typed {
        let words = format!("nubbin {line}");
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        Typed::of(&words).unwrap()
    }

    #[test]
    fn words_are_flags_their_values_or_others() {
        for (line, plain, unknown) in [
            ("reduce a -j 4 b --seed=3 c", &["a", "b", "c"][..], &[][..]),
            ("a --stderr x -- b", &["a"], &[]),
            ("isolate a b --xx c", &["a", "b", "c"], &["--xx"]),
            ("campaign new d", &["d"], &[]),
            ("reduce -j4 --ci a", &["a"], &[]),
            ("cmin d --stderr e -x", &["d", "e"], &["--stderr", "-x"]),
        ] {
            let typed = typed(line);
            let words = |at: Vec<usize>| -> Vec<String> {
                let words = at.into_iter().map(|at| typed.words()[at].to_string_lossy());
                words.map(String::from).collect()
            };
            assert_eq!(words(typed.plain()), plain, "{line}");
            assert_eq!(words(typed.unknown()), unknown, "{line}");
        }
    }

    #[test]
    fn a_line_is_shown_without_the_values_of_variables() {
        let typed = typed("reduce a --env T=secret");
        let line = typed.line(typed.words()).unwrap();
        assert_eq!(line, "nubbin reduce a --env 'T=…'");
    }

    #[test]
    fn a_command_knows_how_many_inputs_it_takes() {
        for (line, inputs) in [
            ("reduce", (1, true)),
            ("isolate", (2, false)),
            ("explain", (1, false)),
            ("cmin", (1, false)),
            ("reduce-all", (1, false)),
        ] {
            assert_eq!(typed(line).inputs(), inputs, "{line}");
            assert!(typed(line).takes_test(), "{line}");
        }
    }
}
