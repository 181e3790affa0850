//! Flags for walks on prototype graphs.

use clap::{Args, ValueEnum};

/// Flags for the expressions that walks on a graph create.
#[derive(Clone, Debug, Args)]
pub struct WalkFlags {
    /// Start walks at a node of this kind
    #[arg(long, value_enum, value_name = "NODE", default_value = "signature")]
    pub start: StartAt,

    /// Limit the nesting of accesses, calls, and arguments
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub max_height: u32,

    /// Use no literals, only values that a walk reaches
    #[arg(long)]
    pub no_literals: bool,

    /// Call functions as methods only, not by `.call`
    #[arg(long)]
    pub no_receivers: bool,

    /// Call functions with exactly as many arguments as the signature has
    #[arg(long)]
    pub exact_arguments: bool,
}

/// The start of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StartAt {
    /// Start at a random signature, all equally likely
    Signature,
    /// Start at the global object, as in the thesis
    Global,
}
