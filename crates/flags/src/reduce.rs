//! Flags of `nubbin reduce`.

use super::duration::minutes;
use super::{ChoicesFlags, OutputFlags, ProposerFlags, SearchFlags, TestFlags, TreeFlags};
use clap::Args;
use std::path::PathBuf;

pub(super) const EXAMPLES: &str = "\
Examples:
  nubbin reduce bug.rs --stderr 'E0499' -- rustc --emit=metadata {}
      keep one error message; {} is the path of the candidate
  nubbin reduce crash.c --same-failure -- gcc -O2 -c crash.c
      keep the internal compiler error that gcc reports now, and no other
  nubbin reduce --test ./interesting.sh input.json
      a script that exits with 0 if the failure is present
  nubbin reduce query.sql --stdin --differs-from './old-db' -- ./new-db
      two programs that should agree, but differ
  nubbin reduce --choices run.choices --generator ./gen -- ./test {}
      the choices of a generator, so that it can generate every tested input
  nubbin reduce project --fixed Makefile --stderr 'undefined' -- make -C {}
      a folder: remove files that are not needed, then reduce the rest
  nubbin reduce --in . --only src/main.ts -- npm test
      one file of a project; each test runs in a copy of the project
  nubbin reduce sum.txt --grammar sums.bnf --algorithm hdd --test ./fails.sh
      a published algorithm on the syntax tree of the grammar

The test runs in a fresh folder that holds the candidate under the input's own name.
Exit code 0 means that the failure is present, and 125 that the test cannot decide.";

