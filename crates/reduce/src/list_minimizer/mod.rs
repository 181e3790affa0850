//! List algorithms: which elements of one list to leave out next.
//!
//! A *minimizer* looks for a small sub-list that still fails. It knows nothing of what the elements
//! are (bytes, lines, subtrees, files, choices) and it never runs a test: it is a state machine
//! that says which elements to leave out in the next test ([`ListMinimizer::next`]) and is told the
//! outcome ([`ListMinimizer::record`]). That shape, rather than a loop that calls the oracle, is what
//! lets one engine cache, count, run in parallel and speculate for all of them: a copy of the
//! machine ([`ListMinimizer::fork`]) can be asked what it *would* test if the running test failed.
//!
//! Each algorithm is a file here, under the name it has in the literature, with its source, cost
//! and a worked example in the documentation of its type. [`catalogue`] lists them, [`parse`]
//! reads one with its options.
//!
//! # Which one when
//!
//! | list | algorithm |
//! |---|---|
//! | nothing known | [`Sweep`]: backwards, groups that grow; 1-minimal |
//! | later elements use earlier ones (code, choices) | [`Sweep`]; [`DfsHalving`] or [`Adaptive`] in an outer loop |
//! | independent elements, few needed | [`DfsHalving`], [`Ddrmin`] |
//! | independent elements, most needed | [`Sweep`] or [`Cdd`], with a higher prior |
//! | sizes differ much | [`Sweep`], [`WeightedProbdd`], [`WeightedDdmin`] |
//! | many workers that run ahead | [`Cdd`]: its group sizes are known beforehand |
//! | one large piece in the middle is enough (bytes) | [`Ddmin`], which tries parts alone |
//! | to compare with published numbers | [`Ddmin`], [`DdminStar`], [`Probdd`], [`Cdd`], the weighted ones |
//! | to repeat a published log | [`DdminBook`], [`DdminHalving`], [`Ddrmin`] |
//! | a plain baseline | [`ChunkHalving`] |
//!
//! Tests to 1-minimality on synthetic lists: `notes/list-minimizers.md`.
//!
//! # Contract
//! * Elements are numbered `0..n`; a [`Removal`] names the elements to leave out by these original
//!   numbers, whatever has gone in the meantime.
//! * `next` is idempotent until `record` is called; after `None` it stays `None`.
//! * `record(true)` means that the probe still failed **and was adopted**: its elements are gone.
//! * Given the same outcomes, a machine makes the same probes. Random orders are drawn from the
//!   seed in [`ListShape`], never from the environment.
//! * No machine probes the empty removal, nor (unless its algorithm does) the empty list.

mod adaptive;
mod catalogue;
mod cdd;
mod chunk_halving;
mod configuration;
mod ddmin;
mod ddmin_book;
mod ddmin_halving;
mod ddmin_star;
mod ddrmin;
mod dfs_halving;
mod drive;
#[expect(clippy::module_inception)]
mod list_minimizer;
mod list_shape;
mod options;
mod probdd;
mod removal;
mod singles;
mod sweep;
mod weighted_ddmin;
mod weighted_probdd;

#[cfg(test)]
mod cases;

pub use adaptive::Adaptive;
pub use catalogue::{MinimizerChoice, MinimizerError, MinimizerInfo, catalogue, parse};
pub use cdd::Cdd;
pub use chunk_halving::{ChunkHalving, ChunkOptions, Repeat};
pub use configuration::Configuration;
pub use ddmin::{AfterSuccess, Ddmin, DdminOptions, Direction, Order, Split};
pub use ddmin_book::DdminBook;
pub use ddmin_halving::DdminHalving;
pub use ddmin_star::DdminStar;
pub use ddrmin::Ddrmin;
pub use dfs_halving::DfsHalving;
pub use drive::drive;
pub use list_minimizer::ListMinimizer;
pub use list_shape::ListShape;
pub use probdd::{PriorOptions, Probdd};
pub use removal::Removal;
pub(crate) use sweep::floor;
pub use sweep::{Sweep, SweepOptions};
pub use weighted_ddmin::WeightedDdmin;
pub use weighted_probdd::WeightedProbdd;
