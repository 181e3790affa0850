//! Flags of `nubbin explain`.

use super::duration::duration;
use super::{ChoicesFlags, NotationFlags, TestFlags};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const EXAMPLES: &str = "\
Examples:
  nubbin explain crash.min.c --same-failure -- gcc -O2 -c crash.min.c
      which names, numbers and expressions of the reduced file matter
  nubbin explain sum.min.txt --grammar sums.bnf --test ./fails.sh
      replace each part with random text that the grammar allows
  nubbin explain bug.min.sql --from bug.sql --test ./fails.sh
      also replace parts with others from the file that was reduced
  nubbin explain crash.min.c --report parts.html --same-failure -- gcc -c crash.min.c
      write a page that marks these parts
  nubbin explain --choices run.min.choices --generator ./gen -- ./test {}
      which choices of a generator may take any value

If the test exits with 125 (cannot decide) for some replacements of a part, the other replacements
decide. The test should exit with 125 for input that does not compile.";

#[derive(Debug, Args)]
pub struct ExplainFlags {
    /// The failing file, reduced as far as possible. nubbin never writes to it
    #[arg(
        id = "inputs",
        required_unless_present = "choices",
        value_name = "INPUT"
    )]
    pub input: Option<PathBuf>,

    #[command(flatten)]
    pub test: TestFlags,

    #[command(flatten, next_help_heading = "Replacements")]
    pub search: ReplacementFlags,

    #[command(flatten, next_help_heading = "Choices of a generator")]
    pub choices: ChoicesFlags,

    /// Write a page of the explanation to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Replace a page that nubbin did not write, or that was changed since
    #[arg(short, long, help_heading = "Output")]
    pub force: bool,

    /// Print as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// Print only the pattern
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// Flags for the replacement of the parts of the input.
#[derive(Debug, Args)]
pub struct ReplacementFlags {
    /// Replace parts with other texts of their rule in this grammar (BNF, EBNF, JSON as in the
    /// Fuzzing Book, or ANTLR 4; give the flag once for each file)
    #[arg(short, long, value_name = "GRAMMAR")]
    pub grammar: Vec<PathBuf>,

    #[command(flatten)]
    pub options: NotationFlags,

    /// Parse the input as this language; `none` recognizes only words, numbers, and strings
    /// [default: by the name and content of the file]
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "grammar")]
    pub language: Option<String>,

    /// Also replace parts with parts of the same kind from this file, such as the input before its
    /// reduction
    #[arg(long, value_name = "FILE", conflicts_with = "grammar")]
    pub from: Vec<PathBuf>,

    /// Require this many failing replacements to conclude that the failure does not need a part
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub samples: u16,

    /// Set the seed of all random decisions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Stop after this many tests, with the findings so far
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,

    /// Stop after this time (`90` seconds, or `15m`), with the findings so far
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,
}
