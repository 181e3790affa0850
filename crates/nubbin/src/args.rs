//! What can be typed. Nothing here has side effects.

use crate::choices::ExternalArgs;
use crate::exit;
use crate::explain::ExplainArgs;
use crate::generate::GenerateCommand;
use crate::grammar::{GrammarCommand, GrammarOptions, LoadedArgs};
use crate::paths::Use;
use crate::proposer::ProposerArgs;
use clap::{ArgAction, Args as ClapArgs, Parser, Subcommand, ValueEnum};
use nubbin_reduce::tree::Preparation;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Finds the nub of a failing input: the smallest file that still fails.
#[derive(Debug, Parser)]
#[command(name = "nubbin", version, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a failing input as small as it can be while it still fails
    #[command(after_help = exit::TABLE, after_long_help = format!("{EXAMPLES}\n\n{}", exit::TABLE))]
    Reduce(Box<ReduceArgs>),
    /// Find what little makes the difference between an input that passes and one that fails
    #[command(
        after_help = exit::TABLE,
        after_long_help = format!("{ISOLATE_EXAMPLES}\n\n{}", exit::TABLE)
    )]
    Isolate(Box<IsolateArgs>),
    /// Find out which parts of a failing input may be anything of their kind
    #[command(
        after_help = exit::TABLE,
        after_long_help = format!("{EXPLAIN_EXAMPLES}\n\n{}", exit::TABLE)
    )]
    Explain(Box<ExplainArgs>),
    /// List the algorithms for lists and for trees, each with its source
    Algorithms(CatalogueArgs),
    /// List the passes, each with its source
    Passes(CatalogueArgs),
    /// Show how texts derive from a grammar, check grammars, convert them
    #[command(subcommand)]
    Grammar(GrammarCommand),
    /// Make inputs
    #[command(subcommand)]
    Generate(GenerateCommand),
    /// Make a page of a run: how it got smaller, which passes did it, what went when
    Report(ReportArgs),
    /// Make a page of two runs side by side
    Compare(CompareArgs),
    /// Hold all algorithms against each other, on inputs made from grammars or on real failures
    Shootout(ShootoutArgs),
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, of nubbin or of one of its commands
    Man {
        /// The command
        command: Option<String>,
    },
}

const EXAMPLES: &str = "\
Examples:
  nubbin reduce bug.rs --stderr 'E0499' -- rustc --emit=metadata {}
      keep one error message; {} is the path of the candidate
  nubbin reduce crash.c --same-failure -- gcc -O2 -c crash.c
      keep whatever internal error gcc shows now, and no other
  nubbin reduce --test ./interesting.sh input.json
      a script that exits with 0 while the failure is there
  nubbin reduce query.sql --stdin --differs-from './old-db' -- ./new-db
      two programs that must agree, and do not
  nubbin reduce --choices run.choices --generator ./gen -- ./test {}
      what a generator chose, so that whatever is tested is something it can make
  nubbin reduce project --fixed Makefile --stderr 'undefined' -- make -C {}
      a folder: files that are not needed go, and what is left is reduced
  nubbin reduce sum.txt --grammar sums.bnf --algorithm hdd --test ./fails.sh
      by a published algorithm over the tree that the grammar gives

The test runs in a fresh folder that holds the candidate under the input's own name.
Exit code 0 means that the failure is there, 125 that the test cannot say.";

const ISOLATE_EXAMPLES: &str = "\
Examples:
  nubbin isolate old.json new.json --stderr 'Expecting' -- python3 -m json.tool {}
      which part of the new file the parser does not like
  nubbin isolate yesterday.c today.c --atom line --same-failure -- gcc -O2 -c today.c
      which of the lines changed since yesterday crash the compiler
  nubbin isolate good.txt bad.txt --test ./test.sh >minimal.diff
      a script that exits with 0 where it fails, 125 where it cannot say

The test sees every candidate under the name of the failing file. Exit code 0 means that the
failure is there, 125 that the test cannot say: changes that only make sense together are told
apart by that. What is neither is taken to pass.";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  nubbin explain crash.min.c --same-failure -- gcc -O2 -c crash.min.c
      which names, numbers and expressions of the reduced file matter
  nubbin explain sum.min.txt --grammar sums.bnf --test ./fails.sh
      each part replaced by random others that the grammar allows
  nubbin explain bug.min.sql --from bug.sql --test ./fails.sh
      with others from the file that was reduced as well
  nubbin explain --choices run.min.choices --generator ./gen -- ./test {}
      which choices of a generator may take any value

