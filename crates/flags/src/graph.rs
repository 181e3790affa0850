//! Flags of `nubbin graph`.

use super::EngineFlags;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Options of `nubbin graph`.
#[derive(Debug, Subcommand)]
pub enum GraphCommand {
    /// Make the prototype graph of an engine
    Explore(ExploreFlags),
    /// Add the signatures of the calls that tests of JavaScript make
    Learn(Box<LearnFlags>),
    /// Make one graph of several
    Merge(MergeFlags),
    /// Show a graph, or one of its types
    Show(ShowFlags),
    /// Check a graph, and whether it is of the engine on this machine
    Check(CheckGraphFlags),
}

/// Flags for the place of a graph.
#[derive(Clone, Debug, Args)]
pub struct GraphOutputFlags {
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace the file even if nubbin has not written it
    #[arg(long, requires = "output")]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct ExploreFlags {
    #[command(flatten)]
    pub engine: EngineFlags,

    #[command(flatten)]
    pub output: GraphOutputFlags,
}

#[derive(Debug, Args)]
pub struct LearnFlags {
    /// The tests: JavaScript files, or folders of them
    #[arg(required = true, value_name = "TEST")]
    pub tests: Vec<PathBuf>,

    /// Begin with this graph [default: the engine is explored]
    #[arg(short, long, value_name = "GRAPH")]
    pub graph: Option<PathBuf>,

    #[command(flatten)]
    pub engine: EngineFlags,

    /// Run this file before each test, in the same script
    #[arg(long, value_name = "FILE")]
    pub prelude: Vec<PathBuf>,

    /// Put a copy of this file or folder beside each test
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,

    #[command(flatten)]
    pub output: GraphOutputFlags,
}

#[derive(Debug, Args)]
pub struct MergeFlags {
    /// The graphs; their engines have the same name
    #[arg(required = true, num_args = 2.., value_name = "GRAPH")]
    pub graphs: Vec<PathBuf>,

    #[command(flatten)]
    pub output: GraphOutputFlags,
}

#[derive(Debug, Args)]
pub struct ShowFlags {
    /// The graph
    #[arg(value_name = "GRAPH")]
    pub graph: PathBuf,

    /// Show this type: its name, or a part of it if no other type has it
    #[arg(value_name = "TYPE")]
    pub of: Option<String>,

    /// Print in this format
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        conflicts_with = "of"
    )]
    pub format: GraphFormat,

    #[command(flatten)]
    pub output: GraphOutputFlags,
}

/// A format of a graph that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// The numbers of nodes and edges
    Text,
    /// The same as JSON
    Json,
    /// A drawing for Graphviz
    Dot,
    /// A drawing
    Svg,
    /// A page to search in
    Html,
}

#[derive(Debug, Args)]
pub struct CheckGraphFlags {
    /// The graph
    #[arg(value_name = "GRAPH")]
    pub graph: PathBuf,

    #[command(flatten)]
    pub engine: EngineFlags,
}
