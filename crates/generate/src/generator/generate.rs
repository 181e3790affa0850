//! The texts of a generator.

use super::algorithm::{Algorithm, LimitFuzzer, SizeTarget};
use super::token_writer::TokenWriter;
use super::tokens::Tokens;
use super::{Generator, grow, limit};
use crate::choices::Choices;
use nubbin_grammar::grammar::{SymbolId, SymbolKind};

impl Generator {
    /// Generates the text of a sequence of choices.
    ///
    /// With lexer rules, the lexer divides the text into exactly the chosen tokens. If a token
    /// cannot be written, its rule is written again with further choices. If that does not help,
    /// the choices are [rejected](Choices::is_rejected), and the text is empty.
    pub fn generate(&self, choices: &mut Choices) -> Vec<u8> {
        let mut text = vec![];
        self.generate_into(choices, &mut text);
        text
    }

    /// Generates a text of one symbol of the grammar instead of its start symbol.
    ///
    /// Only the names defined in this text are usable in it. Returns `None` if the symbol derives
    /// no text, is a token whose text the grammar does not define, or if the choices are
    /// [rejected](Choices::is_rejected).
    pub fn generate_symbol(&self, symbol: SymbolId, choices: &mut Choices) -> Option<Vec<u8>> {
        let is_external = matches!(self.grammar.symbol(symbol).kind, SymbolKind::External);
        if is_external || !self.grammar.facts().productive(symbol) {
            return None;
        }
        let mut text = vec![];
        self.expand(symbol, choices, &mut text);
        (!choices.is_rejected()).then_some(text)
    }

    /// Appends the text of a sequence of choices to `text`.
    pub fn generate_into(&self, choices: &mut Choices, text: &mut Vec<u8>) {
        self.expand(self.grammar.start(), choices, text);
    }

    fn expand(&self, symbol: SymbolId, choices: &mut Choices, text: &mut Vec<u8>) {
        if let Some(tokens) = &self.tokens {
            return self.expand_tokens(tokens, symbol, choices, text);
        }
        match self.algorithm {
            Algorithm::Limit(LimitFuzzer { max_depth }) => {
                limit::run(self, symbol, max_depth, choices, text)
            }
            Algorithm::Grammar(fuzzer) => {
                let phases = grow::Phases::Nonterminals(fuzzer);
                grow::run(self, symbol, phases, choices, text);
            }
            Algorithm::Size(SizeTarget { bytes }) => {
                grow::run(self, symbol, grow::Phases::Bytes(bytes), choices, text);
            }
        }
    }

    fn expand_tokens(
        &self,
        tokens: &Tokens,
        symbol: SymbolId,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) {
        let start = text.len();
        let mut writer = TokenWriter::new(self, tokens);
        // Only a part of a text can begin in another mode than the first one.
        let modes = match symbol == self.grammar.start() {
            true => 1,
            false => tokens.modes.len(),
        };
        for mode in 0..modes as u32 {
            writer.begin(mode);
            let written = self.write_tokens(symbol, &mut writer, choices, text);
            if written && writer.finish(text) {
                return;
            }
            text.truncate(start);
        }
        choices.reject();
    }

    /// Writes tokens of a symbol with a writer. Returns whether it could.
    pub(super) fn write_tokens<'g>(
        &'g self,
        symbol: SymbolId,
        writer: &mut TokenWriter<'g>,
        choices: &mut Choices,
        text: &mut Vec<u8>,
    ) -> bool {
        match self.algorithm {
            Algorithm::Limit(LimitFuzzer { max_depth }) => {
                limit::run_tokens(self, symbol, max_depth, writer, choices, text)
            }
            Algorithm::Grammar(fuzzer) => {
                let phases = grow::Phases::Nonterminals(fuzzer);
                grow::run_tokens(self, symbol, phases, writer, choices, text)
            }
            Algorithm::Size(SizeTarget { bytes }) => {
                let phases = grow::Phases::Bytes(bytes);
                grow::run_tokens(self, symbol, phases, writer, choices, text)
            }
        }
    }
}
