//! Flags for the test: the command, which outcome is the failure, how it is run, and its limits.

use super::duration::seconds;
use super::jobs::Jobs;
use super::remote::RemoteFlags;
use super::sandbox::SandboxFlags;
use super::size;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The usual limit on the processes of a test.
pub const PROCESSES: u32 = 512;

/// The test of `reduce`, `isolate`, and `explain`.
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
    /// It runs without arguments in the folder of the candidate.
    #[arg(long = "test", value_name = "PROGRAM", conflicts_with = "command")]
    pub program: Option<PathBuf>,

    /// Run this many tests at the same time [default: one per core]
    ///
    /// With `--remote`, a number is that of tests on the farm; `local:4,remote:200` is for both
    /// places. The default is then one per core and 16 on the farm.
    #[arg(short, long, alias = "n", value_name = "N")]
    pub jobs: Option<Jobs>,

    /// Use no defaults of `nubbin.toml`
    ///
    /// Defaults are in the file of the current folder or the nearest one above it, and in
    /// nubbin/nubbin.toml of the user's configuration folder. A table for each command (`[reduce]`)
    /// has a key for each long flag (`jobs = 2`). The file of a project may set some flags only: it
    /// runs nothing, writes nothing, and does not decide which tests fail.
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
    /// A candidate that does not fit is unresolved, and the test is not run. Of several files, each
    /// must fit. The flag reads the grammar for nothing else: `--grammar` makes trees of it. Give
    /// the flag once for each file of the grammar.
    #[arg(long, value_name = "GRAMMAR")]
    pub valid_for: Vec<PathBuf>,

    /// Treat a test that hits the time limit as failing
    #[arg(long, requires = "timeout")]
    pub timeout_fails: bool,

    /// Require that this second command, for the shell, differs in exit or standard output
    ///
    /// A candidate that would be adopted is run twice by both commands. If one of them gives
    /// another result than before, the candidate is unresolved: a program that prints an address or
    /// an uninitialized value differs from everything. For wrong code of a compiler of C or C++,
    /// add `--ub-free`.
    #[arg(long, value_name = "COMMAND")]
    pub differs_from: Option<String>,

    /// Require that a candidate in C or C++ has no undefined behavior that clang or gcc sees
    ///
    /// For wrong code: a compiler may do anything with undefined behavior. A candidate that would
    /// be adopted must compile without warnings about it (uninitialized variables, missing returns,
    /// wrong formats, ...). If it is a program, it must run without input and without a report of
    /// AddressSanitizer and UndefinedBehaviorSanitizer, with clang also of MemorySanitizer. The
    /// compiler is clang, or gcc if there is no clang in PATH. It gets FLAGS at the end, such as
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
    /// Recognized by its signal, assertion, sanitizer report, internal compiler error, panic, or
    /// uncaught exception. Where the signal is all there is, the stack at it must be the same as
    /// well, as with `--same-stack` (Linux).
    #[arg(long)]
    pub same_failure: bool,

    /// Require that the program crashes in the same functions as with the original
    ///
    /// For programs that print nothing about a crash. A candidate that would be adopted runs once
    /// more under `ptrace`, and the stack at the signal is read: of the three innermost functions
    /// of the program, the first one and another one must be those of the original. Functions of
    /// the C library, of signal handlers, and of `abort` do not count, and of a stack that is used
    /// up the recursion counts. Without symbols, a function is its position in the program. A
    /// candidate with another stack is another failure (`--other-failures`). Linux on x86_64 and
    /// AArch64.
    #[arg(long, conflicts_with = "remote")]
    pub same_stack: bool,

    /// Require the coverage that the original has, of a program built with AFL++ (`afl-cc`)
    ///
    /// Each test must take the same edges, as often as in the original (`hits`, in the classes of
    /// AFL: 1, 2, 3, 4 to 7, 8 to 15, ...) or at all (`edges`), and must end by a signal if the
    /// original does, and only then. Implies `--persistent`.
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
    /// Edges, and how often they are taken
    Hits,
    /// Edges
    Edges,
}

