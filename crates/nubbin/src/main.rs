//! `nubbin`: finds the nub of a failing input.
//!
//! Only words pass through here: what the user typed becomes options of the libraries, what the
//! libraries report becomes text. One file per subcommand; how anything is done is not known.

mod args;
mod catalogue;
mod documents;
mod exit;
mod explain;
mod files;
mod generate;
mod generator;
mod grammar;
mod html;
mod isolate;
mod json;
mod others;
mod paths;
mod place;
mod problem;
mod proposer;
mod reduce;
mod report;
mod shootout;
mod signals;
mod size;
mod test;
mod tree;

use args::{Args, Command};
use clap::Parser;
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = Args::parse();
    let result = match args.command {
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

/// Where the answer of a command that only lists things goes.
fn print(text: &str) -> Result<Exit, problem::Problem> {
    print_bytes(text.as_bytes())
}

/// As [`print()`], for what need not be UTF-8.
fn print_bytes(bytes: &[u8]) -> Result<Exit, problem::Problem> {
    use std::io::Write;
    match std::io::stdout().lock().write_all(bytes) {
        Ok(()) => Ok(Exit::Done),
        // The reader has seen enough (`nubbin passes | head`).
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(Exit::Done),
        Err(error) => Err(problem::Problem::new(
            Exit::Output,
            format!("cannot print: {error}"),
        )),
    }
}

/// Tests to run at the same time, where nothing else is said.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
