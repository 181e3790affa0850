//! Tokens, by two rough lexers that know no language.
//!
//! * [`lex`] and [`count`] follow one plain rule, the one that sizes in tokens are measured by. It
//!   is meant to be stable and simple to repeat elsewhere, as a regular expression:
//!   `[A-Za-z_]\w*|\d[\w.]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\S`, where `.` and the strings
//!   reach over line ends. It knows no comments, and an apostrophe opens a string.
//! * [`code`] is for passes that want to know what is code and what is not: it knows comments,
//!   raw strings, Rust's lifetimes, apostrophes in prose and operators of several bytes, all by
//!   guesses that most languages agree with.
//!
//! Both are linear in the text whatever it holds. White space is in no token; everything else is
//! in exactly one.

mod code;
mod plain;

pub use code::{Code, code};
pub use plain::{Lexer, count, lex};

use crate::span::Span;

/// What a token looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// Begins with a digit.
    Number,
    /// Between quotes, quotes and prefix included.
    String,
    /// A byte or operator that is none of the others.
    Punct,
    /// Only from [`code`]: a comment, without the end of its last line.
    Comment,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it looks like.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

impl Token {
    /// Its bytes in the text it was read from.
    pub fn text<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        text.get(self.span.range()).unwrap_or_default()
    }
}

/// Whether a byte can stand inside of a word; every byte of a character beyond ASCII can.
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
