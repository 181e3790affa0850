//! A parser for any context-free grammar, from bytes or tokens to a [`Tree`](crate::tree::Tree).

mod begun;
mod build;
mod chart;
mod choice;
mod climb;
mod counter;
mod error;
mod expected;
mod islands;
mod item;
mod leftmost;
mod levels;
mod lower;
mod lowering;
mod parser;
mod productions;
mod seen;
mod tables;
#[cfg(test)]
mod tests;
mod tokens;

pub use error::{ParseError, ParserError, SyntaxError};
pub use islands::IslandParser;
pub use parser::{Parser, Work};
pub use tokens::Lexeme;
