//! Views: the units of a text, found by rough rules.
//!
//! A view turns bytes into units, as offsets into these bytes: [tokens], [lines], [chars], [bracket
//! groups](brackets), [markup elements](elements), [imports], [pieces of a nesting depth](pieces),
//! [s-expressions](sexprs), [words of a command line](words), [without their quotes](unquoted), and
//! the [lists](word_lists) in them. [Keywords](keywords) are distinguished from names by a list. A
//! view knows no language, accepts any bytes, is linear (sorting aside), and never recurses, runs a
//! test, or changes a byte. A view may be wrong about a text. The passes that read it only
//! *propose*, so a wrong view costs tests and nothing else.
//!
//! Offsets count from the beginning of the given text. A pass that looks at one
//! [file](nubbin_edit::File) of many adds the offset at which the file begins.

#![deny(missing_docs)]

#[cfg(feature = "difference")]
mod between;
pub mod brackets;
#[cfg(feature = "difference")]
mod change_set;
pub mod chars;
pub mod copies;
#[cfg(feature = "difference")]
mod difference;
pub mod elements;
pub mod imports;
pub mod keywords;
mod kind;
pub mod line_pairs;
pub mod lines;
pub mod mentions;
pub mod names;
pub mod packed;
mod paired_words;
pub mod pieces;
mod remembered;
pub mod sexprs;
pub mod terms;
pub mod tokens;
pub mod unquoted;
mod views;
pub mod word_lists;
pub mod words;

#[cfg(feature = "difference")]
pub use between::between;
#[cfg(feature = "difference")]
pub use change_set::ChangeSet;
#[cfg(feature = "difference")]
pub use difference::{Atom, Difference, Hunk, hunks};
pub use kind::Kind;
pub use remembered::Remembered;
pub use views::{View, Views};

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
