//! From choices to texts.

mod costs;
mod grow;
mod limit;
mod names;

use crate::choices::Choices;
use crate::weights::Weights;
use costs::Costs;
use nubbin_grammar::grammar::{Grammar, SymbolId, SymbolKind};
use std::sync::Arc;

/// How to decide what is expanded, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`LimitFuzzer`].
    Limit(LimitFuzzer),
    /// See [`GrammarFuzzer`].
    Grammar(GrammarFuzzer),
    /// See [`SizeTarget`].
    Size(SizeTarget),
}

/// Expands from left to right, freely down to a depth; below it, takes what ends soonest.
///
/// The fastest: nothing is kept but the text and the way to the current place. Depths are levels of
/// rules. Texts are short or long as the grammar has it.
///
/// * *Source:* R. Gopinath, "The simplest grammar fuzzer in the world" (`LimitFuzzer`).
/// * *Changed:* one pass with a stack of its own, and extended grammars: a repetition goes on with
///   probability 1/2, and not at all below the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitFuzzer {
    /// Levels of rules that may be expanded freely.
    pub max_depth: u32,
}

/// Expands anywhere, in three phases by cost.
///
/// First what costs most, until `min_nonterminals` wait to be expanded; then anything, until
/// `max_nonterminals` do; then what costs least. The cost of an alternative is the number of
/// expansions that it needs at least, without the rule itself: endless for those that need it again.
///
/// * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*, chapter
///   "Efficient Grammar Fuzzing" (`GrammarFuzzer`).
/// * *Changed:* a repetition that may go on is one more thing that waits; the text so far is a linked
///   list of pieces, not a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrammarFuzzer {
    /// Grow until this many wait to be expanded.
    pub min_nonterminals: usize,
    /// Close when this many wait to be expanded.
    pub max_nonterminals: usize,
}

/// Grows by what costs most, until the shortest text that can come of it reaches a size; then closes.
///
/// As [`GrammarFuzzer`], counting bytes. Texts are a little longer than asked for, or shorter where
/// the grammar has no longer ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeTarget {
    /// In bytes.
    pub bytes: u64,
}

impl From<LimitFuzzer> for Algorithm {
    fn from(fuzzer: LimitFuzzer) -> Self {
        Algorithm::Limit(fuzzer)
    }
}

impl From<GrammarFuzzer> for Algorithm {
    fn from(fuzzer: GrammarFuzzer) -> Self {
        Algorithm::Grammar(fuzzer)
    }
}

impl From<SizeTarget> for Algorithm {
    fn from(target: SizeTarget) -> Self {
        Algorithm::Size(target)
    }
}

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
    grammar: Arc<Grammar>,
    algorithm: Algorithm,
    weights: Weights,
    costs: Costs,
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

#[cfg(test)]
mod tests;
