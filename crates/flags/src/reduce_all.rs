//! Flags of `nubbin reduce-all`.

use super::duration::{duration, minutes};
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
    /// The folder of failing files; nubbin searches its subfolders too
    ///
    /// nubbin never writes to this folder. To continue after a stop, or after files were added, run
    /// the same command again. Finished work is not repeated.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,

    /// The program and its arguments; `{}` stands for the path of a file
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,

    /// Write the results to this folder, one file per failure [default: NAME.min next to the
    /// folder]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,

    /// Reduce every failing file, and group the files by equal results
    ///
    /// Without this flag, files are grouped by the failures that they show, and one file of each
    /// group is reduced. Where messages do not tell failures apart, the reduced texts do, at the
    /// cost of a reduction for each file. The folder of the results has a file of the same name for
    /// each file that fails, and `results.jsonl`. The flags for failures are conditions then, as
    /// with `nubbin reduce`: all of them must hold, and without any, the program must exit with an
    /// error. A reduction keeps the failure of its file, unless `--stderr`, `--hang`, or `--exit 0`
    /// describes it. With a limit on the time, every file is run before the first reduction.
    #[arg(long, conflicts_with_all = ["identity", "other_failures", "report", "sarif", "remote"])]
    pub each: bool,

    /// Run this many jobs at the same time [default: one per core]
    ///
    /// With a farm, N is the number of jobs whose tests run on the farm. `local:4,remote:200` also
    /// sets the number of jobs on this machine.
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<Jobs>,

    /// Feed files to the program's standard input
    #[arg(long)]
    pub stdin: bool,

    /// Treat these exit codes as failures, even without a message
    ///
    /// Signals, failed assertions, sanitizer reports, internal compiler errors, panics, and
    /// uncaught exceptions are failures without this flag.
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',')]
    pub exit: Vec<i32>,

    /// Tell failures apart by the named groups of this regular expression
    ///
    /// nubbin matches the expression with standard error, then with standard output. Without this
    /// flag, messages and stack traces tell failures apart.
    #[arg(long, value_name = "RE")]
    pub identity: Vec<String>,

    /// Require that standard error matches this regular expression
    ///
    /// A run that matches is a failure even without a signal, a report, or an exit code given by
    /// `--exit`.
    #[arg(long, value_name = "RE")]
    pub stderr: Vec<String>,

    /// Treat a run of this time as a failure
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "timeout")]
    pub hang: Option<Duration>,

    /// Stop a test after this time
    #[arg(long, value_name = "TIME", value_parser = duration)]
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

    /// Stop after this time (`90` seconds, or `15m`); the same command continues the work later
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,

    /// Set a variable in the program's environment
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<OsString>,

    /// Put a copy of this file or folder next to each file that is tested
    ///
    /// If the path is inside a folder, nubbin copies the whole folder.
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,

    /// Accept the failures that the program shows in a private folder, even if it fails in another
    /// way, or not at all, in your folder
    ///
    /// Without this flag, the first file that fails also runs next to copies of the files in your
    /// folder, up to 1000 files and 64 MiB. If the program then ends in another way, it lacks
    /// files, and nubbin exits with an error.
    #[arg(long)]
    pub private_failure: bool,

    /// Also reduce failures that an empty file shows
    ///
    /// Without this flag, such failures are not reduced, and the exit code is 9. Most often, the
    /// command is wrong or does not read the file.
    #[arg(long)]
    pub allow_empty: bool,

    /// Also reduce failures that no file shows
    ///
    /// Such a failure turns up in a test while a failure of the files is reduced. Without this
    /// flag, one test of each is kept in the folder `other` of the results.
    #[arg(long)]
    pub other_failures: bool,

    /// Print failures, files, and counts as JSON
    #[arg(long)]
    pub json: bool,

    /// Write an HTML page with each failure, its result, and its files to this file
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Write the failures to this file, in the format SARIF 2.1.0
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,

    /// Replace the files given by `--report` and `--sarif`, even if nubbin did not write them
    #[arg(long)]
    pub force: bool,

    /// Run in a CI job, and stop after this time (a number is in minutes) [default: 10m]
    ///
    /// Sets `--max-time`, if it is not given. nubbin reports the failures as annotations and in the
    /// summary of the job. A folder without a failure is not an error. Anyone who can see the job
    /// can see the failures.
    #[arg(
        long,
        value_name = "TIME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10m",
        value_parser = minutes
    )]
    pub ci: Option<f64>,

    /// Print only errors, and the permissions that loosen the sandbox
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten, next_help_heading = "Sandbox")]
    pub sandbox: SandboxFlags,

    #[command(flatten, next_help_heading = "Tests on a farm")]
    pub remote: RemoteFlags,
}
