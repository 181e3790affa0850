use crate::{Choices, Generator};
use nubbin_choices::{Replay, Run, Value};
use std::sync::Arc;

/// A generator that is a function of its choices.
///
/// ```
/// use nubbin_generate::{Choices, Function, nubbin_choices::{Replay, Value}};
///
/// let sum = Function::new(|choices: &mut Choices| {
///     let (left, right) = (choices.integer(0..=9), choices.integer(0..=9));
///     format!("{left} + {right}").into_bytes()
/// });
/// assert_eq!(sum.record(1).unwrap().choices.len(), 2);
/// assert_eq!(sum.replay(&[Value::Integer(4)]).unwrap().text, b"4 + 0");
/// ```
pub struct Function<F>(F);

impl<F: Fn(&mut Choices) -> Vec<u8>> Function<F> {
    /// The generator that `make` is.
    pub fn new(make: F) -> Self {
        Function(make)
    }

    /// A run with choices from a seed; `None` where the generator [gave up](Choices::reject).
    pub fn record(&self, seed: u64) -> Option<Run> {
        let mut choices = Choices::recording(seed);
        let text = (self.0)(&mut choices);
        choices.into_run(text)
    }
}

impl<F: Fn(&mut Choices) -> Vec<u8> + Send + Sync> Replay for Function<F> {
    fn replay(&self, values: &[Value]) -> Option<Arc<Run>> {
        let mut choices = Choices::of(values.to_vec());
        let text = (self.0)(&mut choices);
        choices.into_run(text).map(Arc::new)
    }
}

impl Generator {
    /// A run with choices from a seed.
    pub fn record(&self, seed: u64) -> Option<Run> {
        let mut choices = Choices::recording(seed);
        let text = self.generate(&mut choices);
        choices.into_run(text)
    }
}

/// Texts of a grammar.
impl Replay for Generator {
    fn replay(&self, values: &[Value]) -> Option<Arc<Run>> {
        let mut choices = Choices::of(values.to_vec());
        let text = self.generate(&mut choices);
        choices.into_run(text).map(Arc::new)
    }
}
