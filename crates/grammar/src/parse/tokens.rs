use crate::grammar::SymbolId;

/// A token of a text that another lexer has divided into tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// The terminal of the grammar for the token.
    pub symbol: SymbolId,
    /// The offset of the first byte of the token. Text between two tokens is a gap of the tree.
    pub start: u32,
    /// The offset of the first byte after the token.
    pub end: u32,
}

/// The tokens of a text.
#[derive(Debug)]
pub(super) struct Tokens {
    pub(super) lexemes: Vec<Lexeme>,
    /// The tokens that are not parsed, and the parts that are no token.
    pub(super) hidden: Vec<Hidden>,
}

/// A part of a text that is not parsed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hidden {
    /// The terminal of the grammar; `None` for a part at which no lexer rule matches.
    pub(super) symbol: Option<SymbolId>,
    pub(super) start: u32,
    pub(super) end: u32,
}
