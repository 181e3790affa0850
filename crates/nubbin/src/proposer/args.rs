//! What can be typed of proposers.

use clap::Args as ClapArgs;
use std::time::Duration;

/// Programs that propose changes.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct ProposerArgs {
    /// Also try what this program proposes, when nothing else gets anywhere any more: a line for the
    /// shell that answers in lines of JSON, `clang_delta` (of C-Vise, for C and C++), `clang-format`,
    /// or `none`
    #[arg(long, value_name = "COMMAND")]
    pub(crate) proposer: Vec<String>,

    /// How long a proposer may take for one list; one that takes longer is not asked again
    #[arg(long, value_name = "SECS", value_parser = crate::args::seconds, default_value = "60")]
    pub(crate) proposer_timeout: Duration,
}
