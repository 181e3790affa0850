use super::algorithm::{Algorithm, LimitFuzzer, SizeTarget};
use super::costs::Costs;
use super::{grow, limit};
use crate::choices::Choices;
use crate::weights::Weights;
use nubbin_grammar::grammar::{Grammar, SymbolId, SymbolKind};
use std::sync::Arc;

/// Why there is nothing to generate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeneratorError {
    /// The start symbol derives no text.
    #[error("`{0}` derives no text at all: every way to expand it goes on for ever")]
    Unproductive(Box<str>),
    /// A token whose text is not known.
    #[error("`{0}` is a token whose text the grammar does not say")]
    External(Box<str>),
}

/// Turns choices into texts of a grammar.
///
/// Names that must be defined before they are used are: what the grammar marks with `defines` becomes
/// a name, usable after the next `commits`; where it says `uses`, one of the usable names is taken,
/// or the `otherwise` text while there is none.
#[derive(Debug)]
pub struct Generator {
    pub(super) grammar: Arc<Grammar>,
    algorithm: Algorithm,
    pub(super) weights: Weights,
    pub(super) costs: Costs,
}

impl Generator {
    /// A generator with equal weights.
    ///
    /// # Errors
    ///
    /// The grammar has no text, or tokens whose text it does not say.
    pub fn new(grammar: Arc<Grammar>, algorithm: Algorithm) -> Result<Self, GeneratorError> {
        let facts = grammar.facts();
        let name = |id| grammar.symbol(id).name.clone();
        if !facts.productive(grammar.start()) {
            return Err(GeneratorError::Unproductive(name(grammar.start())));
        }
        let unknown = |&id: &_| {
            facts.reachable(id) && matches!(grammar.symbol(id).kind, SymbolKind::External)
        };
        if let Some(id) = grammar.symbol_ids().find(unknown) {
            return Err(GeneratorError::External(name(id)));
        }
        Ok(Generator {
            weights: Weights::equal(&grammar),
            costs: Costs::of(&grammar),
            grammar,
            algorithm,
        })
    }

    /// With these weights.
    #[must_use]
    pub fn weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// The text of a sequence of choices.
    pub fn generate(&self, choices: &mut Choices) -> Vec<u8> {
        let mut text = vec![];
        self.generate_into(choices, &mut text);
        text
    }

    /// The text of one symbol of the grammar, instead of its start symbol. `None` where the symbol
    /// derives no text, or is a token whose text the grammar does not say.
    ///
    /// Of names that must be defined before they are used, only those in this text are known.
    pub fn generate_symbol(&self, symbol: SymbolId, choices: &mut Choices) -> Option<Vec<u8>> {
        let is_external = matches!(self.grammar.symbol(symbol).kind, SymbolKind::External);
        if is_external || !self.grammar.facts().productive(symbol) {
            return None;
        }
        let mut text = vec![];
        self.expand(symbol, choices, &mut text);
        Some(text)
    }

    /// The same, at the end of a text that is there.
    pub fn generate_into(&self, choices: &mut Choices, text: &mut Vec<u8>) {
        self.expand(self.grammar.start(), choices, text);
    }

    fn expand(&self, symbol: SymbolId, choices: &mut Choices, text: &mut Vec<u8>) {
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
}
