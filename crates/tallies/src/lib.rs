//! Passes over texts that count themselves.
//!
//! [`Book`] has the counts of an input, and [`Book::counted`] makes any pass lower the numbers of a
//! text with what it removes. [`Counts`] tries which numbers are counts.

#![deny(missing_docs)]

mod book;
mod counted_tables;
mod counts;
mod on_counts;

pub use book::Book;
pub use counted_tables::CountedTables;
pub use counts::Counts;

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
