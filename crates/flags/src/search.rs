//! Flags for the search of `nubbin reduce`.

use super::duration::duration;
use super::target_size::TargetSize;
use clap::{Args, ValueEnum};
use std::time::Duration;

#[derive(Debug, Args)]
pub struct SearchFlags {
    /// Set the algorithm: `auto`, a list minimizer, or (with a grammar or language) a tree reducer
    ///
    /// Options follow a colon (`ddmin:backward`). `nubbin algorithms` lists all algorithms and
    /// options.
    #[arg(long, value_name = "ID", default_value = "auto")]
    pub algorithm: String,

    /// Remove units of these kinds, one kind after the other [default with an algorithm: line]
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

    /// Do not change files that match this pattern; the test still sees them
    ///
    /// The pattern is matched with the paths of files in a folder. A pattern without a slash
    /// matches file names in any subfolder.
    #[arg(long, value_name = "GLOB")]
    pub fixed: Vec<String>,

    /// Reduce only files that match this pattern; do not change the other files
    ///
    /// The test runs in a copy of the whole folder, for example with `nubbin reduce . --only
    /// src/main.ts -- npm test`.
    #[arg(long, value_name = "GLOB")]
    pub only: Vec<String>,

    /// Leave out files that match this pattern; the test does not see them either
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Do not change text of the original that matches this regular expression
    #[arg(long, value_name = "RE")]
    pub keep: Vec<String>,

    /// Do not rename identifiers, and do not replace one identifier with another
    ///
    /// Identifiers are still removed together with the code around them. Strings and numbers still
    /// get smaller.
    #[arg(long)]
    pub keep_names: bool,

    /// Ignore the marks `nubbin:keep`, `nubbin:keep-begin`, and `nubbin:keep-end` in the input
    ///
    /// `nubbin:keep` protects its own line. `nubbin:keep-begin` and `nubbin:keep-end` protect the
    /// lines between them.
    #[arg(long)]
    pub no_keep_marks: bool,

    /// Set the measure that compares failing inputs [default: bytes, or binary for input that is
    /// not text]
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

    /// Stop after this time (`15m`), with the best so far
    ///
    /// A number without a unit is in seconds. Other examples are `90s` and `1h30m`.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,

    /// Stop as soon as the result has at most this size (`900`, `10K`, `5%` of the original)
    #[arg(long, value_name = "SIZE|PERCENT", value_parser = TargetSize::parse)]
    pub stop_at: Option<TargetSize>,

    /// Skip the passes that need many tests to remove a few bytes (`auto` only)
    #[arg(long, conflicts_with = "slow")]
    pub quick: bool,

    /// Retry all edits that were rejected before, at the end
    #[arg(long)]
    pub slow: bool,

    /// Stop after this many tests in a row without a smaller input, with the best so far
    #[arg(long, value_name = "TESTS", value_parser = clap::value_parser!(u64).range(1..))]
    pub stop_when_stalled: Option<u64>,

    /// Use the verdicts of a stopped run even if the test or the input has changed
    ///
    /// Without this flag, nubbin resumes a stopped or killed run only if the test, the input, and
    /// the conditions are the same. If the test has changed, nubbin uses only the verdicts of
    /// candidates that passed. These verdicts are correct if the test became stricter.
    #[arg(long)]
    pub resume: bool,

    /// Start over, without the verdicts of a stopped run
    #[arg(long, conflicts_with = "resume")]
    pub fresh: bool,
}

/// The units that a list minimizer removes.
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
    /// Repeat a few tests to detect a flaky test, and then run several tests for each candidate
    Auto,
    /// Run several tests for each candidate from the start
    On,
    /// Repeat only the test of the result
    Off,
}
