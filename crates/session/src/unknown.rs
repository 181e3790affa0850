//! Flags, words, and commands that nubbin does not have, answered with the ones most likely meant.

use crate::exit::Exit;
use crate::flags::{CommandLine, instead_of_flag};
use crate::problem::Problem;
use crate::typed::Typed;
use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory as _};
use nubbin_grammar::suggest::nearest;
use std::ffi::OsString;

/// The fewest letters of a flag that is completed.
const PREFIX: usize = 3;

/// The number of commands of a group up to which all of them are named.
const NAMED_COMMANDS: usize = 8;

/// The number of flags up to which those that begin like a typed one are named.
const NAMED: usize = 4;

/// Returns the problem of a flag or a word that a command does not take. `args` begins with the
/// name of the program.
pub fn argument(error: &clap::Error, args: &[OsString]) -> Option<Problem> {
    let word = text(error, ContextKind::InvalidArg)?;
    let typed = Typed::of(args)?;
    let name = typed.name();
    let has_commands = typed.command().has_subcommands();
    let usage = format!("`nubbin help {name}` lists what it takes");
    let Some(long) = word.strip_prefix('-') else {
        let what = format!("`nubbin {name}` does not take the word `{word}`");
        let problem = Problem::new(Exit::Usage, what);
        return Some(problem.hint(match typed.takes_test() {
            true => format!("the command of a test follows `--`; {usage}"),
            false => usage,
        }));
    };
    let what = format!("`nubbin {name}` has no flag `{word}`");
    let problem = Problem::new(Exit::Usage, what);
    if has_commands {
        return Some(problem.hint(within(&typed, long)));
    }
    let long = long.strip_prefix('-').unwrap_or_default();
    let long = long.split_once('=').map_or(long, |(long, _)| long);
    let own = longs(typed.command());
    if let Some(text) = instead_of_flag(name, &word) {
        return Some(problem.hint(text).hint(usage));
    }
    let like = similar(long, &own);
    if !like.is_empty() {
        return Some(problem.hint(format!("did you mean {}?", listed(&like))));
    }
    let others = with_flag(long);
    let problem = match &others[..] {
        [] => problem,
        others => problem.hint(format!("{} of {}", own_flag(&word), listed(others))),
    };
    Some(problem.hint(usage))
}

fn own_flag(word: &str) -> String {
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    format!("`{name}` is a flag")
}

/// Returns the hint for a flag in front of a command within a group of commands.
fn within(typed: &Typed, flag: &str) -> String {
    let long = flag.strip_prefix('-').unwrap_or_default();
    let commands = typed.command().get_subcommands();
    let names = commands
        .map(Command::get_name)
        .filter(|name| *name != "help");
    let names: Vec<&str> = names.collect();
    if let Some(name) = names.iter().find(|name| **name == long) {
        let words: Vec<String> = (typed.words().iter())
            .filter(|word| !word.to_string_lossy().starts_with(&format!("--{long}")))
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let rest = match (typed.name(), *name) {
            ("generate", "grammar") => format!(" -g {}", first_or(&words, "FILE")),
            _ => words.iter().map(|word| format!(" {word}")).collect(),
        };
        return format!(
            "`{name}` is a command: `nubbin {} {name}{rest}`",
            typed.name()
        );
    }
    let with: Vec<&str> = (typed.command().get_subcommands())
        .filter(|command| longs(command).iter().any(|own| own == long))
        .map(Command::get_name)
        .collect();
    let lines = |names: &[&str]| -> Vec<String> {
        let lines = names.iter();
        let lines = lines.map(|name| format!("nubbin {} {name}", typed.name()));
        lines.collect()
    };
    match (&with[..], nearest(long, names.iter().copied())) {
        ([], Some(name)) => format!("did you mean `nubbin {} {name}`?", typed.name()),
        ([], None) => of_generator(typed.name(), long).unwrap_or_else(|| match names.len() {
            ..=NAMED_COMMANDS => {
                format!(
                    "a flag follows one of these commands: {}",
                    listed(&lines(&names))
                )
            }
            _ => format!(
                "a flag follows a command; `nubbin help {}` lists them",
                typed.name()
            ),
        }),
        (with, _) => format!(
            "a flag follows one of these commands: {}",
            listed(&lines(with))
        ),
    }
}

