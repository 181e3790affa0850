//! Writers: a grammar as text, in each notation that can be read.
//!
//! If a notation has no quantifiers, they become rules. Only
//! [`Format::Lists`](crate::read::Format::Lists) has the effects of parts on names. No notation has
//! precedence, so an ambiguous grammar may prefer other trees when it is read again.

mod ebnf;
mod error;
mod plain;
mod writer;

pub use error::WriteError;
pub use writer::write;
