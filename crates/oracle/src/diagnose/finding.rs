use nubbin_verdict::Limit;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A message of a failure in an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailureMessage {
    /// The parts of its line that do not depend on the input, in their order.
    pub parts: Vec<String>,
    /// Whether standard error has it, and not standard output.
    pub is_stderr: bool,
}

/// A reason why the original input may not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// The test is flaky: it failed in some runs only, or in the runs of the diagnosis but not
    /// before.
    Flaky {
        /// The number of runs that failed.
        failed: usize,
        /// The number of all runs.
        runs: usize,
    },
    /// The test did not end within its time limit.
    TimedOut {
        /// The limit that the test hit.
        limit: Duration,
    },
    /// A process of the test was stopped, for example by SIGSTOP, and the test did not end within
    /// its time limit.
    Stopped {
        /// The limit that the test hit.
        limit: Duration,
    },
    /// The build before the test failed.
    NotBuilt {
        /// The exit code of the build; `None` after a signal.
        code: Option<i32>,
        /// The time limit at which the build was stopped.
        limit: Option<Duration>,
        /// The line of the build's error output about a missing command or file.
        line: Option<String>,
    },
    /// The test wrote more output than its limit.
    OutputLimit,
    /// The test hit a limit other than the time and output limits.
    OverLimit {
        /// The limit that the test hit.
        limit: Limit,
    },
    /// The test exited with code 126 or 127, since it could not run a command.
    NotRun {
        /// The exit code of the test: 126 or 127.
        code: i32,
        /// The line of the error output about the missing program.
        line: Option<String>,
    },
    /// The script of the test runs a program that does not exist, and hides the message about it.
    NoProgram {
        /// The name or the absolute path of the program.
        name: String,
    },
    /// The command to compare with could not be run, or both commands did the same.
    OtherCommand {
        /// The exit code of the command to compare with, if that is 126 or 127.
        code: Option<i32>,
        /// The line of the error output about the missing program.
        line: Option<String>,
    },
    /// The command names the path of the original instead of the candidate's path.
    TypedPath {
        /// The path of the original as typed in the command.
        typed: String,
        /// The name of the candidate in the folder of the test.
        name: PathBuf,
    },
    /// The test fails next to copies of the input's neighbors, or lacks some of these files.
    NeedsFolder {
        /// The neighbors that the test names.
        files: Vec<PathBuf>,
    },
    /// The input is not passed to the test.
    InputNotUsed {
        /// The name of the input.
        name: String,
        /// Whether the script takes an argument.
        wants_argument: bool,
        /// Whether the input is a folder.
        is_folder: bool,
    },
    /// The test fails if it starts inside the folder that is the input.
    StartsInside {
        /// The name of the folder.
        name: String,
    },
    /// The test reads the original by its absolute path instead of the candidate.
    FixedPath {
        /// The path of the original.
        path: PathBuf,
    },
    /// The script of `sh -c` is split into several words, and the shell only runs the first one.
    SplitScript {
        /// The name of the shell.
        shell: String,
        /// The words of the script.
        script: String,
    },
    /// The script of `sh -c` has `{}` outside of quotes, and the path of the candidate needs them.
    BarePlace {
        /// The path of the candidate.
        path: PathBuf,
    },
    /// The exit code means the opposite.
    Inverted {
        /// The exit code on the failing input.
        code: i32,
        /// The message of the failure, if the command prints one.
        message: Option<FailureMessage>,
    },
    /// The command crashed, but only exit code 0 means *fail*.
    Crashed {
        /// The name of the signal.
        name: String,
    },
    /// The command shows a recognized failure, but only exit code 0 means *fail*.
    OwnFailure {
        /// The signature of the failure, in words.
        signature: String,
    },
    /// The test ended with the exit code that means "cannot decide".
    Abstained,
    /// One of the two commands to compare gives a different result in each run.
    DiffersFromItself,
    /// Some conditions do not hold, and no reason was found.
    Unmet {
        /// The conditions that hold, in words.
        held: Vec<String>,
        /// The conditions that do not hold, in words.
        unmet: Vec<String>,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Flaky { failed, runs } => flaky(f, *failed, *runs),
            Finding::TimedOut { limit } => write!(f, "the test took longer than {limit:?}"),
            Finding::Stopped { limit } => write!(
                f,
                "a process of the test was stopped by a signal (SIGSTOP, for example), and nothing \
                 continued it within {limit:?}; more time does not help"
            ),
            Finding::NotBuilt { code, limit, line } => not_built(f, *code, *limit, line),
            Finding::OutputLimit => write!(f, "the test exceeded its output limit"),
            Finding::OverLimit { limit } => write!(f, "the test exceeded its limit on {limit}"),
            Finding::NotRun { code, line } => not_run(f, *code, line),
            Finding::NoProgram { name } => write!(
                f,
                "the script of the test runs `{name}`, which does not exist; correct its \
                 name, or install it"
            ),
            Finding::OtherCommand { code, line } => other_command(f, *code, line),
            Finding::TypedPath { typed, name } => write!(
                f,
                "the command names `{typed}`; the test sees `{}` (write `{{}}` or `{}`)",
                name.display(),
                name.display()
            ),
            Finding::NeedsFolder { files } => needs_folder(f, files),
            Finding::InputNotUsed {
                name,
                wants_argument,
                is_folder,
            } => input_not_used(f, name, *wants_argument, *is_folder),
            Finding::StartsInside { name } => write!(
                f,
                "the test expects to start inside the folder `{name}`, where it fails; every test \
                 starts in a folder that contains `{name}`"
            ),
            Finding::FixedPath { path } => write!(
                f,
                "the test reads `{}`, which is always the original: use the name without the \
                 folder, or `{{}}` in the command",
                path.display()
            ),
            Finding::SplitScript { shell, script } => write!(
                f,
                "`{shell} -c` runs the first word after it: put quotes around all of `{script}`"
            ),
            Finding::BarePlace { path } => write!(
                f,
                "the shell splits `{}`, the path that `{{}}` stands for: write `\"{{}}\"` in the \
                 script",
                path.display()
            ),
            Finding::Inverted { code, .. } => write!(
                f,
                "the exit code may mean the opposite: it is {code} on the input and 0 on an empty \
                 one, but 0 must mean that the input fails; invert the test"
            ),
            Finding::Crashed { name } => write!(f, "the command was killed by {name}"),
            Finding::OwnFailure { signature } => write!(
                f,
                "the command shows a failure of its own ({signature}), and exit code 0 is wanted"
            ),
            Finding::Abstained => write!(
                f,
                "the test exited with code 125, which means that it cannot decide"
            ),
            Finding::DiffersFromItself => write!(
                f,
                "a command gives a different result in each run on this input, so a difference \
                 between two commands has no meaning: remove the parts of the output that change, such as times, addresses, \
                 and uninitialized values"
            ),
            Finding::Unmet { held, unmet } => conditions(f, held, unmet),
        }
    }
}

