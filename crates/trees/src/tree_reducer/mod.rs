//! Tree reducers: algorithms that propose edits of a syntax tree.
//!
//! A tree reducer reads an [`Outline`](crate::tree::Outline) once ([`TreeReducer::open`]) and
//! returns proposals, as a pass does for a text. [`TreePass`] combines a tree reducer and a source
//! of trees to a pass. If a tree reducer has a list of nodes to remove, any [list
//! minimizer](nubbin_minimize) can minimize it: the tree reducer and the list minimizer are chosen
//! independently.
//!
//! To remove nodes, [`Subtrees`] tries whole levels at once. [`Perses`] takes the heaviest nodes
//! first and spends no test on a candidate that does not fit the grammar. To change shapes as well,
//! use [`Perses`] or [`Grabr`]. If nothing more can be removed, use [`SameKind`], [`Coupled`], or
//! [`Identifiers`]. The crate `nubbin-published` has those that no default plan uses: the HDD
//! family, GTR, Pardis, and others.
//!
//! Each tree reducer has one file with its name in flags, logs, and statistics. The documentation
//! of its type states its effect, its use, its cost, and its source. [`catalogue`] lists all tree
//! reducers, [`parse`] parses the name and options of a tree reducer, and [`drive`] runs a tree
//! reducer by itself.

mod at_positions;
#[cfg(any(test, feature = "testing"))]
pub mod cases;
mod catalogue;
mod combinations;
mod coupled;
mod grabr;
mod identifiers;
mod inline;
mod keeping;
#[cfg(any(test, feature = "testing"))]
pub mod laws;
mod parameters;
mod perses;
mod program;
mod queries;
mod root;
mod run;
mod same_kind;
mod scoped_names;
pub mod search;
mod slices;
mod stubs;
mod subtrees;
#[cfg(test)]
mod tests;
#[expect(clippy::module_inception)]
mod tree_reducer;
mod type_parameters;
mod unreachable;

pub use at_positions::AtPositions;
pub use catalogue::{TreeReducerError, by_id, catalogue, parse, parse_in};
pub use coupled::Coupled;
pub use grabr::Grabr;
pub use identifiers::Identifiers;
pub use inline::Inline;
pub use parameters::Parameters;
pub use perses::Perses;
pub use queries::Queries;
pub use root::{Root, RootKind};
pub use run::{
    Driven, Forms, PackedSyntaxes, Syntaxes, Trace, TreePass, Trees, drive, trace, trace_with,
};
pub use same_kind::SameKind;
pub use scoped_names::ScopedNames;
pub use slices::Slices;
pub use stubs::Stubs;
pub use subtrees::Subtrees;
pub use tree_reducer::{Program, TreeReducer};
pub use type_parameters::TypeParameters;
pub use unreachable::Unreachable;
