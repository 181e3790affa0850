//! Rough trees, for texts without a parser: statements, elements of lists, bracket groups, and
//! indented blocks.

mod assembly;
mod group_kinds;
mod node;
mod reading;
mod rules;
mod syntax;

pub use syntax::RoughSyntax;