/// The use of a fork server for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PersistentMode {
    /// Each test in a process of its own
    Fork,
    /// Test after test in the loop of the program (`__AFL_LOOP`)
    Loop,
}

#[derive(Debug, Args)]
pub struct TestRunFlags {
    /// Stop a test after this many seconds [default: ten times the longest failing run, at least 5,
    /// at most 300]
    ///
    /// By default, a test that computes, as one in an endless loop does, is stopped earlier: when
    /// its processor time is twenty times the most of a failing run, and at least 0.2 (on Linux).
    /// Other programs that keep the machine busy do not change that. The default counts failing
    /// tests only, so a test that hangs never raises it. It only grows, so no test gets less time
    /// than a similar one had before. Run times differ from run to run: set a limit where a test
    /// may come close to it and the run is to be repeated exactly.
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Feed the candidate to the command's standard input
    #[arg(long)]
    pub stdin: bool,

    /// Run the tests in the fork server of a program built with AFL++ (`afl-cc`), without starting
    /// it for each
    ///
    /// Each job has a server. In the command, `@@` stands for the candidate's path, as in AFL++,
    /// beside `{}`; without either, the candidate is the standard input. A program with test cases
    /// in shared memory gets them there. With `loop`, the program's loop (`__AFL_LOOP`) runs test
    /// after test in one process; a test that fails there is repeated in a new one. The original
    /// runs in the server and by itself: if the two differ, or if there is no server, the program
    /// is started for each test, and a warning says so.
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

    /// Run this command of the shell before each test, in the same folder
    ///
    /// If it does not end with exit code 0, the candidate does not build: the test is not run, and
    /// the candidate is unresolved and counted apart. `{}` in it stands for the candidate's path.
    /// The limits and the sandbox of the test are those of the build as well. What the build writes
    /// into the folder is removed after each test.
    #[arg(
        long,
        value_name = "COMMAND",
        conflicts_with_all = ["persistent", "same_coverage"]
    )]
    #[arg(conflicts_with = "remote")]
    pub build: Option<String>,

    /// Put a copy of this file or folder beside the candidate
    ///
    /// A relative path is the same for the test. An input that is in the topmost folder of such a
    /// path keeps its path as well.
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,

    /// Put copies of all files and folders beside the input beside the candidate
    ///
    /// Results of nubbin and the history of a project (`.git`) are left out. There may be up to
    /// 5000 files and 256 MiB.
    #[arg(long)]
    pub with_siblings: bool,

    /// Keep the failure that the original shows in the folder of the test, even if it fails in
    /// another way, or not at all, in yours
    ///
    /// Without this flag, the original also runs beside copies of the files in your folder, up to
    /// 1000 files and 64 MiB. With more, it runs in your folder, where it can write nothing. If it
    /// then fails in another way, the test lacks files, and the run is refused. Conditions on the
    /// output or a signal say by themselves what the failure is, and need no such run.
    #[arg(long)]
    pub private_failure: bool,

    /// Set a variable in the test's environment
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<OsString>,

    /// Remove a variable from the test's environment
    #[arg(long, value_name = "NAME")]
    pub unset_env: Vec<OsString>,

    /// Give the test only PATH, HOME, LANG, a TMPDIR of its own, and the variables of `--env`
    #[arg(long)]
    pub clean_env: bool,

    /// Keep the folders that the tests ran in
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
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub cpu: Option<Duration>,

    /// Limit the number of processes of a test at one time
    #[arg(long, value_name = "N", default_value_t = PROCESSES, value_parser = clap::value_parser!(u32).range(1..))]
    pub processes: u32,

    /// Limit the length of each file that a test writes
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub file_size: Option<u64>,

    /// Limit standard output and standard error, each, where a condition reads them
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = size::parse)]
    pub output_limit: u64,

    /// Limit the size of all files in a test's folders [default: 4G, or half of the free space]
    #[arg(long, value_name = "SIZE", value_parser = size::parse)]
    pub disk: Option<u64>,
}
