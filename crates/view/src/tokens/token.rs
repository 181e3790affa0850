use nubbin_edit::Span;

/// The shape of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name or keyword.
    Word,
    /// A token that begins with a digit.
    Number,
    /// A text between quotes, with its quotes and prefix.
    String,
    /// A byte or operator that is none of the others.
    Punct,
    /// A comment, without the end of its last line. Only [`code`](super::code()) makes these.
    Comment,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The shape.
    pub kind: TokenKind,
    /// The span.
    pub span: Span,
}

impl Token {
    /// Returns its bytes in the text it was read from.
    pub fn text<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        text.get(self.span.range()).unwrap_or_default()
    }
}

/// Whether a byte can stand inside of a word; every byte of a character beyond ASCII can.
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
