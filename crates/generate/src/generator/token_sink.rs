use crate::choices::Choices;
use crate::words::WordId;
use nubbin_grammar::grammar::SymbolId;
use nubbin_grammar::lex::Place;

/// The end of the text so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrittenPlace {
    pub(super) len: usize,
    pub(super) lexed: Place,
    pub(super) ended: bool,
    /// The number of open rules, and the word of the innermost one.
    pub(super) open: usize,
    pub(super) word: Option<WordId>,
}

/// A writer of tokens, as far as the expansion of rules needs it.
///
/// The writer itself expands lexer rules for the texts of tokens, so that the expansion does not
/// know its type.
pub(super) trait TokenSink {
    /// Returns the end of the text so far.
    fn place(&self, text: &[u8]) -> WrittenPlace;

    /// Cuts the text back to a place.
    fn cut(&mut self, place: WrittenPlace, text: &mut Vec<u8>);

    /// Begins a rule.
    fn enter(&mut self, rule: SymbolId);

    /// Ends a rule.
    fn leave(&mut self);

    /// Writes a token, with hidden text before it if needed. Returns whether this was possible.
    fn token(&mut self, symbol: SymbolId, choices: &mut Choices, text: &mut Vec<u8>) -> bool;
}
