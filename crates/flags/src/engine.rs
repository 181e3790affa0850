//! Flags for the choice of an engine, and the flags of `nubbin engine`.

use super::duration::duration;
use super::{CatalogueFlags, SandboxFlags, size};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// Options of `nubbin engine`.
#[derive(Debug, Subcommand)]
pub enum EngineCommand {
    /// List the engines that have a profile, and whether each is installed
    List(CatalogueFlags),
}

/// The engine, its program, and its limits.
#[derive(Clone, Debug, Args)]
pub struct EngineFlags {
    /// Use the profile of this engine: a name from `nubbin engine list`, or a file NAME.toml
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,

    /// Run this program instead of the program that the profile names
    #[arg(long, value_name = "PATH")]
    pub program: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Engine")]
    pub shell: ShellFlags,
}

/// The limits and the sandbox of a script.
#[derive(Clone, Debug, Args)]
pub struct ShellFlags {
    /// Stop a script after this time [default: 10 s for a test or an exploration, 60 s for an
    /// exploration of Python, 1 s for a batch of expressions]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,

    /// Limit the memory of the engine; sizes are bytes, `512M`, or `2G`
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "1G")]
    pub memory: u64,

    #[command(flatten)]
    pub sandbox: SandboxFlags,
}
