//! `nubbin engine list`: lists the engines with a built-in profile.

use super::Profile;
use crate::exit::Exit;
use crate::flags::EngineCommand;
use crate::print::{print_json, print_text};
use crate::problem::Problem;
use nubbin_oracle::TestCommand;
use serde::Serialize;
use std::ffi::OsString;
use std::fmt::Write;

/// An engine as `--json` prints it.
#[derive(Debug, Serialize)]
struct Engine {
    engine: String,
    about: String,
    /// The path of the program. Absent if it is not on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<String>,
}

pub fn run(command: EngineCommand) -> Result<Exit, Problem> {
    match command {
        EngineCommand::List(flags) => list(flags.json),
    }
}

fn list(json: bool) -> Result<Exit, Problem> {
    let here = std::env::current_dir().map_err(|error| {
        Problem::new(Exit::Test, "the current folder cannot be read").because(&error)
    })?;
    let (mut rows, mut engines) = (vec![], vec![]);
    for profile in Profile::all()? {
        let program =
            |name: &String| TestCommand::new(vec![OsString::from(name), "x".into()], &here);
        let mut programs = profile.command.iter().take(1).chain(&profile.others);
        let found = programs.find_map(|name| program(name).ok());
        let found = found.map(|command| command.program().display().to_string());
        engines.push(Engine {
            engine: profile.name.clone(),
            about: profile.description.clone(),
            program: found.clone(),
        });
        let found = found.unwrap_or_else(|| format!("not found (`{}`)", profile.command[0]));
        rows.push((profile.name, profile.description, found));
    }
    if json {
        return print_json(&engines);
    }
    let width = |of: fn(&(String, String, String)) -> &str| {
        rows.iter().map(|row| of(row).len()).max().unwrap_or(0)
    };
    let (names, descriptions) = (width(|row| &row.0), width(|row| &row.1));
    let mut text = String::new();
    for (name, description, found) in &rows {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:names$}  {description:descriptions$}  {found}");
    }
    print_text(&text)
}
