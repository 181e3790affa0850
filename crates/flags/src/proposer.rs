//! Flags for programs that propose edits.

use super::duration::duration;
use clap::Args;
use std::time::Duration;

#[derive(Clone, Debug, Args)]
pub struct ProposerFlags {
    /// Try the edits that this program proposes, when the passes remove nothing more
    ///
    /// COMMAND is a shell command that speaks the protocol of proposers in JSON lines, or one of
    /// the names `clang_delta` (of C-Vise, for C and C++), `clang-format`, and `none`.
    #[arg(long, value_name = "COMMAND")]
    pub proposer: Vec<String>,

    /// Try the edits that this program proposes, before the passes and again after them
    ///
    /// Use this flag for a program that is quick on a large text and removes much of it, such as an
    /// optimizer of the language or a tool that extracts one function. COMMAND has the same form as
    /// for `--proposer`.
    #[arg(long, value_name = "COMMAND")]
    pub proposer_early: Vec<String>,

    /// Stop a proposer after this time for one list of edits, and do not use it again
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub proposer_timeout: Duration,
}