A part of which the test says 125, `cannot say`, for some texts is judged by the others. Where a test
says that what does not compile passes, little can be found out: let it say 125 of that.";

/// Options of `nubbin isolate`.
#[derive(Debug, ClapArgs)]
pub(crate) struct IsolateArgs {
    /// The file that passes. It is never written to
    pub(crate) passing: PathBuf,

    /// The file that fails. It is never written to
    pub(crate) failing: PathBuf,

    /// The test: a command and its arguments, `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "test")]
    pub(crate) command: Vec<OsString>,

    /// The test as one program, run without arguments beside the candidate
    #[arg(long, value_name = "PROGRAM", conflicts_with = "command")]
    pub(crate) test: Option<PathBuf>,

    /// The folder for the results, NAME.pass.EXT and NAME.fail.EXT after the failing file
    /// [default: beside the failing file]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// Tests to run at the same time [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten, next_help_heading = "What counts as the failure")]
    pub(crate) failure: FailureArgs,

    #[command(flatten, next_help_heading = "How the test is run")]
    pub(crate) test_run: TestRunArgs,

    #[command(
        flatten,
        next_help_heading = "What the test may take; a run into a limit is unresolved"
    )]
    pub(crate) limits: LimitArgs,

    #[command(flatten, next_help_heading = "How to search")]
    pub(crate) search: IsolateSearchArgs,

    #[command(flatten, next_help_heading = "What is shown and written")]
    pub(crate) output_args: OutputArgs,

    /// Lines that are shown around each difference
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        help_heading = "What is shown and written"
    )]
    pub(crate) context: usize,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct IsolateSearchArgs {
    /// What the files are compared by, one after the other
    /// [default: line,token,char, or line,byte for what is not text]
    #[arg(long, value_name = "ATOM", value_delimiter = ',')]
    pub(crate) atom: Vec<Atom>,

    /// `dd` as in the paper, `dd:book` as in the Debugging Book, or `dd:eager`, which acts on the
    /// first answer
    #[arg(long, value_name = "ID", default_value = "dd:eager")]
    pub(crate) algorithm: String,

    /// Stop after this many tests, with the closest two so far
    #[arg(long, value_name = "N")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this many seconds, with the closest two so far
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,
}

/// Options of `nubbin reduce`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ReduceArgs {
    /// The failing file, or a folder with all that is in it; several are reduced together. They are
    /// never written to
    #[arg(required_unless_present = "choices", value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    /// The test: a command and its arguments, `{}` stands for the candidate's path
    #[arg(last = true, value_name = "COMMAND", required_unless_present = "test")]
    pub(crate) command: Vec<OsString>,

    /// The test as one program, run without arguments beside the candidate
    #[arg(long, value_name = "PROGRAM", conflicts_with = "command")]
    pub(crate) test: Option<PathBuf>,

    /// Where the result goes: a file, of a folder a folder, of several inputs the folder they go
    /// into [default: NAME.min.EXT beside each, NAME.min beside a folder]
    #[arg(short, long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,

    /// Tests to run at the same time [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten, next_help_heading = "What counts as the failure")]
    pub(crate) failure: FailureArgs,

    #[command(flatten, next_help_heading = "How the test is run")]
    pub(crate) test_run: TestRunArgs,

    #[command(
        flatten,
        next_help_heading = "What the test may take; a run into a limit is unresolved"
    )]
    pub(crate) limits: LimitArgs,

    #[command(flatten, next_help_heading = "How to search")]
    pub(crate) search: SearchArgs,

    #[command(flatten, next_help_heading = "How to see the input as a tree")]
    pub(crate) trees: TreeArgs,

    #[command(flatten, next_help_heading = "Programs that propose changes")]
    pub(crate) proposers: ProposerArgs,

    #[command(flatten, next_help_heading = "Reducing what a generator chose")]
    pub(crate) choices: ChoicesArgs,

    #[command(flatten, next_help_heading = "What is shown and written")]
    pub(crate) output_args: OutputArgs,

    /// Write a page of the run to this file at its end, to be opened in a browser; `nubbin report`
    /// makes one of the events later
    #[arg(long, value_name = "FILE", help_heading = "What is shown and written")]
    pub(crate) report: Option<PathBuf>,
}

