//! The lexer, which divides a text into tokens by the lexer rules of a grammar.

mod automaton;
mod lexed_text;
mod lexer;
mod modes;
mod states;

pub use lexed_text::{LexedText, Place};
pub use lexer::{LexError, Lexer, Match, Token};
pub use modes::Modes;
