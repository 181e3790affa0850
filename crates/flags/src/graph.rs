//! Flags of `nubbin graph`.

use super::EngineFlags;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Options of `nubbin graph`.
#[derive(Debug, Subcommand)]
pub enum GraphCommand {
    /// Create the prototype graph of an engine
    Explore(ExploreFlags),
    /// Add the signatures of calls in JavaScript tests to a graph
    Learn(Box<LearnFlags>),
    /// Merge several graphs into one
    Merge(MergeFlags),
    /// Show a graph, or one of its types
    Show(ShowFlags),
    /// Check a graph, and whether it belongs to the engine on this machine
    Check(CheckGraphFlags),
}

/// Flags for the output file of a graph.
#[derive(Clone, Debug, Args)]
pub struct GraphOutputFlags {
    /// Write the graph to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Replace the file even if nubbin did not write it
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
    /// The tests: JavaScript files, or folders of JavaScript files
    #[arg(required = true, value_name = "TEST")]
    pub tests: Vec<PathBuf>,

    /// Begin with this graph [default: a graph from exploring the engine]
    #[arg(short, long, value_name = "GRAPH")]
    pub graph: Option<PathBuf>,

    #[command(flatten)]
    pub engine: EngineFlags,

    /// Run this file before each test, in the same script
    #[arg(long, value_name = "FILE")]
    pub prelude: Vec<PathBuf>,

    /// Put a copy of this file or folder next to each test
    #[arg(long, value_name = "FILE")]
    pub with: Vec<PathBuf>,

    #[command(flatten)]
    pub output: GraphOutputFlags,
}

#[derive(Debug, Args)]
pub struct MergeFlags {
    /// The graphs to merge; their engines must have the same name
    #[arg(required = true, num_args = 2.., value_name = "GRAPH")]
    pub graphs: Vec<PathBuf>,

    #[command(flatten)]
    pub output: GraphOutputFlags,
}

#[derive(Debug, Args)]
pub struct ShowFlags {
    /// The file of the graph
    #[arg(value_name = "GRAPH")]
    pub graph: PathBuf,

    /// Show only the type with this name; a part that only one name has is enough
    #[arg(value_name = "TYPE")]
    pub of: Option<String>,

    /// Print the graph in this format
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
    /// The numbers of nodes and edges, as JSON
    Json,
    /// A graph for Graphviz
    Dot,
    /// An SVG drawing
    Svg,
    /// An HTML page with a search field
    Html,
}

#[derive(Debug, Args)]
pub struct CheckGraphFlags {
    /// The file of the graph
    #[arg(value_name = "GRAPH")]
    pub graph: PathBuf,

    #[command(flatten)]
    pub engine: EngineFlags,
}
