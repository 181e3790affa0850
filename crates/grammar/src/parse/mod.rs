//! Parsing: any context-free grammar, bytes or tokens in, a [`Tree`](crate::tree::Tree) out.

mod build;
mod chart;
mod counter;
mod error;
mod lower;
mod parser;
mod tables;
#[cfg(test)]
mod tests;

pub use error::{ParseError, ParserError, SyntaxError};
pub use parser::{Lexeme, Parser, Work};
