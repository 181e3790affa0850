//! Readers: a grammar in one of several notations.

pub mod antlr;
mod bnf;
mod book;
mod cursor;
mod error;
mod format;
mod iso;
mod reader;
mod w3c;

pub use error::ReadError;
pub use format::Format;
pub use reader::{read, read_leniently, start_symbol};
