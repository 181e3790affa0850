//! List minimizers: algorithms that decide which elements of a list to leave out next.
//!
//! A *list minimizer* looks for a small sub-list that still fails. The minimizer does not know the
//! kind of the elements (bytes, lines, subtrees, files, choices), and it never runs a test. The
//! minimizer is a state machine: [`ListMinimizer::next`] returns the elements to leave out in the
//! next test, and [`ListMinimizer::record`] takes the outcome. Because there is no loop that calls
//! the oracle, one engine can cache, count, run in parallel, and speculate for all of them: it asks
//! a copy of the machine ([`ListMinimizer::fork`]) which test would follow if the running one
//! failed.
//!
//! Each algorithm has a file, with its name in the literature. The documentation of its type states
//! its source and cost, and has a worked example. [`catalogue`] lists the algorithms, and [`parse`]
//! parses the name and options of an algorithm.
//!
//! # Choice of an algorithm
//!
//! | list | algorithm |
//! |---|---|
//! | nothing known | [`Sweep`]: backwards, groups that grow; 1-minimal |
//! | later elements use earlier ones (code, choices) | [`Sweep`]; [`DfsHalving`] in an outer loop |
//! | independent elements, few needed | [`DfsHalving`] |
//! | independent elements, most needed | [`Sweep`], with a higher prior |
//! | one large piece in the middle is enough (bytes) | [`Ddmin`], which tries parts alone |
//! | to compare with published numbers | [`Ddmin`], and those of the crate `nubbin-published` |
//!
//! Tests to 1-minimality on synthetic lists: `notes/data/list-minimizers.md`.
//!
//! # Contract
//! * Elements are numbered `0..n`. A [`Removal`] names the elements to leave out by these original
//!   numbers, also after other elements were removed.
//! * `next` is idempotent until `record` is called; after `None` it always returns `None`.
//! * `record(true)` means that the list without these elements still failed **and was adopted**:
//!   the elements are removed for good.
//! * Given the same outcomes, a machine asks for the same removals. Random orders depend only on
//!   the seed in [`ListShape`].
//! * No machine asks for the empty removal. A machine asks for the empty list only if its algorithm
//!   does.

#![deny(missing_docs)]

mod catalogue;
mod choice;
mod configuration;
mod cover;
mod ddmin;
mod dfs_halving;
mod drive;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod laws;
mod list_minimizer;
mod list_shape;
mod named;
mod parts;
pub mod random;
mod removal;
mod sweep;
#[cfg(test)]
mod tests;

pub mod written;

pub use catalogue::{Minimizer, catalogue, parse, parse_in};
pub use choice::MinimizerChoice;
pub use configuration::Configuration;
pub use cover::{WeightedSet, cover};
pub use ddmin::{AfterSuccess, Ddmin, DdminOptions, Direction, PartOrder, Split};
pub use dfs_halving::DfsHalving;
pub use drive::drive;
pub use error::MinimizerError;
pub use list_minimizer::ListMinimizer;
pub use list_shape::ListShape;
pub use named::{
    MinimizerInfo, MinimizerOptions, NamedMinimizer, NoOptions, RefusedOption, number_option,
};
pub use removal::Removal;
pub use sweep::floor;
pub use sweep::{Sweep, SweepOptions};

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
