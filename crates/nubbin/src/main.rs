//! `nubbin`: finds the nub of a failing input.
//!
//! This crate turns flags into options of the libraries, and their reports into text. Each command
//! has a folder or a file of its own.

mod advice;
mod catalogue;
mod choices;
mod cores;
mod documents;
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
mod signals;
mod stamp;
mod state;
mod terminal;
mod test;

use clap::Parser;
use flags::{Command, CommandLine};
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match CommandLine::parse().command {
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
