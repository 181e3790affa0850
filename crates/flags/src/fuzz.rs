//! Flags of `nubbin fuzz`.

use super::duration::seconds;
use super::{EngineFlags, WalkFlags};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

pub(crate) const HELP: &str = "\
Expressions run in batches, each batch in a process of its own and each expression in a `try`
statement. When an engine crashes, the expression that did it is found, and reduced by its choices;
it stays one that the graph can make. A crash that needs several expressions keeps all that it
needs. Uncaught errors, and the exit codes and messages that the profile lists, are no bugs.

The folder gets a folder for each bug, with the smallest script, the choices, and a report.";

#[derive(Debug, Args)]
pub struct FuzzFlags {
    /// Use this prototype graph, made by `nubbin graph explore` or `nubbin graph learn`
    #[arg(short, long, value_name = "GRAPH")]
    pub graph: PathBuf,

    /// Write the bugs that were found to this folder; it must be empty or new
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

    /// Stop after this many seconds; a bug that was met before is still isolated, and confirmed
    #[arg(long, value_name = "SECS", value_parser = seconds)]
    pub max_time: Option<Duration>,

    /// Reduce one finding with at most this many runs
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
    /// The same as `--stats - --quiet`.
    #[arg(long, conflicts_with = "stats")]
    pub json: bool,

    /// Replace a file of `--stats` that nubbin has not written, or that has changed since
    #[arg(long)]
    pub force: bool,

    /// Print nothing but errors, and what loosens the sandbox
    #[arg(short, long)]
    pub quiet: bool,
}
