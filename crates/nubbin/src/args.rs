//! What can be typed. Nothing here has side effects.

use crate::exit;
use crate::generate::GenerateCommand;
use crate::grammar::GrammarCommand;
use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Finds the nub of a failing input: the smallest file that still fails.
#[derive(Debug, Parser)]
#[command(name = "nubbin", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a failing input as small as it can be while it still fails
    #[command(after_help = exit::TABLE, after_long_help = format!("{EXAMPLES}\n\n{}", exit::TABLE))]
    Reduce(Box<ReduceArgs>),
    /// List the list algorithms, each with its source
    Algorithms(CatalogueArgs),
    /// List the passes, each with its source
    Passes(CatalogueArgs),
    /// Show how texts derive from a grammar, check grammars, convert them
    #[command(subcommand)]
    Grammar(GrammarCommand),
    /// Make inputs
    #[command(subcommand)]
    Generate(GenerateCommand),
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, of nubbin or of one of its commands
    Man {
        /// The command
        command: Option<String>,
    },
}

const EXAMPLES: &str = "\
Examples:
  nubbin reduce bug.rs --stderr 'E0499' -- rustc --emit=metadata {}
      keep one error message; {} is the path of the candidate
  nubbin reduce crash.c --same-failure -- gcc -O2 -c crash.c
      keep whatever internal error gcc shows now, and no other
  nubbin reduce --test ./interesting.sh input.json
      a script that exits with 0 while the failure is there
  nubbin reduce query.sql --stdin --differs-from './old-db' -- ./new-db
      two programs that must agree, and do not

The test runs in a fresh folder that holds the candidate under the input's own name.
Exit code 0 means that the failure is there, 125 that the test cannot say.";

/// Options of `nubbin reduce`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ReduceArgs {
    /// The failing file; several are reduced together. They are never written to
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// The test: a command and its arguments, `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "test")]
    pub(crate) command: Vec<OsString>,

    /// The test as one program, run without arguments beside the candidate
    #[arg(long, value_name = "PROGRAM", conflicts_with = "command")]
    pub(crate) test: Option<PathBuf>,

    /// Where the result goes [default: NAME.min.EXT beside the input; a folder for several inputs]
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,

    /// Tests to run at the same time [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten, next_help_heading = "What counts as the failure")]
    pub(crate) failure: FailureArgs,

    #[command(flatten, next_help_heading = "How the test is run")]
    pub(crate) test_run: TestRunArgs,

    #[command(flatten, next_help_heading = "How to search")]
    pub(crate) search: SearchArgs,

    #[command(flatten, next_help_heading = "What is shown and written")]
    pub(crate) output_args: OutputArgs,
}

/// Predicates; all that are given must hold.
#[derive(Debug, ClapArgs)]
pub(crate) struct FailureArgs {
    /// The command exits with one of these codes [default: 0, unless another condition is given]
    #[arg(long, value_name = "N[,N...]")]
    pub(crate) exit: Vec<String>,

    /// The command is killed by this signal (SEGV, ABRT, 11, ...)
    #[arg(long, value_name = "NAME")]
    pub(crate) signal: Vec<String>,

    /// Standard output matches this regular expression
    #[arg(long, value_name = "RE")]
    pub(crate) stdout: Vec<String>,

    /// Standard error matches this regular expression
    #[arg(long, value_name = "RE")]
    pub(crate) stderr: Vec<String>,

    /// Standard output does not match this regular expression
    #[arg(long, value_name = "RE")]
    pub(crate) not_stdout: Vec<String>,

    /// Standard error does not match this regular expression
    #[arg(long, value_name = "RE")]
    pub(crate) not_stderr: Vec<String>,

    /// Running into the time limit is the failure
    #[arg(long)]
    pub(crate) timeout_fails: bool,

    /// A second command, for the shell, behaves differently (exit or standard output)
    #[arg(long, value_name = "COMMAND")]
    pub(crate) differs_from: Option<String>,

    /// The failure that the original shows, and no other: its signal, assertion, sanitizer
    /// report, internal compiler error, panic or uncaught exception
    #[arg(long)]
    pub(crate) same_failure: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TestRunArgs {
    /// End a test after this many seconds
    #[arg(long, value_name = "SECS", default_value = "300", value_parser = seconds)]
    pub(crate) timeout: Duration,

    /// Feed the candidate to the command's standard input
    #[arg(long)]
    pub(crate) stdin: bool,

    /// Put a copy of this file or folder beside the candidate
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,

    /// Go on where a run that was stopped or killed left off: what it tested is not tested again.
    /// The test may have been made stricter since
    #[arg(long)]
    pub(crate) resume: bool,

    /// Leave the folders the tests ran in
    #[arg(long)]
    pub(crate) keep_temp: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SearchArgs {
    /// `auto`, or a list algorithm by its name, with options after a colon (`ddmin:backward`);
    /// `nubbin algorithms` lists them
    #[arg(long, value_name = "ID", default_value = "auto")]
    pub(crate) algorithm: String,

    /// What the elements of the list are, one after the other [default with an algorithm: line]
    #[arg(long, value_name = "ATOM", value_delimiter = ',')]
    pub(crate) atom: Vec<Atom>,

    /// Only these passes, in this order; `nubbin passes` lists them
    #[arg(
        long,
        value_name = "ID[,ID...]",
        value_delimiter = ',',
        conflicts_with = "atom"
    )]
    pub(crate) passes: Vec<String>,

    /// Leave these passes out
    #[arg(long, value_name = "ID[,ID...]", value_delimiter = ',')]
    pub(crate) without: Vec<String>,

    /// Which of two failing inputs is better [default: bytes, or binary for what is not text]
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub(crate) order: Option<OrderBy>,

    /// Seed of everything drawn at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Stop after this many tests, with the best so far
    #[arg(long, value_name = "N")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this many seconds, with the best so far
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OutputArgs {
    /// Write what happens as lines of JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) json_events: Option<PathBuf>,

    /// Write the final counts as JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) stats: Option<PathBuf>,

    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print every test
    #[arg(short, long, action = ArgAction::SetTrue)]
    pub(crate) verbose: bool,

    /// Print plain lines, even to a terminal
    #[arg(long)]
    pub(crate) plain: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogueArgs {
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The elements of a list, for the list algorithms by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Atom {
    Byte,
    Char,
    Token,
    Line,
}

impl Atom {
    /// The pass that has the elements of this kind.
    pub(crate) fn pass(self) -> &'static str {
        match self {
            Atom::Byte => "bytes",
            Atom::Char => "chars",
            Atom::Token => "tokens",
            Atom::Line => "lines",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OrderBy {
    /// Fewest bytes, then the most readable
    Bytes,
    /// Fewest tokens, then bytes
    Tokens,
    /// Fewest bytes, then the most zeros
    Binary,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a number of seconds");
    let seconds: f64 = text
        .strip_suffix('s')
        .unwrap_or(text)
        .parse()
        .map_err(|_| wrong())?;
    if seconds <= 0.0 {
        return Err("must be more than 0".into());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn seconds_may_have_a_fraction_and_a_unit() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("2s"), Ok(Duration::from_secs(2)));
        assert!(seconds("0").is_err());
        assert!(seconds("soon").is_err());
        assert!(seconds("1e300").is_err());
    }
}
