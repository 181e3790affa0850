//! List minimizers: algorithms that decide which elements of one list to leave out next.
//!
//! A *list minimizer* looks for a small sub-list that still fails. It does not know the kind of the
//! elements (bytes, lines, subtrees, files, choices), and it never runs a test. It is a state
//! machine: [`ListMinimizer::next`] returns the elements to leave out in the next test, and
//! [`ListMinimizer::record`] takes the outcome. Because there is no loop that calls the oracle, one
//! engine can cache, count, run in parallel, and speculate for all of them: it asks a copy of the
//! machine ([`ListMinimizer::fork`]) which test would follow if the running one failed.
//!
//! Each algorithm has a file, with its name in the literature. The documentation of its type has
//! its source, cost, and a worked example. [`catalogue`] lists the algorithms, and [`parse`] reads
//! one with its options.
//!
//! # Choice of an algorithm
//!
//! | list | algorithm |
//! |---|---|
//! | nothing known | [`Sweep`]: backwards, groups that grow; 1-minimal |
//! | later elements use earlier ones (code, choices) | [`Sweep`]; [`DfsHalving`] or [`Adaptive`] in an outer loop |
//! | independent elements, few needed | [`DfsHalving`], [`Ddrmin`] |
//! | independent elements, most needed | [`Sweep`] or [`Cdd`], with a higher prior |
//! | sizes differ much | [`Sweep`], [`WeightedProbdd`], [`WeightedDdmin`] |
//! | many workers that prefetch | [`Cdd`]: its group sizes are known beforehand |
//! | one large piece in the middle is enough (bytes) | [`Ddmin`], which tries parts alone |
//! | to compare with published numbers | [`Ddmin`], [`DdminStar`], [`Probdd`], [`Cdd`], the weighted ones |
//! | to repeat a published log | [`DdminBook`], [`DdminHalving`], [`Ddrmin`] |
//! | a plain baseline | [`ChunkHalving`] |
//!
//! Tests to 1-minimality on synthetic lists: `notes/list-minimizers.md`.
//!
//! # Contract
//! * Elements are numbered `0..n`. A [`Removal`] names the elements to leave out by these original
//!   numbers, also after other elements were removed.
//! * `next` is idempotent until `record` is called; after `None` it stays `None`.
//! * `record(true)` means that the list without these elements still failed **and was adopted**:
//!   the elements are gone.
//! * Given the same outcomes, a machine asks for the same removals. Random orders depend only on
//!   the seed in [`ListShape`].
//! * No machine asks for the empty removal. A machine asks for the empty list only if its algorithm
//!   does.

#![deny(missing_docs)]

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
mod error;
mod list_minimizer;
mod list_shape;
mod options;
mod parts;
mod probdd;
pub mod random;
mod removal;
mod singles;
mod sweep;
mod weighted_ddmin;
mod weighted_probdd;

#[cfg(test)]
mod cases;

pub use adaptive::Adaptive;
pub use catalogue::{MinimizerChoice, MinimizerInfo, catalogue, parse};
pub use cdd::Cdd;
pub use chunk_halving::{ChunkHalving, ChunkOptions, ChunkRepeat};
pub use configuration::Configuration;
pub use ddmin::{AfterSuccess, Ddmin, DdminOptions, Direction, PartOrder, Split};
pub use ddmin_book::DdminBook;
pub use ddmin_halving::DdminHalving;
pub use ddmin_star::DdminStar;
pub use ddrmin::Ddrmin;
pub use dfs_halving::DfsHalving;
pub use drive::drive;
pub use error::MinimizerError;
pub use list_minimizer::ListMinimizer;
pub use list_shape::ListShape;
pub use probdd::{PriorOptions, Probdd};
pub use removal::Removal;
pub use sweep::floor;
pub use sweep::{Sweep, SweepOptions};
pub use weighted_ddmin::WeightedDdmin;
pub use weighted_probdd::WeightedProbdd;

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
