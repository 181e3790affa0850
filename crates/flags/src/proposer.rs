//! Flags for programs that propose changes.

use super::duration::seconds;
use clap::Args;
use std::time::Duration;

#[derive(Clone, Debug, Args)]
pub struct ProposerFlags {
    /// Also try the changes that this program proposes, when no pass finds anything more
    ///
    /// A line for the shell that answers in lines of JSON, `clang_delta` (of C-Vise, for C and
    /// C++), `clang-format`, or `none`.
    #[arg(long, value_name = "COMMAND")]
    pub proposer: Vec<String>,

    /// Also try the changes that this program proposes, before the passes and once more at the end
    ///
    /// As `--proposer`, for a program that is quick on a large text and removes much of it: an
    /// optimizer of the language, a tool that keeps what one function needs. It is asked again
    /// after the passes.
    #[arg(long, value_name = "COMMAND")]
    pub proposer_early: Vec<String>,

    /// Stop a proposer after this many seconds for one list, and do not ask it again
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "60")]
    pub proposer_timeout: Duration,
}
