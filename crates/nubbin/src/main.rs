//! `nubbin`: finds the nub of a failing input.
//!
//! This crate turns flags into options of the libraries, and their reports into text. Each command
//! has a folder or a file of its own.

mod advice;
mod awaited;
mod catalogue;
mod choices;
mod cores;
mod documents;
mod endless;
mod events;
mod exit;
mod explain;
mod files;
mod flags;
mod folder;
mod generate;
mod grammar;
mod hex;
mod html;
mod isolate;
mod other_failures;
mod output;
mod paths;
mod print;
mod problem;
mod proposer;
mod reduce;
mod report;
mod shootout;
mod shown;
mod signals;
mod stamp;
mod state;
mod terminal;
mod test;

use clap::Parser;
use flags::{Command, CommandLine};
use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    shown::report_panics();
    let result = match command_line().command {
        Command::Reduce(options) => reduce::run(*options),
        Command::Isolate(options) => isolate::run(*options),
        Command::Explain(options) => explain::run(*options),
        Command::Algorithms(options) => catalogue::algorithms(&options),
        Command::Passes(options) => catalogue::passes(&options),
        Command::Grammar(command) => grammar::run(command),
        Command::Generate(command) => generate::run(command),
        Command::Report(options) => report::report(&options),
        Command::Compare(options) => report::compare(&options),
        Command::Shootout(options) => shootout::run(&options),
        Command::Completions { shell } => documents::completions(shell),
        Command::Man { command } => documents::man(command.as_deref()),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(problem) => {
            problem.print();
            problem.exit().into()
        }
    }
}

/// Returns the command line, or ends with the help or an error.
fn command_line() -> CommandLine {
    CommandLine::try_parse().unwrap_or_else(|error| {
        let is_harmless = |arg: OsString| {
            let arg = arg.into_string();
            arg.is_ok_and(|arg| arg.chars().all(shown::is_seen))
        };
        // The error quotes arguments, which may be names of files that a pattern of the shell
        // found.
        if error.use_stderr() && !std::env::args_os().all(is_harmless) {
            shown::say(error.render().to_string().trim_end());
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}
