//! Flags of `nubbin fuzz`.

use super::duration::duration;
use super::{EngineFlags, WalkFlags};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const HELP: &str = "\
Expressions run in batches, each batch in its own process and each expression in a `try` statement.
When an engine crashes, nubbin finds the expression that causes the crash, and reduces the choices
of this expression. The graph can generate every reduced expression. If a crash needs several
expressions, nubbin keeps all of them. Uncaught errors, and the exit codes and messages that the
profile lists, do not count as bugs.

The output folder has a subfolder for each bug, with the smallest script, the choices, and a report.";

#[derive(Debug, Args)]
pub struct FuzzFlags {
    /// Use this prototype graph, created by `nubbin graph explore` or `nubbin graph learn`
    #[arg(short, long, value_name = "GRAPH")]
    pub graph: PathBuf,

    /// Write the bugs to this folder, which must be empty or new
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,

    /// Run this many expressions; `inf` runs until the run is stopped
    #[arg(short = 'n', long = "count", value_name = "N", default_value = "50000", value_parser = super::generate::count)]
    pub count: u64,

    /// Set the seed of all random decisions
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Run this many expressions in one process
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub batch: u32,

    /// Run this many engines at the same time [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,

    /// Stop after this time (`90` seconds, or `15m`); bugs found by then are still isolated and
    /// confirmed
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub max_time: Option<Duration>,

    /// Limit the number of runs that reduce one bug
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub reduction_tests: u64,

    #[command(flatten)]
    pub walk: WalkFlags,

    #[command(flatten)]
    pub engine: EngineFlags,

    /// Write the statistics and the findings as JSON to this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub stats: Option<PathBuf>,

    /// Print the statistics, or the error, as JSON, and no messages
    ///
    /// Equivalent to `--stats - --quiet`.
    #[arg(long, conflicts_with = "stats")]
    pub json: bool,

    /// Replace a file given by `--stats` that nubbin did not write, or that was changed since
    #[arg(long)]
    pub force: bool,

    /// Print only errors, and the permissions that loosen the sandbox
    #[arg(short, long)]
    pub quiet: bool,
}