#[derive(Debug, Args)]
pub struct ReduceFlags {
    /// The failing file or folder, or `-` for standard input; several inputs are reduced together.
    /// nubbin never writes to an input
    ///
    /// With `--reduce-args` or `--reduce-env`, INPUT is optional. Without INPUT, nubbin prints the
    /// remaining arguments and variables on standard output.
    #[arg(
        required_unless_present_any = ["choices", "project", "reduce_args", "reduce_env"],
        value_name = "INPUT"
    )]
    pub inputs: Vec<PathBuf>,

    /// Run the test in a copy of this folder, and reduce its files that `--only` or INPUT names
    ///
    /// Each worker has its own copy, without folders of version control. After each test, nubbin
    /// undoes the changes that the test made to the copy. nubbin writes a result next to the
    /// original file, or to the path given by `-o`, and changes nothing else in the folder.
    /// `--exclude` leaves files out of the copy.
    #[arg(long = "in", value_name = "DIR", conflicts_with_all = ["choices", "with_siblings"])]
    pub project: Option<PathBuf>,

    /// Start the test inside the folder that is reduced, instead of in its parent
    ///
    /// Without this flag, the working folder of the test contains the reduced folder under its own
    /// name. With this flag, `{}` is the working folder itself.
    #[arg(long, conflicts_with_all = ["choices", "project"])]
    pub inside: bool,

    /// Write the result to this file or folder; `-` is standard output [default: NAME.min.EXT next
    /// to the input]
    ///
    /// For several inputs, PATH is a folder; by default, each result is written next to its input.
    /// The default for an input folder is NAME.min next to that folder.
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,

    /// Replace files that nubbin did not write, or that were changed since
    ///
    /// The flag applies to the result and to the files given by `--stats`, `--json-events`, and
    /// `--report`. Without this flag, nubbin reports such a file or folder as an error before the
    /// first test.
    #[arg(short, long)]
    pub force: bool,

    /// Replace each input with its result at the end, and keep the original as NAME.orig
    ///
    /// nubbin replaces nothing if NAME.orig exists, if the input was changed during the run, or if
    /// the run was stopped.
    #[arg(long, conflicts_with_all = ["output", "choices"])]
    pub in_place: bool,

    #[command(flatten)]
    pub test: TestFlags,

    /// Accept an empty result
    ///
    /// Without this flag, a run exits with code 9 as soon as an empty input, or a folder of
    /// empty files, fails. The test then does not depend on the input.
    #[arg(
        long,
        help_heading = "Failure conditions (all that are given must hold)"
    )]
    pub allow_empty: bool,

    /// Reduce the arguments that `{args: ...}` marks in the command, and response files
    ///
    /// `'{args: -O2 -Wall}'` in the command is a span of arguments, which nubbin splits as a shell
    /// does. `--build` and `--differs-from` may also contain spans. nubbin removes flags alone or
    /// with their values, removes items of lists, and lowers numbers and levels. The file NAME.args
    /// next to the result has one argument per line, so that compilers read it as `@NAME.args`.
    /// nubbin prints the whole command at the end. `{args}` elsewhere in the command stands for the
    /// same arguments, and `{args2}` stands for the arguments of the second span. An input that the
    /// command reads as a response file (`@FILE`), or that is given as `@FILE`, is also reduced as
    /// a list of arguments.
    #[arg(
        long,
        conflicts_with_all = ["choices", "persistent", "same_coverage"],
        help_heading = "Command line and environment"
    )]
    #[arg(conflicts_with = "remote")]
    pub reduce_args: bool,

    /// Remove variables from the test's environment that the failure does not need
    ///
    /// nubbin tries to remove every variable of the test's environment, including the variables set
    /// with `--env`. It prints the names of the variables that the test needs, and writes these
    /// names to NAME.env next to the result. From a list that is separated by colons or commas,
    /// nubbin removes items; the numbers of the remaining items follow the name: `PATH:2`. Values
    /// are never written.
    #[arg(
        long,
        conflicts_with_all = ["choices", "persistent", "same_coverage"],
        help_heading = "Command line and environment"
    )]
    #[arg(conflicts_with = "remote")]
    pub reduce_env: bool,

    #[command(flatten, next_help_heading = "Search")]
    pub search: SearchFlags,

    #[command(flatten, next_help_heading = "Syntax trees")]
    pub trees: TreeFlags,

    #[command(flatten, next_help_heading = "Proposers")]
    pub proposers: ProposerFlags,

    #[command(flatten, next_help_heading = "Choices of a generator")]
    pub choices: ChoicesFlags,

    #[command(flatten, next_help_heading = "Output")]
    pub output_flags: OutputFlags,

    /// Include the text of every tested candidate in the events
    #[arg(long, requires = "json_events", help_heading = "Output")]
    pub log_texts: bool,

    /// Write an HTML page about the run to this file at the end; `nubbin report` creates it from
    /// events
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Format the result with this shell command, if the formatted text still fails
    ///
    /// The command prints the formatted text. `{}` in the command stands for the path of the
    /// result. Without `{}`, the command reads the result from standard input.
    #[arg(
        long,
        value_name = "COMMAND",
        conflicts_with = "choices",
        help_heading = "Output"
    )]
    pub format: Option<String>,

    /// At the end, ring the terminal bell and show a notification, or run this shell command
    ///
    /// The environment variable NUBBIN_MESSAGE has a message, and NUBBIN_RESULT has the path of the
    /// result. nubbin stops the command after 30 seconds, and three seconds after a signal to
    /// nubbin.
    #[arg(
        long,
        value_name = "COMMAND",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        help_heading = "Output"
    )]
    pub notify: Option<String>,

    /// Run in a CI job for at most this time (a number is in minutes), and do not fail the job
    ///
    /// Sets `--max-time`, if it is not given, and `--progress plain`. The exit code is 0, unless
    /// the command line is wrong or a signal stops the run. nubbin reports the result in one line.
    /// On GitHub, this line is an annotation, and the summary of the job includes the result if the
    /// result is one short text. Anyone who can see the job can see the result. [default: 10m]
    #[arg(
        long,
        value_name = "TIME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10m",
        value_parser = minutes,
        help_heading = "Output"
    )]
    pub ci: Option<f64>,

    /// Copy the result to the clipboard, if the terminal supports it (OSC 52)
    #[arg(long, help_heading = "Output")]
    pub copy: bool,
}
