//! The lexer: a text as tokens, by the lexer rules of a grammar.

mod automaton;
mod lexer;
mod states;

pub use lexer::{LexError, Lexer, Token};
