//! A parser for any context-free grammar, from bytes or tokens to a [`Tree`](crate::tree::Tree).

mod begun;
mod build;
mod chart;
mod climb;
mod counter;
mod error;
mod islands;
mod leftmost;
mod lower;
mod parser;
mod tables;
#[cfg(test)]
mod tests;

pub use error::{ParseError, ParserError, SyntaxError};
pub use islands::IslandParser;
pub use parser::{Lexeme, Parser, Work};
