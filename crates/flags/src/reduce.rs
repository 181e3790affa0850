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
      keep the internal compiler error that gcc shows now, and no other
  nubbin reduce --test ./interesting.sh input.json
      a script that exits with 0 while the failure is there
  nubbin reduce query.sql --stdin --differs-from './old-db' -- ./new-db
      two programs that must agree, and do not
  nubbin reduce --choices run.choices --generator ./gen -- ./test {}
      the choices of a generator, so that it can make every tested text
  nubbin reduce project --fixed Makefile --stderr 'undefined' -- make -C {}
      a folder: remove files that are not needed, then reduce the rest
  nubbin reduce --in . --only src/main.ts -- npm test
      one file of a project, of which each test has a copy
  nubbin reduce sum.txt --grammar sums.bnf --algorithm hdd --test ./fails.sh
      a published algorithm over the tree that the grammar gives

The test runs in a fresh folder that holds the candidate under the input's own name.
Exit code 0 means that the failure is there, 125 that the test cannot say.";

#[derive(Debug, Args)]
pub struct ReduceFlags {
    /// The failing file or folder, or `-` for standard input; several are reduced together. nubbin
    /// never writes to them
    ///
    /// With `--reduce-args` or `--reduce-env`, an input can be left out: the arguments and
    /// variables that are left are printed on standard output.
    #[arg(
        required_unless_present_any = ["choices", "project", "reduce_args", "reduce_env"],
        value_name = "INPUT"
    )]
    pub inputs: Vec<PathBuf>,

    /// Run the test in a copy of this folder, and reduce the files of it that `--only` or INPUT
    /// names
    ///
    /// Each worker has one copy, without folders of version control. After a test, files that it
    /// has made, changed, or removed are restored. The result of a file is written beside it, or
    /// with `-o`; nothing else of the folder is written. `--exclude` leaves files out of the copy.
    #[arg(long = "in", value_name = "DIR", conflicts_with_all = ["choices", "with_siblings"])]
    pub project: Option<PathBuf>,

    /// Start the test inside the folder that is reduced, rather than beside it
    ///
    /// Without the flag, the working folder of the test contains the folder under its own name, as
    /// it is where the command is typed. With it, `{}` is the working folder itself.
    #[arg(long, conflicts_with_all = ["choices", "project"])]
    pub inside: bool,

    /// Write the result to this file or folder; `-` is standard output [default: NAME.min.EXT
    /// beside the input]
    ///
    /// The results of several inputs are written to a folder, or by default beside each input. The
    /// default of a folder is NAME.min beside it.
    #[arg(short, long, value_name = "PATH")]
    pub output: Option<PathBuf>,

    /// Replace files that nubbin has not written, or that have changed since
    ///
    /// These are the result, and the files of `--stats`, `--json-events`, and `--report`. Without
    /// the flag, such a file or folder is refused before the first test.
    #[arg(short, long)]
    pub force: bool,

    /// Replace each input by its result at the end, and keep the original as NAME.orig
    ///
    /// Nothing is replaced if a backup exists, if the input has changed during the run, or if the
    /// run was stopped.
    #[arg(long, conflicts_with_all = ["output", "choices"])]
    pub in_place: bool,

    #[command(flatten)]
    pub test: TestFlags,

    /// Accept an empty result
    ///
    /// Without this flag, a run ends as soon as an empty input fails, or a folder in which all
    /// files are empty, since the test then does not depend on the input. The exit code is 9.
    #[arg(
        long,
        help_heading = "Failure conditions (all that are given must hold)"
    )]
    pub allow_empty: bool,

    /// Reduce the arguments of the command that are marked by `{args: ...}`, and response files
    ///
    /// A word `'{args: -O2 -Wall}'` of the command stands for the arguments in it, which are words
    /// as for a shell. A span may also stand in `--build` or `--differs-from`. Flags are removed
    /// alone or with their values, lists lose items, and numbers and levels get smaller. A result
    /// beside that of the input, NAME.args, has one argument in each line, so that compilers read
    /// it as `@NAME.args`; the whole command is printed at the end. `{args}` in another place of
    /// the command stands for the same arguments, and `{args2}` for those of the second span. An
    /// input that the command reads as a response file (`@FILE`), or that is given as `@FILE`, is
    /// reduced in this way as well.
    #[arg(
        long,
        conflicts_with_all = ["choices", "persistent", "same_coverage"],
        help_heading = "Command line and environment"
    )]
    #[arg(conflicts_with = "remote")]
    pub reduce_args: bool,

    /// Remove variables from the test's environment that the failure does not need
    ///
    /// All variables that the test is given are candidates, those of `--env` as well. The names of
    /// those that it needs are printed at the end and written to NAME.env beside the result. A
    /// list, with colons or commas in it, loses items, and has the numbers of the others behind its
    /// name: `PATH:2`. Values are written nowhere.
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

    /// Put the text of every tested candidate into the events
    #[arg(long, requires = "json_events", help_heading = "Output")]
    pub log_texts: bool,

    /// Write a page of the run to this file at its end; `nubbin report` makes one of the events
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Format the result with this shell command at the end, if it still fails then
    ///
    /// The command prints the formatted text. `{}` in it stands for the path of the result; without
    /// `{}`, the result is its standard input.
    #[arg(
        long,
        value_name = "COMMAND",
        conflicts_with = "choices",
        help_heading = "Output"
    )]
    pub format: Option<String>,

    /// At the end, ring the bell and show a notification in the terminal, or run a shell command
    ///
    /// The command finds a message in the variable NUBBIN_MESSAGE, and the path of the result in
    /// NUBBIN_RESULT. It is ended after 30 seconds, and three seconds after a signal.
    #[arg(
        long,
        value_name = "COMMAND",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        help_heading = "Output"
    )]
    pub notify: Option<String>,

    /// Run in a job of continuous integration, for this many minutes, and never fail it
    ///
    /// Sets `--max-time`, if it is not given, and `--progress plain`. Whatever the end, the exit
    /// code is 0, unless the command line is wrong or a signal stops the run. The result is told by
    /// a line: on GitHub by an annotation, and in the summary of the job with the result itself, if
    /// that is short and one text. Who sees the job sees it. [default: 10]
    #[arg(
        long,
        value_name = "MINUTES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "10",
        value_parser = minutes,
        help_heading = "Output"
    )]
    pub ci: Option<f64>,

    /// Put the result into the clipboard, where the terminal can (OSC 52)
    #[arg(long, help_heading = "Output")]
    pub copy: bool,
}
