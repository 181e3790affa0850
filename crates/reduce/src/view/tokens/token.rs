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
    /// Only from [`code`](super::code()): a comment, without the end of its last line.
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
