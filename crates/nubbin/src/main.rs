//! `nubbin`: finds the nub of a failing input.
//!
//! This crate turns flags into options of the libraries, and their reports into text. Each command
//! has a folder or a file of its own.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

mod advice;
mod anchor;
mod awaited;
mod campaign;
mod capture;
mod catalogue;
mod choices;
#[cfg(feature = "clang")]
mod clang;
mod completions;
mod confined;
mod cores;
mod defaults;
mod endless;
mod engine;
mod events;
mod exit;
mod explain;
mod files;
mod flags;
mod folder;
mod fuzz;
mod generate;
mod grammar;
mod graph;
mod habits;
mod help;
mod hex;
mod html;
mod isolate;
mod manual;
mod named_folder;
mod other_failures;
mod output;
mod own_folder;
mod parameters;
mod paths;
mod persistent;
mod print;
mod problem;
mod programs;
mod proposer;
mod reduce;
mod remote;
mod report;
mod sandbox;
mod secret_file;
mod shim;
mod shootout;
mod shown;
mod siblings;
mod signals;
#[cfg(test)]
#[path = "../../oracle/tests/skip/mod.rs"]
mod skip;
mod stack;
mod stamp;
mod state;
mod terminal;
mod test;
mod undefined;
mod valid;
mod view;
mod with_flags;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser};
use defaults::WithDefaults;
use flags::{Command, CommandLine};
use problem::Problem;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

fn main() -> ExitCode {
    shown::report_panics();
    #[cfg(feature = "clang")]
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == clang::PROCESS)
    {
        return clang::run().into();
    }
    #[cfg(unix)]
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == stack::PROCESS)
    {
        return stack::run(std::env::args_os().skip(2));
    }
    if let Some(topic) = help::asked(std::env::args_os()) {
        return ended(print::print_text(&help::text(topic)));
    }
    let (mut command_line, note) = match command_line() {
        Ok(found) => found,
        Err(problem) => {
            problem.print();
            return problem.exit().into();
        }
    };
    if command_line.command.settle() {
        problem::answer_in_json();
    }
    if let Some(note) = note.filter(|_| !command_line.command.is_quiet()) {
        shown::say(&note);
    }
    let result = match command_line.command {
        Command::Reduce(options) => reduce::run(*options),
        Command::ReduceAll(options) => campaign::reduce_all(&options),
        Command::Capture(options) => capture::run(&options),
        Command::Isolate(options) => isolate::run(*options),
        Command::Explain(options) => explain::run(*options),
        Command::Algorithms(options) => catalogue::algorithms(&options),
        Command::Passes(options) => catalogue::passes(&options),
        Command::Grammar(command) => grammar::run(command),
        Command::Generate(command) => generate::run(command),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Campaign(command) => campaign::run(command),
        Command::Graph(command) => graph::run(command),
        Command::Engine(command) => engine::run(command),
        Command::Report(options) => report::report(&options),
        Command::Compare(options) => report::compare(&options),
        Command::Shootout(options) => shootout::run(&options),
        Command::Completions { shell } => completions::run(shell),
        Command::Man(options) => manual::run(&options),
    };
    ended(result)
}

/// Returns the exit code of a command, and prints its error.
fn ended(result: Result<exit::Exit, Problem>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(problem) => {
            problem.print();
            problem.exit().into()
        }
    }
}

/// The errors of a command line that another reducer may understand.
const HABITS: [ErrorKind; 2] = [
    ErrorKind::InvalidSubcommand,
    ErrorKind::MissingRequiredArgument,
];

/// Returns the command line in nubbin's own form: as it was typed, or as the habits of other
/// reducers have it, which is then told.
fn typed() -> Vec<OsString> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let Err(error) = CommandLine::try_parse_from(&typed) else {
        return typed;
    };
    let commands = CommandLine::command();
    let is_command = |word: &OsStr| commands.find_subcommand(word).is_some() || word == "help";
    let understood = match error.kind() {
        ErrorKind::UnknownArgument => habits::with_jobs(&typed),
        kind if HABITS.contains(&kind) => habits::understood(&typed, is_command),
        _ => None,
    };
    match understood {
        Some(understood) => match CommandLine::try_parse_from(&understood.args) {
            Ok(line) => {
                if !line.command.is_quiet() {
                    shown::say(&understood.note);
                }
                understood.args
            }
            Err(_) => typed,
        },
        None => typed,
    }
}

/// Returns whether a command line, right or wrong, asks for JSON. The flag of `shootout` names a
/// file.
fn wants_json(args: &[OsString]) -> bool {
    let own = args.iter().take_while(|arg| *arg != "--");
    let is_file = args.get(1).is_some_and(|word| word == "shootout");
    !is_file && own.into_iter().any(|arg| arg == "--json")
}

/// Returns the command line with the defaults of files, and a line about them; or ends with the
/// help or an error.
fn command_line() -> Result<(CommandLine, Option<String>), Problem> {
    let typed = typed();
    if wants_json(&typed) {
        problem::answer_in_json();
    }
    // The help of a wrong command line is about what was typed.
    let WithDefaults { args, note } = match CommandLine::try_parse_from(&typed) {
        Ok(_) => defaults::add(typed)?,
        Err(_) => WithDefaults {
            args: typed,
            note: None,
        },
    };
    let line = CommandLine::try_parse_from(&args).unwrap_or_else(|error| {
        if HABITS.contains(&error.kind())
            && let Some(problem) = habits::without_test(&args)
        {
            problem.print();
            std::process::exit(error.exit_code());
        }
        if error.use_stderr() && wants_json(&args) {
            Problem::of_command_line(&error).print();
            std::process::exit(error.exit_code());
        }
        let is_harmless = |arg: OsString| {
            let arg = arg.into_string();
            arg.is_ok_and(|arg| arg.chars().all(shown::is_seen))
        };
        // The error quotes arguments, which may be names of files that a pattern of the shell
        // found.
        if error.use_stderr() && !args.iter().cloned().all(is_harmless) {
            shown::say(error.render().to_string().trim_end());
            std::process::exit(error.exit_code());
        }
        error.exit()
    });
    Ok((line, note))
}
