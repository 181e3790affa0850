//! Trees to reduce: a file seen by a grammar.
//!
//! A [walk](crate::tree_reducer) works on an [`Outline`]: the tree of one file, with what a reducer has to
//! know about each node. It is immutable; what a walk has done so far is its own affair. Every change
//! is an [`Edit`](crate::edit::Edit) of the text that was parsed, so the engine carries it over like any other, and the
//! node numbers stay what they are.

mod change;
mod draft;
mod empty;
mod expansions;
mod flatten;
mod hide;
mod outline;
mod phrases;
mod preparation;
mod rebuild;
mod squeeze;

pub use change::{Cut, Gone, Needed};
pub use draft::{Draft, Piece, Sort};
pub use empty::empty;
pub use expansions::{Expansions, MOST_EXPANSIONS};
pub use flatten::flatten;
pub use hide::hide;
pub use outline::{Name, Node, NodeId, Outline, ROOT};
pub use phrases::LONGEST_PHRASE;
pub use preparation::{Preparation, PreparationError};
pub use squeeze::squeeze;
