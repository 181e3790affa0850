use crate::{Choices, Generator};
use nubbin_choices::{Replay, Run, Value};
use std::sync::Arc;

/// A generator that calls a function from choices to a text.
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
    /// Creates a generator that calls `make`.
    pub fn new(make: F) -> Self {
        Function(make)
    }

    /// Records a run with choices from a seed. Returns `None` if the function
    /// [rejected](Choices::reject) its choices.
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
    /// Records a run with choices from a seed. Returns `None` if the run has more than 65,536
    /// choices.
    pub fn record(&self, seed: u64) -> Option<Run> {
        let mut choices = Choices::recording(seed);
        let text = self.generate(&mut choices);
        choices.into_run(text)
    }
}

impl Replay for Generator {
    fn replay(&self, values: &[Value]) -> Option<Arc<Run>> {
        let mut choices = Choices::of(values.to_vec());
        let text = self.generate(&mut choices);
        choices.into_run(text).map(Arc::new)
    }
}
