//! Flags for the test: the command, the failure conditions, the environment, and the limits.

use super::duration::duration;
use super::jobs::Jobs;
use super::remote::RemoteFlags;
use super::sandbox::SandboxFlags;
use super::size;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The default limit on the number of processes of a test.
pub const PROCESSES: u32 = 512;

/// Flags for the test of `reduce`, `isolate`, and `explain`.
#[derive(Debug, Args)]
pub struct TestFlags {
    /// The test: a command and its arguments; `{}` stands for the candidate's path
    #[arg(
        last = true,
        value_name = "COMMAND",
        required_unless_present = "program"
    )]
    pub command: Vec<OsString>,

    /// Run this program as the test
    ///
    /// The program runs without arguments in the folder of the candidate.
    #[arg(long = "test", value_name = "PROGRAM", conflicts_with = "command")]
    pub program: Option<PathBuf>,

    /// Run this many tests at the same time [default: one per core]
    ///
    /// With `--remote`, N is the number of tests on the farm. `local:4,remote:200` also sets the
    /// number of tests on this machine. The default is then one per core on this machine, and 16 on
    /// the farm.
    #[arg(short, long, alias = "n", value_name = "N")]
    pub jobs: Option<Jobs>,

    /// Ignore the defaults in `nubbin.toml`
    ///
    /// nubbin reads the nearest `nubbin.toml` in the current folder or above it, and
    /// nubbin/nubbin.toml in the user's configuration folder. A table for each command (`[reduce]`)
    /// has a key for each long flag (`jobs = 2`). The file of a project may set only some flags: it
    /// cannot run programs, write files, or decide which tests fail.
    #[arg(long)]
    pub no_config: bool,

    #[command(
        flatten,
        next_help_heading = "Failure conditions (all that are given must hold)"
    )]
    pub failure: FailureFlags,

    #[command(flatten, next_help_heading = "Test environment")]
    pub run: TestRunFlags,

    #[command(flatten, next_help_heading = "Sandbox")]
    pub sandbox: SandboxFlags,

    #[command(flatten, next_help_heading = "Tests on a farm")]
    pub remote: RemoteFlags,

    #[command(
        flatten,
        next_help_heading = "Test limits (a test that hits one is unresolved)"
    )]
    pub limits: LimitFlags,
}

/// Predicates on a run of the test; all that are given must hold.
#[derive(Debug, Args)]
pub struct FailureFlags {
    /// Require one of these exit codes [default: 0, unless another condition is given]
    #[arg(long, value_name = "N[,N...]")]
    pub exit: Vec<String>,

    /// Require that this signal kills the command (SEGV, ABRT, 11, ..., or `any` crash)
    #[arg(long, value_name = "NAME")]
    pub signal: Vec<String>,

    /// Require that standard output matches this regular expression
    #[arg(long, value_name = "RE")]
    pub stdout: Vec<String>,

    /// Require that standard error matches this regular expression
    #[arg(long, value_name = "RE")]
    pub stderr: Vec<String>,

    /// Require that standard output does not match this regular expression
    #[arg(long, value_name = "RE")]
    pub not_stdout: Vec<String>,

    /// Require that standard error does not match this regular expression
    #[arg(long, value_name = "RE")]
    pub not_stderr: Vec<String>,

    /// Require that the candidate fits this grammar (BNF, EBNF, JSON as in the Fuzzing Book, or
    /// ANTLR 4)
    ///
    /// A candidate that does not fit is unresolved, and its test is not run. If the input has
    /// several files, each file must fit. This flag only checks candidates; `--grammar` builds
    /// syntax trees for the search. Give the flag once for each file of the grammar.
    #[arg(long, value_name = "GRAMMAR")]
    pub valid_for: Vec<PathBuf>,

    /// Treat a test that hits the time limit as failing
    #[arg(long, requires = "timeout")]
    pub timeout_fails: bool,

    /// Require that this second shell command differs in exit status or standard output
    ///
    /// Before nubbin adopts a candidate, it runs both commands twice. If the two runs of a command
    /// differ, the candidate is unresolved. A program that prints an address or an uninitialized
    /// value would otherwise differ from every program. For wrong code of a C or C++ compiler, add
    /// `--ub-free`.
    #[arg(long, value_name = "COMMAND")]
    pub differs_from: Option<String>,

    /// Require that a candidate in C or C++ has no undefined behavior that clang or gcc detects
    ///
    /// Use this flag for wrong code, since a compiler may do anything with undefined behavior. A
    /// candidate that would be adopted must compile without warnings about undefined behavior
    /// (uninitialized variables, missing returns, wrong formats, ...). A candidate that is a whole
    /// program must also run, without input, without a report of AddressSanitizer or
    /// UndefinedBehaviorSanitizer, and with clang also of MemorySanitizer. The compiler is clang,
    /// or gcc if clang is not in PATH. nubbin adds FLAGS to its arguments, as in
    /// `--ub-free='-std=gnu89 -Iinclude'`; `-Wno-error=NAME` permits a warning. The original must
    /// be free of undefined behavior as well.
    #[arg(
        long,
        value_name = "FLAGS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ""
    )]
    #[arg(conflicts_with = "remote")]
    pub ub_free: Option<String>,

    /// Require the same failure as the original
    ///
    /// nubbin recognizes the failure by its signal, assertion, sanitizer report, internal compiler
    /// error, panic, or uncaught exception. If a signal is the only evidence, the stack at the
    /// signal must be the same as well, as with `--same-stack` (Linux).
    #[arg(long)]
    pub same_failure: bool,

    /// Require that the program crashes in the same functions as with the original
    ///
    /// Use this flag for programs that print nothing about a crash. A candidate that would be
    /// adopted runs once more under `ptrace`, and nubbin reads the stack at the signal. Of the
    /// three innermost functions of the program, the first function and one other must be the same
    /// as in the original. Functions of the C library, of signal handlers, and of `abort` do not
    /// count. For a stack overflow, the recursive functions are compared. Without symbols, a
    /// function is identified by its position in the program. A candidate with another stack shows
    /// another failure (`--other-failures`). This flag needs Linux on x86_64 or AArch64.
    #[arg(long, conflicts_with = "remote")]
    pub same_stack: bool,

    /// Require the same coverage as the original, for a program built with AFL++ (`afl-cc`)
    ///
    /// Each candidate must take the same edges as the original. With `hits`, the number of times
    /// must be in the same class of AFL (1, 2, 3, 4 to 7, 8 to 15, ...); with `edges`, the number
    /// has no effect. A candidate must end by a signal if and only if the original does. Implies
    /// `--persistent`.
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "hits"
    )]
    #[arg(conflicts_with = "remote")]
    pub same_coverage: Option<CoverageMode>,
}

