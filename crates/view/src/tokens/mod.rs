//! Tokens, by two rough lexers that know no language.
//!
//! * [`lex`] and [`count`] follow one plain rule. The rule is meant to be stable and simple to
//!   reimplement, as a regular expression:
//!   `[A-Za-z_]\w*|\d[\w.]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\S`, where `.` and the strings
//!   reach over line ends. The rule knows no comments, and an apostrophe opens a string.
//! * [`code`] is for passes that distinguish code from comments and strings. This lexer knows
//!   comments, raw strings, Rust's lifetimes, apostrophes in prose, and operators of several bytes,
//!   all by guesses that are right for most languages. [`count_code`] measures sizes by it.
//!
//! Both lexers take time linear in the text, for any content. White space is not in any token.
//! Every other byte is in exactly one token.

mod code;
mod code_in;
mod plain;
mod token;

pub use code::{Code, code, count_code};
pub use code_in::{CodeIn, code_in};
pub use plain::{Lexer, count, lex};
pub use token::{Token, TokenKind, is_word_byte};
