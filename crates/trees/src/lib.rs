//! Algorithms over syntax trees, for any grammar or parser.
//!
//! [`tree`] has a file as a tree, its preparation, and changes to it as edits. [`tree_reducer`] has
//! the algorithms. [`term`] has passes over terms with sorts, and [`nodes`] the parts of a tree
//! that [explaining](nubbin_engine::explain) varies.

#![deny(missing_docs)]

pub mod nodes;
mod query;
pub mod term;
pub mod tree;
pub mod tree_reducer;

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
