//! `nubbin`: finds the nub of a failing input.
//!
//! This crate turns flags into options of the libraries, and their reports into text. Each command
//! has its own folder or file.

#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

mod catalogue;
mod cmin;
mod completions;
mod help;
mod manual;
mod mcp;
mod shootout;

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser};
use nubbin_campaign_ui as campaign;
use nubbin_capture as capture;
use nubbin_flags::{self as flags, CampaignCommand, Command, CommandLine};
use nubbin_fuzzing::{fuzz, generate};
#[cfg(feature = "clang")]
use nubbin_outside::clang;
use nubbin_outside::{engine, graph};
use nubbin_report::{self as report, html};
use nubbin_runs::{explain, isolate, reduce};
use nubbin_session::test::Words;
use nubbin_session::{
    awaited, endless, grammar, habits, missing_argument, missing_test, others_words, output, paths,
    sandbox, settings, signals, stack, unknown,
};
use nubbin_terminal::{cores, exit, print, problem, repeat, shown};
use problem::Problem;
use settings::resolve;
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
    #[cfg(all(unix, feature = "mcp"))]
    if std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == mcp::PROCESS)
    {
        return mcp::guard(std::env::args_os().skip(2));
    }
    if let Some(topic) = help::asked(std::env::args_os()) {
        return ended(print::print_text(&help::text(topic)));
    }
    let (mut command_line, matches) = command_line();
    if command_line.command.settle() {
        problem::answer_in_json();
    }
    if let Err(problem) = refuse_words(&command_line.command) {
        return ended(Err(problem));
    }
    let result = match command_line.command {
        Command::Reduce(flags) => resolve(*flags, &matches).and_then(reduce::run),
        Command::ReduceAll(options) => campaign::reduce_all(&options),
        Command::Cmin(options) => cmin::run(&options),
        Command::Capture(options) => capture::run(&options),
        Command::Isolate(flags) => resolve(*flags, &matches).and_then(isolate::run),
        Command::Explain(flags) => resolve(*flags, &matches).and_then(explain::run),
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
        Command::Mcp(options) => mcp::run(&options),
        Command::Man(options) => manual::run(&options),
    };
    ended(result)
}

/// Refuses the command of a test that runs with each file of a folder, if it does not say where the
/// file belongs, or has a misspelled script.
fn refuse_words(command: &Command) -> Result<(), Problem> {
    let is_each = matches!(command, Command::ReduceAll(_));
    let (command, has_stdin, with) = match command {
        Command::ReduceAll(flags) => (&flags.command, flags.stdin, &flags.with[..]),
        Command::Cmin(flags) => (&flags.command, flags.stdin, &flags.with[..]),
        Command::Campaign(CampaignCommand::New(flags)) => (&flags.command, flags.stdin, &[][..]),
        _ => return Ok(()),
    };
    let words = Words {
        command,
        has_stdin,
        inputs: &[],
        with,
        start: None,
    };
    words.require()?;
    match is_each {
        true => words.require_place(),
        false => Ok(()),
    }
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

/// Returns the command line in nubbin's own form. A command line in the style of another reducer is
/// converted, and a note is printed.
fn typed() -> Vec<OsString> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let Err(error) = CommandLine::try_parse_from(&typed) else {
        return typed;
    };
    let commands = CommandLine::command();
    let is_command = |word: &OsStr| commands.find_subcommand(word).is_some() || word == "help";
    if error.use_stderr()
        && let Some(ordered) = habits::in_order(&typed, is_command)
    {
        return understood(ordered, &is_command);
    }
    understood(typed, &is_command)
}

/// Returns a command line in nubbin's own form, or the command line itself if its meaning is not
/// clear.
fn understood(typed: Vec<OsString>, is_command: &dyn Fn(&OsStr) -> bool) -> Vec<OsString> {
    let Err(error) = CommandLine::try_parse_from(&typed) else {
        return typed;
    };
    let is_replaced = error.kind() == ErrorKind::UnknownArgument;
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
            // More may be missing behind a flag that was replaced.
            Err(_) if is_replaced => self::understood(understood.args, is_command),
            Err(_) => typed,
        },
        None => typed,
    }
}

/// Returns whether a command line, valid or not, requests JSON. The flag of `shootout` names a
/// file.
fn wants_json(args: &[OsString]) -> bool {
    let own = args.iter().take_while(|arg| *arg != "--");
    let is_file = args.get(1).is_some_and(|word| word == "shootout");
    !is_file && own.into_iter().any(|arg| arg == "--json")
}

/// Returns the command line, and which flags were typed; or ends with the help or an error.
fn command_line() -> (CommandLine, ArgMatches) {
    let typed = typed();
    if wants_json(&typed) {
        problem::answer_in_json();
    }
    let matches = CommandLine::command().try_get_matches_from(&typed);
    let parsed = matches.and_then(|matches| {
        let line = CommandLine::from_arg_matches(&matches);
        let line = line.map_err(|error| error.format(&mut CommandLine::command()))?;
        Ok((line, matches))
    });
    let (line, matches) =
        parsed.unwrap_or_else(|error| refuse(&unknown::without_far_values(error), &typed));
    if !line.command.is_quiet()
        && let Some(warning) = missing_test::flag_of_test(&typed)
    {
        problem::warn(&warning);
    }
    (line, matches)
}

/// Returns a problem that says more about a rejected command line than the parser does.
fn explained(error: &clap::Error, typed: &[OsString]) -> Option<Problem> {
    match error.kind() {
        ErrorKind::UnknownArgument => (missing_test::without_dashes(typed))
            .or_else(|| others_words::others_flags(typed))
            .or_else(|| others_words::others_command(typed))
            .or_else(|| unknown::argument(error, typed)),
        ErrorKind::InvalidSubcommand => (missing_test::without_test(typed))
            .or_else(|| others_words::others_command(typed))
            .or_else(|| unknown::command(error, typed)),
        ErrorKind::MissingRequiredArgument => (missing_argument::of_campaign(typed, error))
            .or_else(|| missing_test::without_test(typed))
            .or_else(|| missing_test::without_output(typed))
            .or_else(|| others_words::others_command(typed)),
        _ => None,
    }
}

/// Ends with the help or an error.
fn refuse(error: &clap::Error, typed: &[OsString]) -> ! {
    if let Some(problem) = explained(error, typed) {
        problem.print();
        std::process::exit(error.exit_code());
    }
    if error.use_stderr() && wants_json(typed) {
        Problem::of_command_line(error).print();
        std::process::exit(error.exit_code());
    }
    let is_harmless = |arg: &OsString| {
        let arg = arg.to_str();
        arg.is_some_and(|arg| arg.chars().all(shown::is_seen))
    };
    // The error message quotes arguments, which may be file names from a shell pattern.
    if error.use_stderr() && !typed.iter().all(is_harmless) {
        shown::say(error.render().to_string().trim_end());
        std::process::exit(error.exit_code());
    }
    error.exit()
}
