//! Flags and commands of other tools, answered with what nubbin has in their place.

use crate::exit::Exit;
use crate::flags::{CommandLine, OTHER_TOOLS, instead_of};
use crate::problem::Problem;
use crate::programs;
use clap::CommandFactory as _;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The page of the guide with all flags of other tools.
const PAGE: &str = "https://github.com/nubbin/nubbin/blob/main/docs/src/migrating.md";

/// Returns the problem of a command line that nubbin rejects, if it has flags of other tools that
/// the command does not have. `args` begins with the name of the program.
pub fn others_flags(args: &[OsString]) -> Option<Problem> {
    let words = args.get(1..)?;
    let commands = CommandLine::command();
    let command = words
        .first()
        .and_then(|word| commands.find_subcommand(word));
    let (name, own) = match command {
        Some(command) => (command.get_name(), command),
        None => ("reduce", commands.find_subcommand("reduce")?),
    };
    if own.has_subcommands() {
        return None;
    }
    // Flags behind a program are its own.
    let is_program = |word: &str| !Path::new(word).exists() && programs::exists(word);
    let is_end = |word: &OsString| word == "--" || word.to_str().is_some_and(is_program);
    let behind = words.iter().skip(usize::from(command.is_some()));
    let flags = behind.take_while(|word| !is_end(word));
    let flags = flags
        .filter_map(|word| word.to_str())
        .filter(|word| word.starts_with('-'));
    let flags = flags.map(|word| word.split_once('=').map_or(word, |(name, _)| name));
    let (mut unknown, mut hints): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    for flag in flags.filter(|flag| !has_flag(own, flag)) {
        let found = replacements(flag);
        if !found.is_empty() && !unknown.contains(&flag) {
            unknown.push(flag);
            hints.extend(found);
        }
    }
    let names: Vec<String> = unknown.iter().map(|flag| format!("`{flag}`")).collect();
    let (last, before) = names.split_last()?;
    let listed = match before {
        [] => last.clone(),
        _ => format!("{} or {last}", before.join(", ")),
    };
    let problem = Problem::new(Exit::Usage, format!("`nubbin {name}` has no flag {listed}"));
    let problem = hints.into_iter().fold(problem, Problem::hint);
    Some(problem.hint(format!("all flags of other tools: {PAGE}")))
}

/// Returns whether another tool has a flag.
pub(super) fn is_of_others(flag: &str) -> bool {
    !replacements(flag).is_empty()
}

/// Returns the replacements of a flag, with the tools that have it. Tools with the same replacement
/// are named together.
fn replacements(flag: &str) -> Vec<String> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for tool in OTHER_TOOLS {
        let Some(ours) = tool.replacement(flag) else {
            continue;
        };
        match found.iter_mut().find(|(known, _)| *known == ours) {
            Some((_, tools)) => tools.push(tool.name),
            None => found.push((ours, vec![tool.name])),
        }
    }
    let shown = found.into_iter();
    shown
        .map(|(ours, tools)| format!("`{flag}` of {}: {ours}", tools.join(", ")))
        .collect()
}

fn has_flag(command: &clap::Command, flag: &str) -> bool {
    let long = flag.strip_prefix("--");
    let short = flag.strip_prefix('-').and_then(|flag| flag.chars().next());
    command.get_arguments().any(|argument| match long {
        Some(long) => {
            let names = argument.get_long_and_visible_aliases().unwrap_or_default();
            let hidden = argument.get_all_aliases().unwrap_or_default();
            names.contains(&long) || hidden.contains(&long)
        }
        None => {
            let names = argument.get_short_and_visible_aliases().unwrap_or_default();
            short.is_some_and(|short| names.contains(&short))
        }
    })
}

/// Returns the problem of a word that other tools have as a command. `args` begins with the name of
/// the program.
pub fn others_command(args: &[OsString]) -> Option<Problem> {
    let word = |at: usize| args.get(at).and_then(|word| word.to_str());
    let first = word(1)?;
    let commands = CommandLine::command();
    let (program, command, word) = match commands.find_subcommand(OsStr::new(first)) {
        Some(_) => (format!("nubbin {first}"), first, word(2)?),
        None => ("nubbin".to_owned(), "", first),
    };
    let text = instead_of(command, word)?;
    let problem = Problem::new(Exit::Usage, format!("`{program}` has no command `{word}`"));
    Some(problem.hint(text))
}
