//! Runs a command on a candidate, and returns the verdict *fail*, *pass*, or *unresolved*.
//!
//! [`CommandOracle`] is the [`Oracle`](nubbin_verdict::Oracle) of the command line. The oracle runs
//! a [`TestCommand`] in a private folder, with limits on time, memory, and output, and leaves no
//! process and no file behind. A [`Predicate`] decides which runs fail. A [`Signature`]
//! distinguishes one failure from another. [`diagnose`] finds the reason why an input that should
//! fail does not.
//!
//! The crate does not know how candidates are made, and it knows no flags of the command line: its
//! errors and findings are types.
//!
//! ```
//! use nubbin_oracle::{CommandOracle, Options, TestCommand};
//! use nubbin_verdict::{Ask, Candidate, File, Oracle, Verdict};
//! use std::path::{Path, PathBuf};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let command = TestCommand::shell("grep -q bug {}")?;
//! let oracle = CommandOracle::new(Options::new(command, vec![PathBuf::from("input.txt")]))?;
//! let judge = |bytes| {
//!     let file = [File { name: Path::new("input.txt"), bytes }];
//!     oracle.judge(&Candidate::new(&file), &Ask::new(0))
//! };
//! assert_eq!(judge(b"a bug in here")?, Verdict::Fail);
//! assert_eq!(judge(b"nothing")?, Verdict::Pass);
//! # Ok(())
//! # }
//! ```
//!
//! # Systems
//!
//! All features work on Linux. The coverage of a [`Sandbox`] depends on the version of the kernel,
//! see [`SandboxSupport`].
//!
//! On other systems there is no sandbox.
//!
//! On other Unix systems nubbin does not find a process that leaves the process group of its test.
//! Memory, processor time, and the number of processes are not limited. The end of a test is polled
//! for. The folders of tests are in the system's temporary folder.
//!
//! On Windows a test is killed with all processes that it started, and their number is limited.
//! Memory and processor time are not limited. The end of a test is polled for, its folder is filled
//! again for every test, and shell lines need an `sh` in PATH.

#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of any kind")
)]

mod abandon;
mod access;
mod beside;
mod children;
mod command;
mod copies;
mod diagnose;
mod dialogue;
mod disk;
mod enclosure;
mod environment;
mod extra;
mod folder;
mod folder_error;
mod forkserver;
mod inner_name;
mod judge;
mod judgment;
mod last_lines;
mod last_output;
mod limits;
mod observer;
mod options;
mod oracle;
mod oracle_error;
mod output;
mod over;
mod parameters;
mod positions;
mod predicate;
mod private_folder;
mod process;
mod remembered;
mod remove;
mod root;
mod run;
mod run_error;
mod runner;
mod running;
mod sandbox;
mod served;
mod shell_word;
mod signal;
mod signature;
mod slot;
mod stack;
mod stamp;
mod start;
mod time_limits;
mod traced;
mod variable_list;
mod written;

pub use abandon::abandon;
pub use children::{adopt_orphans, end_children};
pub use command::{CommandError, TestCommand};
pub use diagnose::{
    Comparison, Diagnosis, Difference, FailureMessage, Finding, called_of_input, diagnose,
    diagnose_with, missing_line, missing_neighbors, missing_programs, path_of_original,
    programs_called, reports_missing, script_of, why_unused,
};
pub use dialogue::{Dialogue, DialogueError, Ending};
pub use environment::{Environment, EnvironmentError};
pub use extra::Extra;
pub use folder_error::FolderError;
pub use forkserver::{Coverage, Granularity, Persistence, Refused};
pub use last_lines::last_lines;
pub use last_output::{LastOutput, TestOutput};
pub use observer::{Observer, Validity};
pub use options::Options;
pub use oracle::CommandOracle;
pub use oracle_error::OracleError;
pub use output::Keep;
pub use parameters::Parameters;
pub use positions::{Position, PositionKind};
pub use predicate::{ABSTAIN, Condition, Predicate, PredicateError};
pub use private_folder::PrivateFolder;
pub use run::{Exit, Run};
pub use run_error::{RunError, ServerError};
pub use runner::{PlaceCounts, RunRequest, Runner};
pub use sandbox::{Loosening, Refusal, Sandbox, SandboxError, SandboxSupport, Trial, Wanted};
pub use served::ServedTrial;
pub use signature::{FailureKind, Message, Signature, frames_match};
pub use stack::{Stack, Tracer};
pub use variable_list::VariableList;
pub use written::LeftFile;