/// A generator and what it chose, in the place of an input.
#[derive(Debug, ClapArgs)]
pub(crate) struct ChoicesArgs {
    /// Reduce these recorded choices, and test the text that comes of them
    #[arg(long, value_name = "FILE", conflicts_with = "inputs")]
    pub(crate) choices: Option<PathBuf>,

    /// The generator that made them: a line for the shell
    ///
    /// Choices that were made with a grammar (`nubbin generate grammar --record`) need that, as
    /// `--grammar`, and no generator.
    #[arg(
        long,
        value_name = "COMMAND",
        requires = "choices",
        conflicts_with = "grammar"
    )]
    pub(crate) generator: Option<String>,

    #[command(flatten)]
    pub(crate) external: ExternalArgs,

    /// The text's name for the test [default: NAME.txt after the file with the choices]
    #[arg(long, value_name = "NAME", requires = "choices")]
    pub(crate) name: Option<PathBuf>,
}

/// Predicates; all that are given must hold.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct FailureArgs {
    /// The command exits with one of these codes [default: 0, unless another condition is given]
    #[arg(long, value_name = "N[,N...]")]
    pub(crate) exit: Vec<String>,

    /// The command is killed by this signal (SEGV, ABRT, 11, ...)
    #[arg(long, value_name = "NAME")]
    pub(crate) signal: Vec<String>,

    /// Standard output matches this regular expression
    #[arg(long, value_name = "RE")]
    pub(crate) stdout: Vec<String>,

    /// Standard error matches this regular expression
    #[arg(long, value_name = "RE")]
    pub(crate) stderr: Vec<String>,

    /// Standard output does not match this regular expression
    #[arg(long, value_name = "RE")]
    pub(crate) not_stdout: Vec<String>,

    /// Standard error does not match this regular expression
    #[arg(long, value_name = "RE")]
    pub(crate) not_stderr: Vec<String>,

    /// Running into the time limit is the failure
    #[arg(long, requires = "timeout")]
    pub(crate) timeout_fails: bool,

    /// A second command, for the shell, behaves differently (exit or standard output)
    #[arg(long, value_name = "COMMAND")]
    pub(crate) differs_from: Option<String>,

    /// The failure that the original shows, and no other: its signal, assertion, sanitizer
    /// report, internal compiler error, panic or uncaught exception
    #[arg(long)]
    pub(crate) same_failure: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TestRunArgs {
    /// End a test after this many seconds [default: ten times what the longest run that showed the
    /// failure took, at least 5 and at most 300]
    ///
    /// Only tests that show the failure count for the default, since the limit is there for them
    /// alone; so one that hangs never raises it. It only grows, so that no test gets less time
    /// than a like one had before. How long tests take differs from run to run: give a limit of
    /// your own where a test may come close to it and the run is to be repeated exactly.
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,

    /// Feed the candidate to the command's standard input
    #[arg(long)]
    pub(crate) stdin: bool,

    /// Put a copy of this file or folder beside the candidate
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,

    /// Set a variable in the test's environment
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) env: Vec<OsString>,

    /// Leave a variable out of the test's environment
    #[arg(long, value_name = "NAME")]
    pub(crate) unset_env: Vec<OsString>,

    /// Give the test only PATH, HOME, LANG, a TMPDIR of its own, and what `--env` sets
    #[arg(long)]
    pub(crate) clean_env: bool,

    /// Leave the folders the tests ran in
    #[arg(long)]
    pub(crate) keep_temp: bool,
}

/// Limits on one test.
#[derive(Debug, ClapArgs)]
pub(crate) struct LimitArgs {
    /// Memory in use by all processes of a test together; sizes are bytes, or `512M`, `2G`
    #[arg(long, value_name = "SIZE", value_parser = crate::size::parse)]
    pub(crate) memory: Option<u64>,

