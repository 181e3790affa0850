//! Flags of `nubbin reduce-all`.

use super::duration::{minutes, seconds};
use super::{Jobs, RemoteFlags, SandboxFlags, size};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Examples in the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  nubbin reduce-all crashes/ -- ./parser {}
  nubbin reduce-all out/default/crashes --stdin --hang 10 -- ./parser
  nubbin reduce-all bugs/ --identity 'ERROR (?<code>[A-Z0-9]+)' -- ./compiler {}";

/// Options of `nubbin reduce-all`.
#[derive(Debug, Args)]
pub struct ReduceAllFlags {
    /// The folder of failing files; those in its folders count as well
    ///
    /// nubbin never writes to it. Give the same command again to go on after a stop, or after new
    /// files have come: what is done is not done again.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// The program and its arguments; `{}` stands for the path of a file
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// Write the results to this folder, one file for each failure [default: NAME.min beside the
    /// folder]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Reduce every failing file, and group the files by equal results
    ///
    /// Without this flag, files are grouped by the failures that they show, and one file of each
    /// group is reduced. Where messages do not tell failures apart, the reduced texts do, at the
    /// cost of a reduction for each file. The folder of the results has a file of the same name for
    /// each file that fails, and `results.jsonl`. The flags for failures are conditions then, as of
    /// `nubbin reduce`: all of them must hold, and without any, a file has to end with an error.
    #[arg(long, conflicts_with_all = ["identity", "other_failures", "report", "sarif", "ci", "remote"])]
    pub each: bool,

    /// Run this many jobs at the same time [default: one per core]
    ///
    /// With a farm, a number is that of jobs whose tests run there; `local:4,remote:200` is for
    /// both places.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<Jobs>,

    /// Feed files to the program's standard input
    #[arg(long)]
    pub stdin: bool,

    /// Treat these exit codes as failures, also without a message
    ///
    /// Signals, failed assertions, sanitizer reports, internal compiler errors, panics, and
    /// uncaught exceptions are failures without this flag.
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',')]
    pub exit: Vec<i32>,

    /// Tell failures apart by the named groups of this regular expression
    ///
    /// It is matched against standard error, then against standard output. Without it, failures
    /// are told apart by their messages and stack traces.
    #[arg(long, value_name = "RE")]
    pub identity: Vec<String>,

    /// Require that standard error matches this regular expression
    ///
    /// A run that matches is a failure even without a signal, a report, or an exit code that is
    /// one.
    #[arg(long, value_name = "RE")]
    pub stderr: Vec<String>,

    /// Treat a run of this many seconds as a failure
    #[arg(long, value_name = "SECS", value_parser = seconds, conflicts_with = "timeout")]
    pub hang: Option<Duration>,

    /// Stop a test after this many seconds
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Limit the memory of all processes of a test together; sizes are bytes, `512M`, or `2G`
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,

    /// Parse the files in this language [default: recognized by name and content]
    #[arg(short, long, value_name = "NAME")]
    pub language: Option<String>,

    /// Stop the reduction of a failure after this many tests
    #[arg(long, value_name = "N", default_value = "5000")]
    pub max_tests: u64,

    /// Stop after this many seconds; the same command continues
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub max_time: Option<Duration>,

    /// Set a variable in the program's environment
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<OsString>,

    /// Put a copy of this file or folder beside each file that is tested
    ///
    /// Of a path within a folder, the whole folder is copied.
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,

    /// Keep failures as the program shows them in a folder of its own, even if it fails in another
    /// way, or not at all, in yours
    ///
    /// Without this flag, the first file that fails also runs beside copies of the files in your
    /// folder, up to 1000 files and 64 MiB. If the program then ends in another way, it lacks
    /// files, and the run is refused.
    #[arg(long)]
    pub private_failure: bool,

    /// Reduce also failures that an empty file shows
    ///
    /// Without this flag they are not reduced, since nothing would be left of the file: most often
    /// the command is wrong or does not read it. The exit code is then 9.
    #[arg(long)]
    pub allow_empty: bool,

    /// Reduce also failures that no file shows
    ///
    /// They show in tests while a failure of the files is reduced. Without this flag, one test of
    /// each is kept in the folder `other` of the results.
    #[arg(long)]
    pub other_failures: bool,

    /// Print failures, files, and counts as JSON
    #[arg(long)]
    pub json: bool,

    /// Write a page with each failure, its result, and its files to this file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Write the failures to this file, in the format SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Replace the files of `--report` and `--sarif`, even if nubbin has not written them
    #[arg(long)]
    pub force: bool,

    /// Run as a job of continuous integration: stop after this many minutes [default: 10]
    ///
    /// Sets `--max-time`, if it is not given. The failures are told as annotations and in the
    /// summary of the job. A folder without a failure is not an error. Anyone who can see the job
    /// can see them.
    #[arg(
        long,
        value_name = "MINUTES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10",
        value_parser = minutes
    )]
    pub ci: Option<f64>,

    /// Print nothing but errors, and what loosens the sandbox
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten, next_help_heading = "Sandbox")]
    pub sandbox: SandboxFlags,

    #[command(flatten, next_help_heading = "Tests on a farm")]
    pub remote: RemoteFlags,
}
