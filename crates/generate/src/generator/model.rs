use super::algorithm::Algorithm;
use super::costs::Costs;
use super::tokens::Tokens;
use crate::choices::Choices;
use crate::weights::Weights;
use nubbin_grammar::grammar::{ExprId, Grammar};
use std::sync::Arc;

/// A generator that turns choices into texts of a grammar.
///
/// The generator obeys scopes: names are defined before they are used. A text that the grammar
/// marks with `defines` becomes a name, which is usable after the next `commits`. A part marked
/// with `uses` becomes one of the usable names, or the `otherwise` text if no name is usable.
#[derive(Debug)]
pub struct Generator {
    pub(super) grammar: Arc<Grammar>,
    pub(super) algorithm: Algorithm,
    pub(super) weights: Weights,
    pub(super) costs: Costs,
    /// The number of tokens after which [`LimitFuzzer`](super::LimitFuzzer) closes a text.
    pub(super) max_tokens: u64,
    /// The tokens, if the grammar has a lexer.
    pub(super) tokens: Option<Tokens>,
}

impl Generator {
    /// Returns the grammar of the generator.
    pub fn grammar(&self) -> &Arc<Grammar> {
        &self.grammar
    }

    /// Sets the weights of the alternatives.
    #[must_use]
    pub fn weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// Sets the number of tokens after which [`LimitFuzzer`](super::LimitFuzzer) takes the flattest
    /// alternatives, as below its depth. Without lexer rules, terminals are counted.
    ///
    /// A text becomes somewhat longer, since parts that have begun are completed. The meaning of
    /// recorded choices does not depend on this limit.
    #[must_use]
    pub fn max_tokens(mut self, tokens: u64) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// Chooses one of the alternatives that derive a text, by weight.
    pub(super) fn pick(
        &self,
        weights: &[f32],
        members: &[ExprId],
        default: u32,
        choices: &mut Choices,
    ) -> u32 {
        if weights.is_empty() && self.costs.all_usable() {
            return choices.choose(members.len(), default as usize) as u32;
        }
        let weight = |(i, &id): (usize, &ExprId)| match self.usable(id) {
            true => weights.get(i).copied().unwrap_or(1.0),
            false => 0.0,
        };
        let weighted = members.iter().enumerate().map(weight);
        choices.choose_weighted(weighted, default as usize) as u32
    }

    /// Chooses, at the end of a text, one of the alternatives of a choice that reach no recursion,
    /// by weights that were learned with words. `None` without such weights.
    ///
    /// The shortest alternative is often a rare one: a property of CSS would always be a variable.
    pub(super) fn learned(&self, choice: ExprId, choices: &mut Choices) -> Option<u32> {
        let weights = self.weights.of(choice);
        if weights.is_empty() || self.weights.words().is_empty() {
            return None;
        }
        let bounded = self.costs.bounded(&self.grammar, choice);
        let weights = bounded.iter().map(|&i| weights[i as usize]);
        let is_met = weights.clone().any(|weight| weight > 0.0);
        is_met.then(|| bounded[choices.choose_weighted(weights, 0)])
    }

    /// Returns whether an expression derives a text.
    pub(super) fn usable(&self, id: ExprId) -> bool {
        self.costs.all_usable() || self.costs.usable(id)
    }
}
