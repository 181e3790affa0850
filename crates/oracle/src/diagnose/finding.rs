use nubbin_verdict::Limit;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A reason why the original input may not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// It fails sometimes, or now and not before.
    Unsteady {
        /// Runs that failed.
        failed: usize,
        /// All runs.
        runs: usize,
    },
    /// It did not end within the limit.
    TimedOut {
        /// The limit.
        limit: Duration,
    },
    /// It wrote more output than its limit.
    OutputLimit,
    /// It hit another limit.
    OverLimit {
        /// The limit.
        limit: Limit,
    },
    /// Exit code 126 or 127: something in the test could not be run.
    NotRun {
        /// The exit code.
        code: i32,
        /// The line of the error output about it.
        line: Option<String>,
    },
    /// The command to compare with could not be run, or both commands did the same.
    OtherCommand {
        /// Its exit code where that is 126 or 127.
        code: Option<i32>,
        /// The line of the error output about it.
        line: Option<String>,
    },
    /// The command names the original's path, which is not where the test finds the candidate.
    TypedPath {
        /// The path as it was typed.
        typed: String,
        /// The name of the candidate in the folder of the test.
        name: PathBuf,
    },
    /// It fails beside copies of the input's neighbours, or misses some of them.
    NeedsFolder {
        /// Files there that the test names.
        files: Vec<PathBuf>,
    },
    /// The input is not handed to the test.
    InputNotUsed {
        /// Its name.
        name: String,
        /// Whether the script takes an argument.
        wants_argument: bool,
    },
    /// The test reads the original in its own place instead of the candidate.
    FixedPath {
        /// The place.
        path: PathBuf,
    },
    /// The exit code means the opposite.
    Inverted {
        /// The exit code on the failing input.
        code: i32,
    },
    /// The test itself crashed, and only exit code 0 is interesting.
    Crashed {
        /// The signal.
        name: String,
    },
    /// The test ended with the exit code that means "cannot decide".
    Abstained,
    /// Nothing is known but that the conditions do not hold.
    Unmet,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Unsteady { failed, runs } if failed == runs => {
                write!(f, "the test fails now ({runs} runs of {runs}): try again")
            }
            Finding::Unsteady { failed, runs } => write!(
                f,
                "the test is not steady: it failed in {failed} of {runs} runs; make it steady \
                 (fix seeds, run it several times in a loop inside the script)"
            ),
            Finding::TimedOut { limit } => write!(f, "the test took longer than {limit:?}"),
            Finding::OutputLimit => write!(f, "the test wrote more output than it may"),
            Finding::OverLimit { limit } => write!(f, "the test exceeded its limit on {limit}"),
            Finding::NotRun { code: 126, line } => write!(
                f,
                "exit code 126: something in the test may not be executed{}; run `chmod +x` on it",
                quoted(line)
            ),
            Finding::NotRun { code, line } => write!(
                f,
                "exit code {code}: the test could not find a command{}; write its absolute path, \
                 since the test does not run in your folder",
                quoted(line)
            ),
            Finding::OtherCommand {
                code: Some(code),
                line,
            } => write!(
                f,
                "the command to compare with ended with exit code {code}, as where a shell finds \
                 nothing to run{}: write the absolute path of what it needs, since it does not \
                 run in your folder",
                quoted(line)
            ),
            Finding::OtherCommand { code: None, .. } => write!(
                f,
                "both commands end in the same way and print the same, so there is no difference \
                 to keep"
            ),
            Finding::TypedPath { typed, name } => write!(
                f,
                "the command names `{typed}`; the test sees `{}` (write `{{}}` or `{}`)",
                name.display(),
                name.display()
            ),
            Finding::NeedsFolder { files } if files.is_empty() => write!(
                f,
                "the test fails with copies of the input's neighbours but not without them: it \
                 uses some of those files"
            ),
            Finding::NeedsFolder { .. } => write!(
                f,
                "the test uses neighbours of the input, which are not in the private folder \
                 where it runs"
            ),
            Finding::InputNotUsed {
                name,
                wants_argument: true,
            } => write!(
                f,
                "the script takes an argument but the command gives none: add `{{}}`, which \
                 stands for the path of `{name}`"
            ),
            Finding::InputNotUsed {
                name,
                wants_argument: false,
            } => write!(
                f,
                "the test does not name the input: it runs in a folder with the file `{name}`; \
                 use that name, or `{{}}` in the command"
            ),
            Finding::FixedPath { path } => write!(
                f,
                "the test reads `{}`, which is always the original: use the name without the \
                 folder, or `{{}}` in the command",
                path.display()
            ),
            Finding::Inverted { code } => write!(
                f,
                "the exit code may mean the opposite: it is {code} on the input and 0 on an empty \
                 one, but 0 has to mean that it fails; turn the test round"
            ),
            Finding::Crashed { name } => write!(f, "the command was ended by {name}"),
            Finding::Abstained => write!(
                f,
                "the test ended with exit code 125, which means that it cannot tell"
            ),
            Finding::Unmet => write!(
                f,
                "the conditions do not hold for the input: compare what was wanted with how the \
                 test ended"
            ),
        }
    }
}

fn quoted(line: &Option<String>) -> String {
    line.as_ref()
        .map_or(String::new(), |line| format!(" (`{}`)", line.trim()))
}
