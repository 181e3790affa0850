//! What can be typed of `nubbin explain`.

use crate::args::{ChoicesArgs, FailureArgs, LimitArgs, TestRunArgs, seconds};
use crate::grammar::GrammarOptions;
use clap::Args as ClapArgs;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Options of `nubbin explain`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ExplainArgs {
    /// The failing file, reduced as far as it goes. It is never written to
    #[arg(
        id = "inputs",
        required_unless_present = "choices",
        value_name = "INPUT"
    )]
    pub(crate) input: Option<PathBuf>,

    /// The test: a command and its arguments, `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "test")]
    pub(crate) command: Vec<OsString>,

    /// The test as one program, run without arguments beside the candidate
    #[arg(long, value_name = "PROGRAM", conflicts_with = "command")]
    pub(crate) test: Option<PathBuf>,

    /// Tests to run at the same time [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten, next_help_heading = "What counts as the failure")]
    pub(crate) failure: FailureArgs,

    #[command(flatten, next_help_heading = "How the test is run")]
    pub(crate) test_run: TestRunArgs,

    #[command(
        flatten,
        next_help_heading = "What the test may take; a run into a limit is unresolved"
    )]
    pub(crate) limits: LimitArgs,

    #[command(flatten, next_help_heading = "What is put in the place of parts")]
    pub(crate) search: ExplainSearchArgs,

    #[command(flatten, next_help_heading = "Explaining what a generator chose")]
    pub(crate) choices: ChoicesArgs,

    /// Print as JSON
    #[arg(long, help_heading = "What is shown")]
    pub(crate) json: bool,

    /// Print nothing but the pattern
    #[arg(short, long, help_heading = "What is shown")]
    pub(crate) quiet: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExplainSearchArgs {
    /// A grammar of the input (BNF, EBNF, or JSON as in the Fuzzing Book): a part becomes whatever
    /// the grammar makes of its rule
    #[arg(short, long, value_name = "GRAMMAR")]
    pub(crate) grammar: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: GrammarOptions,

    /// The language of the input, or `none` to see words, numbers and strings and no more [default: by
    /// the name and content of the file]
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "grammar")]
    pub(crate) language: Option<String>,

    /// Another text in the same language, such as the file before it was reduced: what is in it may
    /// stand in the place of something of the same kind
    #[arg(long, value_name = "FILE", conflicts_with = "grammar")]
    pub(crate) from: Vec<PathBuf>,

    /// Others that must all fail before a part is said to be anything of its kind
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) samples: u16,

    /// Seed of everything drawn at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Stop after this many tests, with what is known so far
    #[arg(long, value_name = "N")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this many seconds, with what is known so far
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,
}
