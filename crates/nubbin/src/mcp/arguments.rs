//! The arguments of the tools. The schemas are generated from these types and their documentation.

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use std::path::PathBuf;

/// A test: a script or a command, and the conditions on its end.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct Test {
    /// The path of a script that exits with 0 while the failure is there, and with 125 if the
    /// script cannot decide. The script runs in a folder that has the candidate under the name of
    /// the input.
    #[schemars(example = &"./test.sh")]
    pub(super) script: Option<PathBuf>,
    /// The command and its arguments, instead of a script. `{}` is the path of the candidate.
    #[schemars(example = ["gcc", "-c", "{}"])]
    pub(super) command: Vec<String>,
    /// Require this exit code, or one of several: `101,134`.
    #[schemars(example = &"101,134")]
    pub(super) exit: Option<String>,
    /// Require this signal, such as `SEGV`, or `any`.
    #[schemars(example = &"SEGV")]
    pub(super) signal: Option<String>,
    /// Require that standard output matches this regular expression.
    #[schemars(example = &"wrong result")]
    pub(super) stdout: Option<String>,
    /// Require that standard error matches this regular expression.
    #[schemars(example = &"internal compiler error")]
    pub(super) stderr: Option<String>,
    /// Require that standard error does not match this regular expression.
    #[schemars(example = &"syntax error")]
    pub(super) not_stderr: Option<String>,
    /// Require the crash, assertion, or exception that the input shows now.
    pub(super) same_failure: bool,
    /// Pass the candidate to standard input.
    pub(super) stdin: bool,
    /// Files next to the input that the test reads, such as the script of an interpreter.
    #[schemars(example = ["lib.h"])]
    pub(super) with: Vec<PathBuf>,
    /// The time limit of one test in seconds.
    #[schemars(example = 10.0)]
    pub(super) timeout: Option<f64>,
}

/// The limits of a job, and how long a call waits for it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct Budget {
    /// End the search after this many seconds, with the best so far.
    #[schemars(example = 600.0)]
    pub(super) max_time: f64,
    /// End the search after this many tests, with the best so far.
    #[schemars(example = 1000)]
    pub(super) max_tests: Option<u64>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            max_time: 600.0,
            max_tests: None,
        }
    }
}

/// The time that a call waits for the end of a job, if the client sets none. Clients give up after
/// a minute.
fn usual_wait() -> f64 {
    30.0
}

/// The arguments of `check`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    /// The folder to run in: an absolute path. Other paths start at this folder.
    #[schemars(example = &"/home/me/project")]
    pub(super) folder: PathBuf,
    /// The failing file or folder.
    #[schemars(example = &"crash.c")]
    pub(super) input: PathBuf,
    /// Patterns of files in the folder `input` that are part of the program under test. The test
    /// gets them as they are. `capture` returns them as `fixed`.
    #[serde(default)]
    #[schemars(example = ["parser.py", "*.js"])]
    pub(super) fixed: Vec<String>,
    /// The test: `script` or `command`, and the conditions on its end.
    pub(super) test: Test,
    /// Wait for the end of the job for at most this many seconds.
    #[serde(default = "usual_wait")]
    #[schemars(example = 30.0)]
    pub(super) wait: f64,
}

/// The arguments of `reduce`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reduce {
    /// The folder to run in: an absolute path. Other paths start at this folder.
    #[schemars(example = &"/home/me/project")]
    pub(super) folder: PathBuf,
    /// The failing file or folder. The input is never changed.
    #[schemars(example = &"crash.c")]
    pub(super) input: PathBuf,
    /// The path of the result [default: NAME.min.EXT next to the input].
    #[schemars(example = &"small.c")]
    pub(super) output: Option<PathBuf>,
    /// Patterns of files in the folder `input` that are part of the program under test. The test
    /// gets them as they are. `capture` returns them as `fixed`.
    #[serde(default)]
    #[schemars(example = ["parser.py", "*.js"])]
    pub(super) fixed: Vec<String>,
    /// The test: `script` or `command`, and the conditions on its end.
    pub(super) test: Test,
    /// The limits of the search [default: 600 seconds].
    #[serde(default)]
    pub(super) budget: Budget,
    /// Wait for the end of the job for at most this many seconds. 0 starts it and returns.
    #[serde(default = "usual_wait")]
    #[schemars(example = 30.0)]
    pub(super) wait: f64,
}

/// The arguments of `explain`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Explain {
    /// The folder to run in: an absolute path. Other paths start at this folder.
    #[schemars(example = &"/home/me/project")]
    pub(super) folder: PathBuf,
    /// The failing file, reduced as far as possible.
    #[schemars(example = &"crash.c")]
    pub(super) input: PathBuf,
    /// The test: `script` or `command`, and the conditions on its end.
    pub(super) test: Test,
    /// The limits of the search [default: 600 seconds].
    #[serde(default)]
    pub(super) budget: Budget,
    /// Wait for the end of the job for at most this many seconds.
    #[serde(default = "usual_wait")]
    #[schemars(example = 30.0)]
    pub(super) wait: f64,
}

/// The arguments of `isolate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Isolate {
    /// The folder to run in: an absolute path. Other paths start at this folder.
    #[schemars(example = &"/home/me/project")]
    pub(super) folder: PathBuf,
    /// The file that passes.
    #[schemars(example = &"good.json")]
    pub(super) passing: PathBuf,
    /// The file that fails.
    #[schemars(example = &"bad.json")]
    pub(super) failing: PathBuf,
    /// The folder of the results, NAME.pass.EXT and NAME.fail.EXT [default: the folder of
    /// `failing`].
    #[schemars(example = &"results")]
    pub(super) output: Option<PathBuf>,
    /// The test: `script` or `command`, and the conditions on its end.
    pub(super) test: Test,
    /// The limits of the search [default: 600 seconds].
    #[serde(default)]
    pub(super) budget: Budget,
    /// Wait for the end of the job for at most this many seconds.
    #[serde(default = "usual_wait")]
    #[schemars(example = 30.0)]
    pub(super) wait: f64,
}

/// The arguments of `capture`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Capture {
    /// The folder to run in: an absolute path. Files below it are copied.
    #[schemars(example = &"/home/me/project")]
    pub(super) folder: PathBuf,
    /// The failing command and its arguments.
    #[schemars(example = ["gcc", "-c", "{}"])]
    pub(super) command: Vec<String>,
    /// The folder for the copies and the draft of a test [default: `captured`].
    #[schemars(example = &"captured")]
    pub(super) output: Option<PathBuf>,
    /// Wait for the end of the job for at most this many seconds.
    #[serde(default = "usual_wait")]
    #[schemars(example = 30.0)]
    pub(super) wait: f64,
}

/// The arguments of `state`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    /// The number of the job.
    #[schemars(example = 1)]
    pub(super) job: u64,
    /// Wait for the end of the job for at most this many seconds.
    #[serde(default)]
    #[schemars(example = 30.0)]
    pub(super) wait: f64,
}

/// The arguments of `stop`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Stop {
    /// The number of the job.
    #[schemars(example = 1)]
    pub(super) job: u64,
}
