//! Flags of `nubbin isolate`.

use super::duration::duration;
use super::{Atom, OutputFlags, TestFlags};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

pub(super) const EXAMPLES: &str = "\
Examples:
  nubbin isolate old.json new.json --stderr 'Expecting' -- python3 -m json.tool {}
      which part of the new file the parser rejects
  nubbin isolate yesterday.c today.c --atom line --same-failure -- gcc -O2 -c today.c
      which of the lines changed since yesterday crash the compiler
  nubbin isolate good.txt bad.txt --test ./test.sh >minimal.diff
      a script that exits with 0 for a failure, and with 125 if it cannot decide

The test sees every candidate under the name of the failing file. Exit code 0 means that the
failure is present, and 125 means that the test cannot decide, for example for a candidate with only
one of two dependent changes. Every other exit code means that the candidate passes.";

#[derive(Debug, Args)]
pub struct IsolateFlags {
    /// The file that passes. nubbin never writes to it
    pub passing: PathBuf,

    /// The file that fails. nubbin never writes to it
    pub failing: PathBuf,

    /// Write the results, NAME.pass.EXT and NAME.fail.EXT after the failing file, to this folder
    /// [default: next to the failing file]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Replace files that nubbin did not write, or that were changed since
    ///
    /// The flag applies to the results and to the files given by `--stats` and `--json-events`.
    #[arg(short, long)]
    pub force: bool,

    #[command(flatten)]
    pub test: TestFlags,

    #[command(flatten, next_help_heading = "Search")]
    pub search: IsolateSearchFlags,

    #[command(flatten, next_help_heading = "Output")]
    pub output_flags: OutputFlags,

    /// Show this many lines around each difference
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Output")]
    pub context: usize,
}

#[derive(Debug, Args)]
pub struct IsolateSearchFlags {
    /// Compare the files by units of these kinds, one kind after the other [default:
    /// line,token,char, or line,byte for input that is not text]
    #[arg(long, value_name = "ATOM", value_delimiter = ',')]
    pub atom: Vec<Atom>,

    /// Set the algorithm: `dd`, `dd:book`, or `dd:eager`
    ///
    /// `dd` is the algorithm of the paper, `dd:book` is the version of the Debugging Book, and
    /// `dd:eager` acts on the first verdict.
    #[arg(long, value_name = "ID", default_value = "dd:eager")]
    pub algorithm: String,

    /// Stop after this many tests, with the closest pair so far
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,

    /// Stop after this time (`90` seconds, or `15m`), with the closest pair so far
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,
}
