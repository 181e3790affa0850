use nubbin_edit::Span;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name or keyword.
    Word,
    /// A token that begins with a digit.
    Number,
    /// A text between quotes, with its quotes and prefix.
    String,
    /// A byte or operator that is not part of another kind of token.
    Punct,
    /// A comment, without the end of its last line. Only the lexer [`code`](super::code()) returns
    /// comments.
    Comment,
}

/// A token: its kind and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The span of the token.
    pub span: Span,
}

impl Token {
    /// Returns the bytes of the token in the text from which it was read.
    pub fn text<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        text.get(self.span.range()).unwrap_or_default()
    }
}

/// Returns whether a byte can be part of a word. Every byte of a non-ASCII character can.
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
