//! Tree reducers: algorithms that propose edits of a syntax tree.
//!
//! A tree reducer reads an [`Outline`](crate::tree::Outline) once ([`TreeReducer::open`]) and hands
//! out proposals, as a pass does for a text. [`TreePass`] makes a pass of a tree
//! reducer and a source of trees. Where a tree reducer has a list of nodes to remove, any [list
//! minimizer](nubbin_minimize) works through it: the tree reducer and the list minimizer are
//! chosen independently.
//!
//! To remove nodes, the hierarchical reducers ([`Hdd`] and similar ones) try whole levels at once.
//! [`Perses`] and [`Pardis`] take the heaviest nodes first and spend no test on a candidate that
//! does not fit the grammar. To change shapes as well, use [`Perses`], [`Gtr`], [`Hoist`], or
//! [`Grabr`]. If nothing more can be removed, use [`SameKind`], [`Coupled`], or [`Identifiers`].
//!
//! Each tree reducer has one file with its name in flags, logs, and statistics. The documentation
//! of its type has its effect, its use, its cost, and its source. [`catalogue`] lists all tree
//! reducers, [`parse`] reads one with its options, and [`drive`] runs one by itself.

mod at_positions;
mod catalogue;
mod combinations;
mod coupled;
mod grabr;
mod gtr;
mod hdd;
mod hddr;
mod hoist;
mod identifiers;
mod inline;
mod keeping;
#[cfg(test)]
mod laws;
mod parameters;
mod pardis;
mod perses;
mod perses_article;
mod program;
mod root;
mod run;
mod same_kind;
mod scoped_names;
mod search;
mod slices;
mod stubs;
mod subtrees;
#[expect(clippy::module_inception)]
mod tree_reducer;
mod type_parameters;
mod unreachable;

pub use at_positions::AtPositions;
pub use catalogue::{TreeReducerError, by_id, catalogue, parse};
pub use coupled::Coupled;
pub use grabr::Grabr;
pub use gtr::{Gtr, Lore};
pub use hdd::Hdd;
pub use hddr::Hddr;
pub use hoist::Hoist;
pub use identifiers::Identifiers;
pub use inline::Inline;
pub use parameters::Parameters;
pub use pardis::Pardis;
pub use perses::Perses;
pub use perses_article::PersesArticle;
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