/// The part of the coverage that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoverageMode {
    /// Edges and their hit counts
    Hits,
    /// Edges without their hit counts
    Edges,
}

/// The use of a fork server for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PersistentMode {
    /// Each test in a process of its own
    Fork,
    /// Several tests in one process, in the loop of the program (`__AFL_LOOP`)
    Loop,
}

#[derive(Debug, Args)]
pub struct TestRunFlags {
    /// Stop a test after this time [default: ten times the longest failing run, at least 5 s, at
    /// most 300 s]
    ///
    /// By default, a test in an endless loop is stopped earlier (on Linux): when its processor time
    /// is twenty times the maximum of a failing run, and at least 0.2 s. The load of the machine
    /// does not change this limit. The default depends only on failing tests, so a test that hangs
    /// never raises it. The default never falls during a run. Run times vary, so set a limit if a
    /// test may come close to the default and the run must be repeatable.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,

    /// Feed the candidate to the command's standard input
    #[arg(long)]
    pub stdin: bool,

    /// Run tests in the fork server of a program built with AFL++ (`afl-cc`), without a new start
    /// for each test
    ///
    /// Each job has a server. In the command, both `@@` and `{}` stand for the candidate's path.
    /// Without them, the program reads the candidate from standard input. A program that reads test
    /// cases from shared memory gets them in shared memory. With `loop`, the program's loop
    /// (`__AFL_LOOP`) runs several tests in one process, and a test that fails is repeated in a new
    /// process. nubbin runs the original in the server and without it. If the outcomes differ, or
    /// if the program has no server, nubbin prints a warning and starts the program for each test.
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "fork"
    )]
    #[arg(conflicts_with = "remote")]
    pub persistent: Option<PersistentMode>,

    /// Run this shell command before each test, in the same folder
    ///
    /// If the command does not exit with code 0, the candidate does not build. Such a candidate
    /// is unresolved, its test is not run, and nubbin counts it separately. `{}` in the command
    /// stands for the candidate's path. The build has the same limits and the same sandbox as the
    /// test. Files that the build writes into the folder are removed after each test.
    #[arg(
        long,
        value_name = "COMMAND",
        conflicts_with_all = ["persistent", "same_coverage"]
    )]
    #[arg(conflicts_with = "remote")]
    pub build: Option<String>,

    /// Put a copy of this file or folder next to the candidate
    ///
    /// A relative path is the same for the test. An input inside the topmost folder of such a path
    /// keeps its relative path as well.
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,

    /// Copy all files and folders from the input's folder next to the candidate
    ///
    /// Results of nubbin and the history of a project (`.git`) are left out. The limit is 5000
    /// files and 256 MiB.
    #[arg(long)]
    pub with_siblings: bool,

    /// Accept the failure that the original shows in the private folder of the test, even if it
    /// fails in another way, or not at all, in your folder
    ///
    /// Without this flag, the original also runs next to copies of the files in your folder, up to
    /// 1000 files and 64 MiB. If there are more files, the original runs in your folder without
    /// write access. If the original then fails in another way, the test lacks files, and nubbin
    /// exits with an error. With conditions on the output or a signal, nubbin skips this check,
    /// since the conditions describe the failure.
    #[arg(long)]
    pub private_failure: bool,

    /// Set a variable in the test's environment
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<OsString>,

    /// Remove a variable from the test's environment
    #[arg(long, value_name = "NAME")]
    pub unset_env: Vec<OsString>,

    /// Give the test only PATH, HOME, LANG, a TMPDIR of its own, and the variables set with `--env`
    #[arg(long)]
    pub clean_env: bool,

    /// Keep the temporary folders of the tests
    #[arg(long)]
    pub keep_temp: bool,
}

/// Limits on one test.
#[derive(Clone, Debug, Args)]
pub struct LimitFlags {
    /// Limit the memory of all processes of a test together; sizes are bytes, `512M`, or `2G`
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub memory: Option<u64>,

    /// Limit the processor time of all processes of a test together
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub cpu: Option<Duration>,

    /// Limit the number of processes of a test at one time
    #[arg(long, value_name = "N", default_value_t = PROCESSES, value_parser = clap::value_parser!(u32).range(1..))]
    pub processes: u32,

    /// Limit the length of each file that a test writes
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub file_size: Option<u64>,

    /// Limit the size of standard output, and of standard error, if a condition reads them
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = size::parse)]
    pub output_limit: u64,

    /// Limit the size of all files in a test's folders [default: 4G, or half of the free space]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub disk: Option<u64>,
}
