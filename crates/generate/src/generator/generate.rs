use super::algorithm::{Algorithm, LimitFuzzer, SizeTarget};
use super::costs::Costs;
use super::{grow, limit};
use crate::choices::Choices;
use crate::weights::Weights;
use nubbin_grammar::grammar::{Grammar, SymbolId, SymbolKind};
use std::sync::Arc;

/// The reason why a [`Generator`] cannot make a text of a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GeneratorError {
    /// The start symbol derives no text.
    #[error("`{0}` derives no text: none of its expansions ends")]
    Unproductive(Box<str>),
    /// The grammar has a reachable token whose text it does not define.
    #[error("`{0}` is a token whose text the grammar does not define")]
    External(Box<str>),
    /// The grammar has lexer rules.
    #[error(
        "texts cannot be made from a grammar with lexer rules: what separates its tokens is not \
         known yet"
    )]
    Lexer,
}

/// A generator that turns choices into texts of a grammar.
///
/// The generator obeys scopes: names are defined before they are used. A text that the grammar
/// marks with `defines` becomes a name, which is usable after the next `commits`. A part marked
/// with `uses` becomes one of the usable names, or the `otherwise` text while there is none.
#[derive(Debug)]
pub struct Generator {
    pub(super) grammar: Arc<Grammar>,
    algorithm: Algorithm,
    pub(super) weights: Weights,
    pub(super) costs: Costs,
}

impl Generator {
    /// Creates a generator with equal weights.
    ///
    /// # Errors
    ///
    /// Returns an error if the grammar derives no text, has a token whose text it does not define,
    /// or has lexer rules.
    pub fn new(grammar: Arc<Grammar>, algorithm: Algorithm) -> Result<Self, GeneratorError> {
        let facts = grammar.facts();
        let name = |id| grammar.symbol(id).name.clone();
        if !facts.productive(grammar.start()) {
            return Err(GeneratorError::Unproductive(name(grammar.start())));
        }
        if grammar.lexing().is_some() {
            return Err(GeneratorError::Lexer);
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

    /// Sets the weights of the alternatives.
    #[must_use]
    pub fn weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Makes the text of a sequence of choices.
    pub fn generate(&self, choices: &mut Choices) -> Vec<u8> {
        let mut text = vec![];
        self.generate_into(choices, &mut text);
        text
    }

    /// Makes a text of one symbol of the grammar instead of its start symbol.
    ///
    /// Only the names defined in this text are usable in it. Returns `None` if the symbol derives
    /// no text, or is a token whose text the grammar does not define.
    pub fn generate_symbol(&self, symbol: SymbolId, choices: &mut Choices) -> Option<Vec<u8>> {
        let is_external = matches!(self.grammar.symbol(symbol).kind, SymbolKind::External);
        if is_external || !self.grammar.facts().productive(symbol) {
            return None;
        }
        let mut text = vec![];
        self.expand(symbol, choices, &mut text);
        Some(text)
    }

    /// Appends the text of a sequence of choices to `text`.
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
