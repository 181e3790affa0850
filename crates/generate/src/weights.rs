//! How likely each alternative is.

use nubbin_grammar::grammar::{Expr, ExprId, Grammar, SymbolKind};
use nubbin_grammar::parse::{ParseError, Parser};
use nubbin_grammar::tree::NodeKind;

/// Weights of the alternatives of each choice; of taking each optional part; of going on with each
/// repetition. Equal where nothing is known.
#[derive(Clone, Debug)]
pub struct Weights {
    /// By expression; empty: equal.
    by_expr: Vec<Vec<f32>>,
}

/// Weights that do not fit the grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// There is no such rule, or it has no alternatives.
    #[error("<{0}> is no rule with alternatives")]
    NoChoice(String),
    /// Not one weight for each alternative.
    #[error("<{rule}> has {alternatives} alternatives, and {weights} weights are given")]
    Count {
        /// Which rule.
        rule: String,
        /// How many it has.
        alternatives: usize,
        /// How many were given.
        weights: usize,
    },
    /// Negative, infinite, or all zero.
    #[error("the weights of <{0}> must be 0 or more, and one of them more")]
    Value(String),
}

impl Weights {
    /// All alternatives are equally likely.
    pub fn equal(grammar: &Grammar) -> Self {
        Weights {
            by_expr: vec![vec![]; grammar.expr_count()],
        }
    }

    /// Sets the weights of the alternatives of a rule.
    ///
    /// # Errors
    ///
    /// There is no such rule, or the weights do not suit it.
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

    /// Counts how often each alternative, optional part and iteration occurs in a text.
    ///
    /// What never occurs gets weight 0 where something else does. (A generator that must come to an
    /// end takes what ends soonest, whatever it weighs.)
    ///
    /// # Errors
    ///
    /// The text does not fit the grammar.
    pub fn learn(&mut self, parser: &Parser, text: &[u8]) -> Result<(), ParseError> {
        let grammar = parser.grammar();
        let mut taken = vec![];
        let tree = parser.parse_telling(text, |choice, index| taken.push((choice, index)))?;
        for (choice, index) in taken {
            let count = grammar.alternatives(&choice).len();
            self.count(choice, index as usize, count);
        }
        for (id, node) in tree.nodes() {
            let Some(expr) = node.expr else { continue };
            match node.kind {
                NodeKind::Optional => {
                    let there = tree.children(id).next().is_some();
                    self.count(expr, usize::from(!there), 2);
                }
                // Each iteration went on, each repetition stopped once.
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

    /// The weights of a choice, or of a quantifier: to take or go on, and not to. Empty: equal.
    pub fn of(&self, expr: ExprId) -> &[f32] {
        &self.by_expr[expr.index()]
    }

    /// The rules whose alternatives have weights, with the weights.
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
