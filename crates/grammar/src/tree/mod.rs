//! Syntax trees, as one arena of nodes in the order of the text.

mod builder;
mod node;
mod parse_tree;
mod replace;
mod show;
mod svg;

pub use builder::{TreeBuilder, TreeError};
pub use node::{Node, NodeId, NodeKind};
pub use parse_tree::Tree;
pub use show::{Indented, Nested, dot};
pub use svg::{SvgError, svg};
