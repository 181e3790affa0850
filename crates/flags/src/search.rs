//! Flags for the search of `nubbin reduce`.

use super::duration::seconds;
use super::target_size::TargetSize;
use clap::{Args, ValueEnum};
use std::time::Duration;

#[derive(Debug, Args)]
pub struct SearchFlags {
    /// Set the algorithm: `auto`, a list minimizer, or, with a syntax, a tree reducer
    ///
    /// Options follow a colon (`ddmin:backward`). `nubbin algorithms` lists all.
    #[arg(long, value_name = "ID", default_value = "auto")]
    pub algorithm: String,

    /// Set the elements of the list, one kind after the other [default with an algorithm: line]
    #[arg(long, value_name = "ATOM", value_delimiter = ',')]
    pub atom: Vec<Atom>,

    /// Run only these passes, in this order; `nubbin passes` lists them
    #[arg(
        long,
        value_name = "ID[,ID...]",
        value_delimiter = ',',
        conflicts_with = "atom"
    )]
    pub passes: Vec<String>,

    /// Do not run these passes
    #[arg(long, value_name = "ID[,ID...]", value_delimiter = ',')]
    pub without: Vec<String>,

    /// Keep the files of a folder whose path matches this pattern as they are; the test finds them
    ///
    /// A pattern without a slash is matched against names.
    #[arg(long, value_name = "GLOB")]
    pub fixed: Vec<String>,

    /// Reduce only the files of a folder whose path matches this pattern, and keep all others as
    /// they are
    ///
    /// The test runs in a copy of the whole folder, as in `nubbin reduce . --only src/main.ts --
    /// npm test`.
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,

    /// Remove the files of a folder whose path matches this pattern, for the test as well
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Keep every match of this regular expression in the original as it is
    #[arg(long, value_name = "RE")]
    pub keep: Vec<String>,

    /// Keep the names in the code: change none, and put none in the place of another
    ///
    /// Names are removed with what they are in. Strings and numbers still get smaller.
    #[arg(long)]
    pub keep_names: bool,

    /// Ignore the marks `nubbin:keep`, `nubbin:keep-begin`, and `nubbin:keep-end` in the input
    ///
    /// `nubbin:keep` protects its line, the other two protect the lines between them.
    #[arg(long)]
    pub no_keep_marks: bool,

    /// Set which of two failing inputs is better [default: bytes, or binary for what is not text]
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub order: Option<OrderBy>,

    /// Set how to treat a flaky test
    ///
    /// The result of a flaky test fails at least 0.8 times as often as the original.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = FlakyMode::Auto)]
    pub flaky: FlakyMode,

    /// Set the seed of all random decisions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Stop after this many tests, with the best so far
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,

    /// Stop after this many seconds, with the best so far
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub max_time: Option<Duration>,

    /// Stop as soon as the result has at most this size (`900`, `10K`, `5%` of the original)
    #[arg(long, value_name = "SIZE|PERCENT", value_parser = TargetSize::parse)]
    pub stop_at: Option<TargetSize>,

    /// Skip the passes that need many tests for a few bytes (`auto` only)
    #[arg(long, conflicts_with = "slow")]
    pub quick: bool,

    /// Try all known failures once more before the end
    #[arg(long)]
    pub slow: bool,

    /// Stop after this many tests in a row without a smaller input, with the best so far
    #[arg(long, value_name = "TESTS", value_parser = clap::value_parser!(u64).range(1..))]
    pub stop_when_stalled: Option<u64>,

    /// Use the verdicts of a stopped run even if the test or the input has changed since
    ///
    /// A run with the same test, input, and conditions as one that was stopped or killed resumes
    /// without this flag. If the test has changed, only the candidates that passed are not tested
    /// again, as is right if it was made stricter.
    #[arg(long)]
    pub resume: bool,

    /// Start over, without the verdicts of a stopped run
    #[arg(long, conflicts_with = "resume")]
    pub fresh: bool,
}

/// The elements of a list, for a list minimizer by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Atom {
    Byte,
    Char,
    Token,
    Line,
}

impl Atom {
    /// Returns the pass over elements of this kind.
    pub fn pass(self) -> &'static str {
        match self {
            Atom::Byte => "bytes",
            Atom::Char => "chars",
            Atom::Token => "tokens",
            Atom::Line => "lines",
        }
    }

    /// Returns the elements by which an isolation compares two inputs.
    pub fn compared(self) -> nubbin_reduce::isolate::Atom {
        use nubbin_reduce::isolate::Atom as Compared;
        match self {
            Atom::Byte => Compared::Byte,
            Atom::Char => Compared::Char,
            Atom::Token => Compared::Token,
            Atom::Line => Compared::Line,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderBy {
    /// Fewest bytes, then the most readable
    Bytes,
    /// Fewest tokens, then bytes
    Tokens,
    /// Fewest instructions of modules (LLVM IR, SPIR-V, MLIR, WebAssembly), then bytes
    Instructions,
    /// Fewest bytes, then the largest number of zeros
    Binary,
}

/// The treatment of a flaky test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FlakyMode {
    /// Repeat a few tests to find out, and run several for each candidate if the test is flaky
    Auto,
    /// Run several tests for each candidate from the beginning
    On,
    /// Repeat no test but that of the result
    Off,
}
