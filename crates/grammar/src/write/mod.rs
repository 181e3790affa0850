//! Writers, which turn a grammar into text in one of several notations.
//!
//! In a notation without quantifiers, a quantifier becomes a rule. Only
//! [`Format::Lists`](crate::read::Format::Lists) can express the effects of parts on names. No
//! notation has precedence, so an ambiguous grammar may prefer other trees when it is read again.

mod ebnf;
mod error;
mod plain;
mod writer;

pub use error::WriteError;
pub use writer::write;