    /// Seconds on processors of all processes of a test together
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) cpu: Option<Duration>,

    /// Processes of a test at one time
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) processes: u32,

    /// Length of any file that a test writes
    #[arg(long, value_name = "SIZE", value_parser = crate::size::parse)]
    pub(crate) file_size: Option<u64>,

    /// Standard output and standard error, each, where they are looked at
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = crate::size::parse)]
    pub(crate) output_limit: u64,

    /// Room for all that a test writes to its folders [default: 4G, or half of what is free]
    #[arg(long, value_name = "SIZE", value_parser = crate::size::parse)]
    pub(crate) disk: Option<u64>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SearchArgs {
    /// `auto`, or a list algorithm by its name, or, with a grammar, a walk over trees; options stand
    /// after a colon (`ddmin:backward`). `nubbin algorithms` lists all
    #[arg(long, value_name = "ID", default_value = "auto")]
    pub(crate) algorithm: String,

    /// What the elements of the list are, one after the other [default with an algorithm: line]
    #[arg(long, value_name = "ATOM", value_delimiter = ',')]
    pub(crate) atom: Vec<Atom>,

    /// Only these passes, in this order; `nubbin passes` lists them
    #[arg(
        long,
        value_name = "ID[,ID...]",
        value_delimiter = ',',
        conflicts_with = "atom"
    )]
    pub(crate) passes: Vec<String>,

    /// Leave these passes out
    #[arg(long, value_name = "ID[,ID...]", value_delimiter = ',')]
    pub(crate) without: Vec<String>,

    /// Leave the files of a folder whose path matches this pattern as they are; the test finds them.
    /// A pattern without a slash is one of names
    #[arg(long, value_name = "GLOB")]
    pub(crate) fixed: Vec<String>,

    /// Leave files of a folder out, for the test as well
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// Leave every match of this regular expression in the original as it is
    #[arg(long, value_name = "RE")]
    pub(crate) keep: Vec<String>,

    /// Take the marks `nubbin:keep` (this line), `nubbin:keep-begin` and `nubbin:keep-end` (the
    /// lines between) in the input for text like any other
    #[arg(long)]
    pub(crate) no_keep_marks: bool,

    /// Which of two failing inputs is better [default: bytes, or binary for what is not text]
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub(crate) order: Option<OrderBy>,

    /// Whether the test may say now this, now that: `auto` looks for it and, like `on`, judges by
    /// several runs where it does; the result then fails at least 0.8 times as often as the original
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Unreliable::Auto)]
    pub(crate) flaky: Unreliable,

    /// Seed of everything drawn at random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Stop after this many tests, with the best so far
    #[arg(long, value_name = "N")]
    pub(crate) max_tests: Option<u64>,

    /// Stop after this many seconds, with the best so far
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,

    /// Stop as soon as the result has at most this many bytes (`900`, `10K`, `2M`), or this share
    /// of the original (`5%`)
    #[arg(long, value_name = "SIZE|PERCENT", value_parser = SmallEnough::parse)]
    pub(crate) stop_at: Option<SmallEnough>,

    /// Stop early: leave out the passes that need many tests for a few bytes (`auto` only)
    #[arg(long, conflicts_with = "slow")]
    pub(crate) quick: bool,

    /// Try everything that failed once more before the end, also where nothing near it has changed
    #[arg(long)]
    pub(crate) slow: bool,

    /// Stop after this many tests in a row in which nothing got smaller, with the best so far
    #[arg(long, value_name = "TESTS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) stop_when_stalled: Option<u64>,

    /// Go on where a run that was stopped or killed left off: what it tested is not tested again.
    /// The test may have been made stricter since
    #[arg(long)]
    pub(crate) resume: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TreeArgs {
    /// A grammar of the input (BNF, EBNF, or JSON as in the Fuzzing Book): its parts are taken out as
    /// the grammar allows
    #[arg(short, long, value_name = "GRAMMAR")]
    pub(crate) grammar: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: GrammarOptions,

    /// The language of the input, or `none` to see no more in it than text; `nubbin grammar list`
    /// lists all [default: by the name and content of each file]
    #[arg(long, value_name = "LANGUAGE", conflicts_with = "grammar")]
    pub(crate) language: Option<String>,

    /// Test only what parses at least as well as the best so far, so that a text of the language stays
    /// one. Without it a run of `auto` learns whether that is worth it
    #[arg(long)]
    pub(crate) must_parse: bool,

    #[command(flatten)]
    pub(crate) loaded: LoadedArgs,

    /// A file to learn from what may be left out and what may stand for what, or a folder of such
    /// files: for `gtr-learned`, which else has only the input to learn from
    #[arg(long, value_name = "PATH")]
    pub(crate) learn: Vec<PathBuf>,

    /// List algorithm for the lists of a walk over trees [default: ddmin, as published]
    #[arg(long, value_name = "ID")]
    pub(crate) list_algorithm: Option<String>,

    /// What is done to a tree before it is reduced: `all`, `none`, or some of `empty` (leave out nodes
    /// without text), `flatten` (make lists of left and right recursion), `squeeze` (make one node of
    /// a chain) and `hide` (never try what is as small as it can be) [default: all]
    #[arg(long, value_name = "STEP[,STEP...]")]
    pub(crate) prepare: Option<Preparation>,
}

