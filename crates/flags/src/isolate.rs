//! Flags of `nubbin isolate`.

use super::duration::seconds;
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
      a script that exits with 0 where it fails, 125 where it cannot say

The test sees every candidate under the name of the failing file. Exit code 0 means that the
failure is there, 125 that the test cannot say: that is how changes which only make sense together
are told apart. Every other exit code means that the candidate passes.";

#[derive(Debug, Args)]
pub struct IsolateFlags {
    /// The file that passes. nubbin never writes to it
    pub passing: PathBuf,

    /// The file that fails. nubbin never writes to it
    pub failing: PathBuf,

    /// Write the results, NAME.pass.EXT and NAME.fail.EXT after the failing file, to this folder
    /// [default: beside the failing file]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Replace files that nubbin has not written, or that have changed since
    ///
    /// These are the results, and the files of `--stats` and `--json-events`.
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
    /// Compare the files by these elements, one kind after the other
    /// [default: line,token,char, or line,byte for what is not text]
    #[arg(long, value_name = "ATOM", value_delimiter = ',')]
    pub atom: Vec<Atom>,

    /// Set the algorithm: `dd`, `dd:book`, or `dd:eager`
    ///
    /// `dd` is the algorithm of the paper, `dd:book` that of the Debugging Book, and `dd:eager`
    /// acts on the first answer.
    #[arg(long, value_name = "ID", default_value = "dd:eager")]
    pub algorithm: String,

    /// Stop after this many tests, with the closest two so far
    #[arg(long, value_name = "N")]
    pub max_tests: Option<u64>,

    /// Stop after this many seconds, with the closest two so far
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub max_time: Option<Duration>,
}
