//! The texts that the lexer of a grammar accepts: texts of tokens, and hidden texts between tokens.

use super::spell::Spelling;
use nubbin_grammar::grammar::{Command, ExprId, Grammar, SymbolId};
use nubbin_grammar::lex::{Lexer, Match};
use rustc_hash::FxHashMap;

/// The alternatives of lexer rules, by the tokens that they yield.
#[derive(Debug)]
pub(super) struct Tokens {
    pub(super) lexer: Lexer,
    pub(super) modes: Vec<Mode>,
    /// The token of the end of the text.
    pub(super) end: Option<SymbolId>,
    pub(super) spelling: Spelling,
}

/// The alternatives of one mode.
#[derive(Debug, Default)]
pub(super) struct Mode {
    /// The alternatives that make each token.
    pub(super) makers: FxHashMap<SymbolId, Vec<Maker>>,
    /// The alternatives that begin or continue a token.
    pub(super) more: Vec<Maker>,
    /// The alternatives whose text is hidden, and that lead to another mode.
    pub(super) leaving: Vec<Maker>,
    /// Hidden texts that can occur between two tokens, in order of preference.
    pub(super) between: Vec<Box<[u8]>>,
}

/// An alternative of a lexer rule.
#[derive(Clone, Debug)]
pub(super) struct Maker {
    pub(super) body: ExprId,
    pub(super) makes: Match,
    /// The index of the rule's commands.
    pub(super) rule: u32,
    pub(super) alternative: u32,
    /// A text that the lexer takes for this alternative at the start of the mode.
    pub(super) usual: Box<[u8]>,
    /// Whether that is the only text, as for a keyword.
    pub(super) is_fixed: bool,
}

impl Tokens {
    /// Returns the tokens that the lexer makes in some mode.
    pub(super) fn made(&self) -> impl Iterator<Item = SymbolId> {
        let continued = self.modes.iter().flat_map(|mode| &mode.more);
        let whole = self
            .modes
            .iter()
            .flat_map(|mode| mode.makers.keys().copied());
        whole.chain(continued.map(|maker| maker.makes.symbol))
    }
}

impl Maker {
    /// Returns the commands of the alternative.
    pub(super) fn commands<'g>(&self, grammar: &'g Grammar, mode: u32) -> &'g [Command] {
        let modes = grammar.lexing().map_or(&[][..], |lexing| &lexing.modes);
        let rule = &modes[mode as usize].rules[self.rule as usize];
        &rule.alternatives[self.alternative as usize].1
    }
}