impl TreeArgs {
    /// The files that trees depend on, which must not be written to.
    pub(crate) fn read(&self) -> impl Iterator<Item = Use<'_>> {
        let each = |paths, what| {
            let paths: &[PathBuf] = paths;
            paths.iter().map(move |path| Use { path, what })
        };
        each(self.grammar.as_slice(), "the grammar")
            .chain(each(self.loaded.parser.as_slice(), "the parser"))
            .chain(each(self.loaded.grammar_json.as_slice(), "the grammar"))
            .chain(each(&self.learn, "the example"))
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct OutputArgs {
    /// Write what happens as lines of JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) json_events: Option<PathBuf>,

    /// Write the final counts as JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub(crate) stats: Option<PathBuf>,

    /// Keep every other failure that is met on the way, each in a folder of its own in this one
    /// with the smallest input that shows it
    #[arg(long, value_name = "DIR")]
    pub(crate) other_failures: Option<PathBuf>,

    /// Print nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print every test, instead of the full-screen view
    #[arg(short, long, action = ArgAction::SetTrue)]
    pub(crate) verbose: bool,

    /// What is shown while it runs
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto")]
    pub(crate) progress: Progress,

    /// Print plain lines, even to a terminal: the same as `--progress plain`
    #[arg(long, conflicts_with = "progress")]
    pub(crate) plain: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CatalogueArgs {
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The elements of a list, for the list algorithms by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Atom {
    Byte,
    Char,
    Token,
    Line,
}

impl Atom {
    /// The pass that has the elements of this kind.
    pub(crate) fn pass(self) -> &'static str {
        match self {
            Atom::Byte => "bytes",
            Atom::Char => "chars",
            Atom::Token => "tokens",
            Atom::Line => "lines",
        }
    }

    /// What two inputs are compared by.
    pub(crate) fn compared(self) -> nubbin_reduce::isolate::Atom {
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
pub(crate) enum OrderBy {
    /// Fewest bytes, then the most readable
    Bytes,
    /// Fewest tokens, then bytes
    Tokens,
    /// Fewest bytes, then the most zeros
    Binary,
}

/// Whether a test is taken to be reliable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unreliable {
    /// A few runs more at the beginning, now and then and at the end, to find out
    Auto,
    /// It may: several runs for each candidate from the beginning
    On,
    /// It may not: nothing is run twice but the result
    Off,
}

/// What is shown while a reduction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// On a terminal the view, or for `isolate` the line; plain lines elsewhere
    Auto,
    /// Full screen, for `reduce` only, with keys: end, pause, skip passes or leave them out (`?`
    /// lists them)
    View,
    /// One line that is redrawn
    Line,
    /// A line every other second while it gets smaller
    Plain,
    /// Nothing but the result
    None,
}

/// A size at which a result is small enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SmallEnough {
    Bytes(usize),
    Percent(f64),
}

impl SmallEnough {
    /// In bytes, for an original of this many.
    pub(crate) fn bytes(self, original: usize) -> usize {
        match self {
            SmallEnough::Bytes(bytes) => bytes,
            SmallEnough::Percent(percent) => (original as f64 * percent / 100.0) as usize,
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        if let Some(number) = text.strip_suffix('%') {
            let percent: f64 = number
                .trim()
                .parse()
                .map_err(|_| format!("`{text}` is not a number of percent"))?;
            if !(0.0..100.0).contains(&percent) {
                return Err("must be from 0% to less than 100%".into());
            }
            return Ok(SmallEnough::Percent(percent));
        }
        let bytes = crate::size::parse(text)?;
        Ok(SmallEnough::Bytes(
            usize::try_from(bytes).unwrap_or(usize::MAX),
        ))
    }
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is not a number of seconds");
    let seconds: f64 = text
        .strip_suffix('s')
        .unwrap_or(text)
        .parse()
        .map_err(|_| wrong())?;
    if seconds <= 0.0 {
        return Err("must be more than 0".into());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_size_is_bytes_with_a_unit_or_a_share() {
        let bytes = |text| SmallEnough::parse(text).map(|size| size.bytes(1000));
        assert_eq!(bytes("900"), Ok(900));
        assert_eq!(bytes("10K"), Ok(10 << 10));
        assert_eq!(bytes("2MiB"), Ok(2 << 20));
        assert_eq!(bytes("5%"), Ok(50));
        assert_eq!(bytes("0.15%"), Ok(1));
        for wrong in [
            "",
            "K",
            "1.5",
            "5 %%",
            "100%",
            "-1%",
            "NaN%",
            "1X",
            "99999999999G",
        ] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn seconds_may_have_a_fraction_and_a_unit() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("2s"), Ok(Duration::from_secs(2)));
        assert!(seconds("0").is_err());
        assert!(seconds("soon").is_err());
        assert!(seconds("1e300").is_err());
    }
}

/// Options of `nubbin report`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ReportArgs {
    /// The log of a run: what `nubbin reduce --json-events` has written. Of a run that still goes on,
    /// or was killed, it shows what there is
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,

