//! Expressions of one process, by the number of their batch.

use nubbin_generate::Choices;
use nubbin_generate::nubbin_choices::{Run, Value};
use nubbin_graph::{Language, Walker, walk};
use std::sync::Arc;

/// Spreads the seeds of batches. Source: G. Steele, D. Lea, C. Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// An expression, and the choices from which it was generated.
#[derive(Clone, Debug)]
pub struct Expression {
    /// The number of the expression among all expressions of the run.
    pub number: u64,
    pub text: Vec<u8>,
    pub choices: Vec<u32>,
}

impl Expression {
    /// Returns the recorded run, with the spans of its choices.
    pub fn recorded(&self, walker: &Walker) -> Option<Arc<Run>> {
        use nubbin_generate::nubbin_choices::Replay;
        let values = self.choices.iter();
        let values: Vec<Value> = values
            .map(|&choice| Value::Integer(choice.into()))
            .collect();
        walker.replay(&values)
    }
}

/// Generates the expressions of a batch. The expressions depend only on the seed and the number of
/// the batch.
pub fn expressions(
    walker: &Walker,
    seed: u64,
    batch: u64,
    size: u64,
    count: u64,
) -> Vec<Expression> {
    let mut choices = Choices::seeded(seed ^ batch.wrapping_add(1).wrapping_mul(SPREAD));
    let first = batch * size;
    let last = count.min(first.saturating_add(size));
    let one = |number: u64| {
        choices.forget();
        let text = walker.generate(&mut choices);
        Expression {
            number: number + 1,
            text,
            choices: choices.recorded().to_vec(),
        }
    };
    (first..last).map(one).collect()
}

/// Returns the script of a batch.
pub fn script(language: Language, expressions: &[Expression]) -> Vec<u8> {
    let texts = expressions.iter().map(|expression| &expression.text);
    walk::batch(language, texts)
}
