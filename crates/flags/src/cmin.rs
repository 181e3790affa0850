//! Flags of `nubbin cmin`.

use super::SandboxFlags;
use super::duration::duration;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Examples in the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  nubbin cmin queue/ -o small/ -- ./target-afl @@
  nubbin cmin corpus/ -o small/ -- ./target-libfuzzer
  nubbin cmin corpus/ -o small/ --coverage sancov -- ./target-asan {}
  nubbin cmin tests/ -o small/ --coverage command -- ./covered.sh {}";

/// Options of `nubbin cmin`.
#[derive(Debug, Args)]
pub struct CminFlags {
    /// The folder of inputs; nubbin searches its subfolders too
    ///
    /// nubbin never writes to this folder.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// The program and its arguments; `{}` or `@@` stands for the path of an input
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// Write copies of the inputs that are kept to this folder, which must be new or empty
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Set the source of coverage [default: `afl` for a program built with AFL++, `libfuzzer` for
    /// one with libFuzzer, `sancov` for one with SanitizerCoverage]
    #[arg(long, value_enum, value_name = "HOW")]
    pub coverage: Option<CoverageSource>,

    /// Ignore the hit counts of edges (`afl`, `libfuzzer`)
    #[arg(long)]
    pub edges: bool,

    /// Feed inputs to the program's standard input (the default for `afl` without `{}` and `@@`)
    #[arg(long)]
    pub stdin: bool,

    /// Put a copy of this file or folder next to each input
    ///
    /// A relative path is the same for the program.
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,

    /// Keep inputs that crash the program, if no other input has their coverage
    ///
    /// Without this flag, inputs that crash the program are left out. libFuzzer notes no coverage
    /// of them, so with `libfuzzer` all are kept.
    #[arg(long)]
    pub with_crashes: bool,

    /// Leave out inputs for which the program runs for longer than this time
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    pub timeout: Duration,

    /// Run this many programs at the same time [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Print the inputs that are kept, and counts, as JSON
    #[arg(long)]
    pub json: bool,

    /// Print nothing but errors
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten, next_help_heading = "Sandbox")]
    pub sandbox: SandboxFlags,
}

/// The source of coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoverageSource {
    /// The fork server of a program built with AFL++ (`afl-cc`)
    Afl,
    /// The merge of a program with libFuzzer: many inputs in one process; `{}` is not needed
    Libfuzzer,
    /// The files that a program built with `-fsanitize-coverage=trace-pc-guard` and a sanitizer
    /// writes
    Sancov,
    /// The output of the command: one line per covered location, or an lcov tracefile
    Command,
}