    /// Where the page goes, `-` for standard output [default: RUN with `.html` as its ending]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Options of `nubbin compare`.
#[derive(Debug, ClapArgs)]
pub(crate) struct CompareArgs {
    /// The log of a run: what `nubbin reduce --json-events` has written
    #[arg(value_name = "A")]
    pub(crate) first: PathBuf,

    /// The log of another one
    #[arg(value_name = "B")]
    pub(crate) second: PathBuf,

    /// Where the page goes, `-` for standard output [default: A-and-B.html beside A]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Options of `nubbin shootout`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ShootoutArgs {
    /// Instead of inputs from grammars, the real failures in this folder
    ///
    /// Each is a folder in it with the failing input, `input.EXT`, and its test, `interesting.sh`,
    /// which is run beside a copy of the input and exits with 0 while the failure is there. The
    /// language is told by the name and content of the input; `grammar.bnf`, `grammar.ebnf` or
    /// `grammar.json` beside it is a grammar of it. What else is in the folder is left alone.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["inputs", "sizes"])]
    pub(crate) cases: Option<PathBuf>,

    /// Give a reduction of a case up after this many tests [default: 20000]
    #[arg(long, value_name = "N", requires = "cases")]
    pub(crate) max_tests: Option<u64>,

    /// Give a reduction of a case up after this many seconds; figures then depend on the machine
    #[arg(long, value_name = "SECS", requires = "cases", value_parser = seconds)]
    pub(crate) max_time: Option<Duration>,

    /// End a test of a case after this many seconds [default: 60]
    #[arg(long, value_name = "SECS", requires = "cases", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,

    /// Also say how long a case takes with so many workers, on a made-up clock: each test takes 200 ms,
    /// give or take 30 %, whatever it takes here. The first number is what the others are compared with
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',', requires = "cases",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) workers: Vec<u16>,

    /// On the made-up clock, let one test in twenty take fifteen times as long
    #[arg(long, requires = "workers")]
    pub(crate) uneven: bool,

    /// On the made-up clock, a test takes as long as it took when it was first run here; with `-j 1`, nothing
    /// is beside it then
    #[arg(long, requires = "workers", conflicts_with = "uneven")]
    pub(crate) measured: bool,

    /// Longer inputs, more of them, and every walk with every list algorithm; takes hours
    #[arg(long)]
    pub(crate) full: bool,

    /// Inputs for each grammar, size and number of symbols [default: 3, with --full 10]
    #[arg(long, value_name = "N")]
    pub(crate) inputs: Option<u64>,

    /// Only these algorithms, as they are called in the tables
    #[arg(long, value_name = "NAME[,NAME...]", value_delimiter = ',')]
    pub(crate) algorithms: Vec<String>,

    /// Sizes of the inputs, in bytes [default: 20,40,80,160, with --full 25,50,100,200,400,800]
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',')]
    pub(crate) sizes: Vec<u64>,

    /// Seed of the inputs and tests
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Reductions to run at the same time; the figures are the same for any number
    /// [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Write a page with plots
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Write a line for each reduction
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,

    /// Write all figures
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}
