//! Syntax trees to reduce: files that were parsed by a grammar.
//!
//! A [tree reducer](crate::tree_reducer) works on an [`Outline`]: the tree of one file, with the
//! facts about each node that a reducer needs. An outline is immutable, and a tree reducer keeps a
//! separate record of its changes. Every change is an [`Edit`](nubbin_edit::Edit) of the text that
//! was parsed. The engine rebases it like any other edit, and node numbers never change.

mod bits;
mod chains;
mod change;
mod draft;
mod empty;
mod expansions;
mod flatten;
mod hide;
mod node;
mod outline;
mod phrases;
mod preparation;
mod rebuild;
#[cfg(feature = "binary")]
mod regions;
mod rough;
mod squeeze;

pub use change::{Cut, Gone, Needed};
pub use draft::{Draft, Piece, Sort};
pub use empty::empty;
pub use expansions::{Expansions, MOST_EXPANSIONS};
pub use flatten::{flatten, flatten_chains};
pub use hide::{hide, hide_nodes};
pub use node::{Name, Node, NodeId, ROOT};
pub use outline::Outline;
pub(crate) use outline::tree_of;
pub use phrases::LONGEST_PHRASE;
pub use preparation::{Preparation, PreparationError};
#[cfg(feature = "binary")]
pub(crate) use regions::of_regions;
pub use rough::RoughSyntax;
pub use squeeze::squeeze;