fn flaky(f: &mut fmt::Formatter<'_>, failed: usize, runs: usize) -> fmt::Result {
    if failed == runs {
        return write!(f, "the test fails now ({runs} runs of {runs}): try again");
    }
    write!(
        f,
        "the test is flaky: it failed in {failed} of {runs} runs; make it deterministic (fix \
         seeds, or repeat the run in a loop inside the script)"
    )
}

fn not_built(
    f: &mut fmt::Formatter<'_>,
    code: Option<i32>,
    limit: Option<Duration>,
    line: &Option<String>,
) -> fmt::Result {
    match (limit, code, line) {
        (Some(limit), ..) => write!(f, "the build took longer than {limit:?}"),
        (None, Some(127), line) => write!(
            f,
            "exit code 127: the build could not find a command{}; write its absolute path, since \
             it does not run in your folder",
            quoted(line)
        ),
        (None, _, Some(_)) => write!(
            f,
            "the build lacks a file or a permission: it runs in a private folder that has the \
             input and nothing next to it"
        ),
        (None, _, None) => write!(
            f,
            "the build must exit with code 0 on the input as it is; if the failure is one of \
             the build, make the build the test"
        ),
    }
}

fn not_run(f: &mut fmt::Formatter<'_>, code: i32, line: &Option<String>) -> fmt::Result {
    let line = quoted(line);
    if code == 126 {
        return write!(
            f,
            "exit code 126: the test could not execute a file{line}; run `chmod +x` on it"
        );
    }
    write!(
        f,
        "exit code {code}: the test could not find a command{line}; write its absolute path, since \
         the test does not run in your folder"
    )
}

fn other_command(
    f: &mut fmt::Formatter<'_>,
    code: Option<i32>,
    line: &Option<String>,
) -> fmt::Result {
    match code {
        Some(code) => write!(
            f,
            "the command to compare with exited with code {code}, with which a shell reports \
             that it cannot run a command{}: write absolute paths, since it does not run in your \
             folder",
            quoted(line)
        ),
        None => write!(
            f,
            "both commands end in the same way and print the same output, so there is no \
             difference to keep"
        ),
    }
}

fn needs_folder(f: &mut fmt::Formatter<'_>, files: &[PathBuf]) -> fmt::Result {
    f.write_str(match files {
        [] => {
            "the test fails with copies of the input's neighbors but not without them: it uses \
             some of those files"
        }
        [..] => {
            "the test uses neighbors of the input, which are not in the private folder where it \
             runs"
        }
    })
}

fn input_not_used(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    wants_argument: bool,
    is_folder: bool,
) -> fmt::Result {
    if wants_argument {
        return write!(
            f,
            "the script takes an argument but the command gives none: add `{{}}`, which stands for \
             the path of `{name}`"
        );
    }
    let place = match is_folder {
        true => "starts in a folder that contains the folder",
        false => "runs in a folder with the file",
    };
    write!(
        f,
        "the test does not name the input: it {place} `{name}`; use that name, or `{{}}` in the \
         command"
    )
}

fn conditions(f: &mut fmt::Formatter<'_>, held: &[String], unmet: &[String]) -> fmt::Result {
    if held.len() + unmet.len() < 2 {
        return write!(
            f,
            "the input does not trigger this failure: compare the conditions with the output above"
        );
    }
    let unmet = unmet.iter().map(|it| format!("{it} does not hold"));
    let held = held.iter().map(|it| format!("{it} holds"));
    let all: Vec<String> = unmet.chain(held).collect();
    write!(f, "of the conditions, {}", all.join(", "))
}

fn quoted(line: &Option<String>) -> String {
    line.as_ref()
        .map_or(String::new(), |line| format!(" (`{}`)", line.trim()))
}