/// Returns the hint for a campaign with the name of a generator in the place of a command.
fn of_generator(group: &str, word: &str) -> Option<String> {
    let commands = CommandLine::command();
    let generate = commands.find_subcommand("generate")?;
    let is_generator = group == "campaign" && generate.find_subcommand(word).is_some();
    let words = if word == "grammar" { " -g FILE" } else { "" };
    is_generator.then(|| {
        format!(
            "a campaign with this generator: `nubbin campaign new DIR --generate \
             '{word}{words}' -- PROGRAM {{}}`"
        )
    })
}

fn first_or<'a>(words: &'a [String], other: &'a str) -> &'a str {
    words.first().map_or(other, String::as_str)
}

/// Returns the problem of a word that is not a command.
pub fn command(error: &clap::Error, args: &[OsString]) -> Option<Problem> {
    let word = text(error, ContextKind::InvalidSubcommand)?;
    let typed = Typed::of(args)?;
    let commands = CommandLine::command();
    let (program, group) = match typed.has_name() {
        true => (format!("nubbin {}", typed.name()), typed.command()),
        false => ("nubbin".to_owned(), &commands),
    };
    let names: Vec<&str> = (group.get_subcommands())
        .map(Command::get_name)
        .filter(|name| *name != "help")
        .collect();
    let what = format!("`{program}` has no command `{word}`");
    let problem = Problem::new(Exit::Usage, what);
    Some(match nearest(&word, names.iter().copied()) {
        Some(name) => problem.hint(format!("did you mean `{program} {name}`?")),
        None => problem.hint(of_generator(typed.name(), &word).unwrap_or_else(|| {
            let group = program.strip_prefix("nubbin").unwrap_or_default();
            match names.len() {
                ..=NAMED_COMMANDS => format!("its commands are {}", listed(&names)),
                _ => format!("`nubbin help{group}` lists its commands"),
            }
        })),
    })
}

/// Removes the suggestions that are not similar to what was typed.
pub fn without_far_values(mut error: clap::Error) -> clap::Error {
    let typed = text(&error, ContextKind::InvalidValue);
    let near = text(&error, ContextKind::SuggestedValue);
    if let (Some(typed), Some(near)) = (typed, near)
        && nearest(&typed, [&*near]).is_none()
    {
        error.remove(ContextKind::SuggestedValue);
    }
    error.remove(ContextKind::Suggested);
    error
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => texts.first().cloned(),
        _ => None,
    }
}

/// Returns the names of the long flags of a command.
fn longs(command: &Command) -> Vec<String> {
    let shown = command.get_arguments().filter(|it| !it.is_hide_set());
    shown
        .flat_map(|argument| argument.get_long_and_visible_aliases().unwrap_or_default())
        .map(str::to_owned)
        .collect()
}

/// Returns the flags that begin with the typed letters, or else the one that is most similar.
fn similar(long: &str, own: &[String]) -> Vec<String> {
    let begins = own.iter().filter(|name| name.starts_with(long));
    let begins: Vec<String> = begins.map(|name| format!("--{name}")).collect();
    if long.len() >= PREFIX && (1..=NAMED).contains(&begins.len()) {
        return begins;
    }
    let names = own.iter().map(String::as_str);
    let near = nearest(long, names).filter(|_| !long.is_empty());
    near.into_iter().map(|name| format!("--{name}")).collect()
}

/// Returns the lines of the commands that reduce and have a flag.
fn with_flag(long: &str) -> Vec<String> {
    const COMMANDS: [&str; 5] = ["reduce", "isolate", "explain", "reduce-all", "cmin"];
    let commands = CommandLine::command();
    let has = |name: &str| {
        let found = commands.find_subcommand(name);
        found.is_some_and(|it| longs(it).iter().any(|own| own == long))
    };
    let found = COMMANDS.into_iter().filter(|name| has(name));
    found.map(|name| format!("nubbin {name}")).collect()
}

fn listed(words: &[impl AsRef<str>]) -> String {
    let words = words.iter().map(|word| format!("`{}`", word.as_ref()));
    let words: Vec<String> = words.collect();
    match &words[..] {
        [] => String::new(),
        [word] => word.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_flags_are_suggested() {
        let own = [
            "jobs",
            "stdin",
            "same-failure",
            "same-stack",
            "remote-input",
        ];
        let own = own.map(String::from);
        assert_eq!(similar("jbos", &own), ["--jobs"]);
        assert_eq!(similar("same", &own), ["--same-failure", "--same-stack"]);
        assert_eq!(similar("samefailure", &own), ["--same-failure"]);
        for far in ["signal", "stderr", "not-idempotent", ""] {
            assert!(similar(far, &own).is_empty(), "{far}");
        }
    }
}
