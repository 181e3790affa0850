//! Command lines of `nubbin campaign` that lack an argument: the line to type.

use crate::exit::Exit;
use crate::problem::Problem;
use crate::typed::Typed;
use clap::error::{ContextKind, ContextValue};
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
    let typed = Typed::of(args)?;
    let command = typed.name().strip_prefix("campaign ")?;
    let line = typed.line(&ready(&typed, command)?)?;
    let missing = match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(names) => names.join(" and "),
        ContextValue::String(name) => name.clone(),
        _ => return None,
    };
    let what = format!("`nubbin campaign {command}` lacks {missing}");
    Some(Problem::new(Exit::Usage, what).hint(format!("for example:\n    {line}")))
}

/// Returns the words of a command with examples in the place of what it lacks.
fn ready(typed: &Typed, command: &str) -> Option<Vec<OsString>> {
    let words = typed.words();
    let has_folder = words.first().is_some_and(|word| Path::new(word).is_dir());
    let folder = (!has_folder).then(|| OsString::from(folder(command)));
    // The words behind `--` are the command of the program under test.
    let own = words.iter().position(|word| word == "--");
    let (own, test) = words.split_at(own.unwrap_or(words.len()));
    ENDS.iter().find_map(|end| {
        let end = end.iter().map(OsString::from);
        let own = folder.iter().chain(own).cloned();
        let words: Vec<OsString> = own.chain(end).chain(test.iter().cloned()).collect();
        typed.accepts(&words).then_some(words)
    })
}

/// Returns the name of a folder for an example: the campaign below the current folder, if there is
/// one.
fn folder(command: &str) -> String {
    let found = || {
        let mut entries = std::fs::read_dir(".").ok()?.flatten();
        let found = entries.find(|entry| entry.path().join("campaign.toml").is_file())?;
        found.file_name().into_string().ok()
    };
    let found = if command == "new" { None } else { found() };
    found.unwrap_or_else(|| "campaign".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::CommandLine;
    use clap::Parser as _;

    fn typed(line: &str) -> String {
        let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let error = CommandLine::try_parse_from(&args).unwrap_err();
        assert!(of_campaign(&args, &error).is_some(), "{line}");
        let typed = Typed::of(&args).unwrap();
        let command = typed.name().strip_prefix("campaign ").unwrap();
        typed.line(&ready(&typed, command).unwrap()).unwrap()
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
