//! The weights of the alternatives of a grammar, which set the probability of each alternative.

use crate::words::Words;
use nubbin_grammar::grammar::{Expr, ExprId, Grammar, SymbolKind};
use nubbin_grammar::parse::{ParseError, Parser};
use nubbin_grammar::tree::NodeKind;

/// The weights of the alternatives of each choice, of each optional part, and of one more iteration
/// of each repetition. Weights that are not set are equal.
#[derive(Clone, Debug)]
pub struct Weights {
    /// The weights by expression. An empty list stands for equal weights.
    by_expr: Vec<Vec<f32>>,
    /// The texts of tokens that were met.
    words: Words,
}

/// The reason why weights do not fit a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// There is no such rule, or it has no alternatives.
    #[error("`<{0}>` is not a rule with alternatives")]
    NoChoice(String),
    /// The number of weights is not the number of alternatives.
    #[error("`<{rule}>` has {alternatives} alternatives, but {weights} weights are given")]
    Count {
        /// The name of the rule.
        rule: String,
        /// The number of alternatives of the rule.
        alternatives: usize,
        /// The number of weights given.
        weights: usize,
    },
    /// A weight is negative or infinite, or all weights are zero.
    #[error("the weights of `<{0}>` must be finite and not negative, and one must be above 0")]
    Value(String),
}

impl Weights {
    /// Creates weights that are all equal.
    pub fn equal(grammar: &Grammar) -> Self {
        Weights {
            by_expr: vec![vec![]; grammar.expr_count()],
            words: Words::default(),
        }
    }

    /// Sets the weights of the alternatives of a rule.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such rule or if the weights do not fit it.
    pub fn set(
        &mut self,
        grammar: &Grammar,
        rule: &str,
        weights: Vec<f32>,
    ) -> Result<(), WeightsError> {
        let body = grammar.rule(rule).and_then(|id| grammar.body(id));
        let Some((body, Expr::Choice(list))) = body.map(|body| (body, grammar.expr(body))) else {
            return Err(WeightsError::NoChoice(rule.into()));
        };
        let alternatives = grammar.list(list).len();
        if alternatives != weights.len() {
            return Err(WeightsError::Count {
                rule: rule.into(),
                alternatives,
                weights: weights.len(),
            });
        }
        let usable = |weight: &f32| weight.is_finite() && *weight >= 0.0;
        if !weights.iter().all(usable) || weights.iter().sum::<f32>() <= 0.0 {
            return Err(WeightsError::Value(rule.into()));
        }
        self.by_expr[body.index()] = weights;
        Ok(())
    }

    /// Adds the number of occurrences of each alternative, optional part, and iteration in a text.
    ///
    /// With lexer rules, the texts of names, numbers, and other tokens with many texts are learned
    /// too. The generator then uses them 15 times out of 16 in the contexts in which they were
    /// seen: in the same rule, and after the same word in that rule or in the enclosing rule. So
    /// elements get their own attributes, and attributes get their own values.
    ///
    /// An alternative that never occurs gets weight 0 if another alternative of its choice occurs.
    /// A generator that must end takes the alternative that ends soonest, even with weight 0. If
    /// words were learned, it first takes alternatives that reach no recursion by their weights.
    ///
    /// # Errors
    ///
    /// Returns an error if the text does not fit the grammar.
    pub fn learn(&mut self, parser: &Parser, text: &[u8]) -> Result<(), ParseError> {
        let grammar = parser.grammar();
        let mut taken = vec![];
        let tree = parser.parse_telling(text, |choice, index| taken.push((choice, index)))?;
        for (choice, index) in taken {
            let count = grammar.alternatives(&choice).len();
            self.count(choice, index as usize, count);
        }
        if grammar.lexing().is_some() {
            self.words.learn(grammar, &tree);
        }
        for (id, node) in tree.nodes() {
            let Some(expr) = node.expr else { continue };
            match node.kind {
                NodeKind::Optional => {
                    let there = tree.children(id).next().is_some();
                    self.count(expr, usize::from(!there), 2);
                }
                // A repetition continued once for each iteration and stopped once.
                NodeKind::Iteration => self.count(expr, 0, 2),
                NodeKind::Repeat => self.count(expr, 1, 2),
                _ => {}
            }
        }
        Ok(())
    }

    fn count(&mut self, expr: ExprId, index: usize, count: usize) {
        let weights = &mut self.by_expr[expr.index()];
        weights.resize(count, 0.0);
        weights[index] += 1.0;
    }

    /// Returns the weights of an expression, or an empty slice if all its weights are equal.
    ///
    /// A choice has one weight per alternative. An optional part and a repetition have two
    /// weights: for taking the part or one more iteration, and for not taking it.
    pub fn of(&self, expr: ExprId) -> &[f32] {
        &self.by_expr[expr.index()]
    }

    /// Returns the texts of tokens that were seen.
    pub(crate) fn words(&self) -> &Words {
        &self.words
    }

    /// Iterates over the names of the rules whose alternatives have weights, with these weights.
    pub fn rules<'a>(
        &'a self,
        grammar: &'a Grammar,
    ) -> impl Iterator<Item = (&'a str, &'a [f32])> + 'a {
        grammar.rules().filter_map(|(id, body)| {
            let symbol = grammar.symbol(id);
            let weights = self.of(body);
            let shown = matches!(symbol.kind, SymbolKind::Rule(_)) && !weights.is_empty();
            shown.then_some((&*symbol.name, weights))
        })
    }
}
