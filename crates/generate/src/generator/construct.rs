//! The construction of a generator.

use super::algorithm::Algorithm;
use super::costs::{Costs, Unusable, early_ends};
use super::tokens::Tokens;
use super::{Generator, GeneratorError, usual_texts};
use crate::weights::Weights;
use nubbin_grammar::grammar::{Grammar, SymbolId, SymbolKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The maximum number of parts of the shortest text of a grammar. A text takes some ten bytes for
/// each.
const MOST_PARTS: u64 = 1 << 24;

impl Generator {
    /// Creates a generator with equal weights.
    ///
    /// # Errors
    ///
    /// Returns an error if the grammar derives no text, has a token whose text it does not define,
    /// or has lexer rules that cannot yield the tokens that every text needs.
    pub fn new(grammar: Arc<Grammar>, algorithm: Algorithm) -> Result<Self, GeneratorError> {
        let facts = grammar.facts();
        let name = |id| grammar.symbol(id).name.clone();
        if !facts.productive(grammar.start()) {
            return Err(GeneratorError::Unproductive(name(grammar.start())));
        }
        let costs = Costs::of(&grammar, Unusable::default());
        let least = grammar.body(grammar.start()).map(|body| costs.least(body));
        if let Some(parts) = least.filter(|&parts| parts > MOST_PARTS) {
            let start = name(grammar.start());
            return Err(GeneratorError::TooLarge { start, parts });
        }
        let mut generator = Generator {
            weights: Weights::equal(&grammar),
            costs,
            grammar: Arc::clone(&grammar),
            algorithm,
            max_tokens: u64::MAX,
            tokens: None,
        };
        if let Some(tokens) = Tokens::of(&generator, &grammar) {
            generator.set_tokens(tokens)?;
            return Ok(generator);
        }
        let unknown = |&id: &_| {
            facts.reachable(id) && matches!(grammar.symbol(id).kind, SymbolKind::External)
        };
        if let Some(id) = grammar.symbol_ids().find(unknown) {
            return Err(GeneratorError::External(name(id)));
        }
        Ok(generator)
    }

    fn set_tokens(&mut self, tokens: Tokens) -> Result<(), GeneratorError> {
        let grammar = &*self.grammar;
        let missing = usual_texts::missing(grammar, &tokens);
        let early = tokens.end.map(|end| early_ends(grammar, end));
        let starts = |costs: &Costs| {
            grammar
                .body(grammar.start())
                .is_some_and(|id| costs.usable(id))
        };
        // A grammar may end every text too early.
        for exprs in [early.unwrap_or_default(), FxHashSet::default()] {
            let unusable = Unusable {
                symbols: missing.clone(),
                exprs,
            };
            self.costs = Costs::of(grammar, unusable);
            if starts(&self.costs) {
                self.tokens = Some(tokens);
                return Ok(());
            }
        }
        let name = |id: SymbolId| grammar.symbol(id).name.clone();
        let is_missing = |id: &SymbolId| missing[id.index()];
        Err(GeneratorError::NoToken {
            start: name(grammar.start()),
            tokens: grammar.symbol_ids().filter(is_missing).map(name).collect(),
        })
    }
}
