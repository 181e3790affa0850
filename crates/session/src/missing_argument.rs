//! Command lines of `nubbin campaign` that lack an argument: the line to type.

use crate::exit::Exit;
use crate::flags::CommandLine;
use crate::problem::Problem;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory as _, Parser as _};
use std::ffi::OsString;
use std::path::Path;

/// Examples of what may be missing at the end of a line, the shortest first.
const ENDS: [&[&str]; 6] = [
    &[],
    &["1"],
    &["-o", "tests"],
    &["1", "2"],
    &["1", "seen before"],
    &["crashes"],
];

/// Returns a problem with the command line to type if a command of a campaign lacks an argument.
/// `args` begins with the name of the program.
pub fn of_campaign(args: &[OsString], error: &clap::Error) -> Option<Problem> {
    let [_, campaign, command, rest @ ..] = args else {
        return None;
    };
    let commands = CommandLine::command();
    let known = commands.find_subcommand("campaign")?;
    if campaign != "campaign" || known.find_subcommand(command).is_none() {
        return None;
    }
    let line = ready(command, rest)?;
    let missing = match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(names) => names.join(" and "),
        ContextValue::String(name) => name.clone(),
        _ => return None,
    };
    let name = command.to_string_lossy();
    let what = format!("`nubbin campaign {name}` lacks {missing}");
    Some(Problem::new(Exit::Usage, what).hint(format!("for example:\n    {}", joined(&line)?)))
}

/// Returns the line with examples in the place of what it lacks.
fn ready(command: &OsString, rest: &[OsString]) -> Option<Vec<OsString>> {
    let head = ["nubbin", "campaign"].map(OsString::from);
    let has_folder = rest.first().is_some_and(|word| Path::new(word).is_dir());
    let folder = (!has_folder).then(|| OsString::from(folder(command)));
    // What follows `--` is the command of the program under test.
    let own = rest
        .iter()
        .position(|word| word == "--")
        .unwrap_or(rest.len());
    let (own, command_line) = rest.split_at(own);
    ENDS.iter().find_map(|end| {
        let words = head
            .iter()
            .chain([command])
            .chain(&folder)
            .chain(own)
            .cloned();
        let end = end.iter().map(OsString::from);
        let words: Vec<OsString> = words.chain(end).chain(command_line.to_vec()).collect();
        CommandLine::try_parse_from(&words).is_ok().then_some(words)
    })
}

/// Returns the name of a folder for an example: the campaign below the current folder, if there is
/// one.
fn folder(command: &OsString) -> String {
    let found = || {
        let mut entries = std::fs::read_dir(".").ok()?.flatten();
        let found = entries.find(|entry| entry.path().join("campaign.toml").is_file())?;
        found.file_name().into_string().ok()
    };
    let found = if command == "new" { None } else { found() };
    found.unwrap_or_else(|| "campaign".to_owned())
}

/// Returns words as a line of a shell.
fn joined(words: &[OsString]) -> Option<String> {
    let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    shlex::try_join(words?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(line: &str) -> String {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let error = CommandLine::try_parse_from(&args).unwrap_err();
        assert!(of_campaign(&args, &error).is_some(), "{line}");
        joined(&ready(&args[2], &args[3..]).unwrap()).unwrap()
    }

    #[test]
    fn a_line_to_type_has_all_arguments() {
        for (line, ready) in [
            ("nubbin campaign new", "nubbin campaign new campaign"),
            (
                "nubbin campaign new --generate random -- ./p {}",
                "nubbin campaign new campaign --generate random -- ./p",
            ),
            ("nubbin campaign show 3", "nubbin campaign show campaign 3"),
            ("nubbin campaign show src", "nubbin campaign show src 1"),
            (
                "nubbin campaign export src",
                "nubbin campaign export src -o tests",
            ),
        ] {
            let typed = typed(line);
            assert!(typed.contains(ready), "{typed}");
        }
    }
}
