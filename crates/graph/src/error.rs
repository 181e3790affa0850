//! Errors of graph files.

use thiserror::Error;

/// The reason why a graph file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The text is not JSON, or is cut off.
    #[error("the file is not JSON, or is cut off: {0}")]
    NotJson(#[source] serde_json::Error),
    /// The text is JSON, but not a graph.
    #[error("the file is not a prototype graph")]
    NotAGraph,
    /// The graph has another version of the format.
    #[error("the format of the graph has version {found}, and this program reads version {known}")]
    Version {
        /// The version of the format of the file.
        found: u64,
        /// The version of the format that this crate reads.
        known: u64,
    },
    /// The graph has a field or value that the format does not have.
    #[error("the graph has been changed: {0}")]
    Field(#[source] serde_json::Error),
    /// An edge leads to a node that does not exist.
    #[error("the graph has been changed: {from} has an edge to {to}, which does not exist")]
    DanglingEdge {
        /// The node at the start of the edge.
        from: String,
        /// The missing node at the end of the edge.
        to: String,
    },
    /// Two types have one name.
    #[error("the graph has been changed: two types have the name `{0}`")]
    DuplicateName(String),
    /// A prototype chain has no end.
    #[error("the graph has been changed: the prototype chain of `{0}` has no end")]
    PrototypeCycle(String),
    /// The graph has no types.
    #[error("the graph has no types")]
    Empty,
    /// Two graphs are of different engines.
    #[error("the graphs are of different engines: {0} and {1}")]
    OtherEngine(String, String),
    /// Two graphs have expressions of different languages.
    #[error("the graphs are of different languages: {0} and {1}")]
    OtherLanguage(&'static str, &'static str),
}
