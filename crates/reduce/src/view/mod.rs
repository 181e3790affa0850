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
//! [file](crate::input::File) of many adds the offset at which the file begins.

pub mod brackets;
pub mod chars;
pub mod elements;
pub mod imports;
pub mod keywords;
pub mod lines;
pub mod pieces;
pub mod sexprs;
#[cfg(feature = "trees")]
pub(crate) mod sorts;
pub(crate) mod terms;
pub mod tokens;
pub mod unquoted;
pub mod word_lists;
pub mod words;
