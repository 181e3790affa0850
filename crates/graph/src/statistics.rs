//! The size of a graph in numbers.

use crate::model::{Graph, Kind};
use serde::Serialize;

/// The numbers of nodes and edges of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    /// The number of types.
    pub types: usize,
    /// The number of types whose values can be called.
    pub functions: usize,
    /// The number of signatures.
    pub signatures: usize,
    /// The number of signatures that were learned from calls.
    pub learned: usize,
    /// The number of property edges.
    pub property: usize,
    /// The number of prototype edges.
    pub prototype: usize,
    /// The number of call edges.
    pub call: usize,
    /// The number of construct edges.
    pub construct: usize,
    /// The number of parameter edges.
    pub parameter: usize,
    /// The number of return edges.
    pub returns: usize,
    /// The number of texts of values, for types and parameters together.
    pub values: usize,
}

impl Statistics {
    /// Counts the nodes and edges of a graph.
    pub fn of(graph: &Graph) -> Self {
        let mut count = Statistics {
            types: graph.types().len(),
            signatures: graph.signatures().len(),
            ..Statistics::default()
        };
        for node in graph.types() {
            count.functions += usize::from(node.kind == Kind::Function);
            count.property += node.properties.len();
            count.prototype += usize::from(node.prototype.is_some());
            count.call += node.call.len();
            count.construct += node.construct.len();
            count.values += node.values.len();
        }
        for node in graph.signatures() {
            count.learned += usize::from(node.learned);
            count.returns += node.returns.len();
            count.parameter += node.receiver.len();
            for parameter in &node.parameters {
                count.parameter += parameter.types.len();
                count.values += parameter.values.len();
            }
        }
        count
    }
}
