//! Writers: a grammar as text, in each notation that can be read.
//!
//! What a notation has no words for is said otherwise: quantifiers become rules of their own where
//! there are none, and what generators are told about names is only in
//! [`Format::Lists`]. Precedence is lost everywhere, so an ambiguous grammar may prefer other trees.

mod ebnf;
mod error;
mod plain;
mod writer;

pub use error::WriteError;
pub use writer::write;
