use crate::{Kind, Value};
use std::sync::Arc;

/// One choice of a generator: its kind, and the value chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The kind of the choice.
    pub kind: Kind,
    /// The chosen value. [`Kind::admit`] returns it unchanged.
    pub value: Value,
}

/// The label of a span. Spans with the same label generated the same kind of part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u64);

impl From<&str> for Label {
    /// Hashes a name to a label (FNV-1a).
    fn from(name: &str) -> Self {
        let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Label(name.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, mix))
    }
}

/// A span of choices: the choices that generated one part of a text, such as an element or an
/// expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The label of the part.
    pub label: Label,
    /// The index of the enclosing span; `None` for an outermost span.
    pub parent: Option<u32>,
    /// The index of the first choice.
    pub start: u32,
    /// The index after the last choice.
    pub end: u32,
    /// Whether the generator discarded the part.
    pub discarded: bool,
}

impl Span {
    /// Returns the number of choices.
    pub fn len(&self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the span has no choices.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// A recorded run of a generator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The choices, in order.
    pub choices: Vec<Choice>,
    /// The spans in the order of their starts. An enclosing span comes before the spans within it.
    pub spans: Vec<Span>,
    /// The generated text.
    pub text: Vec<u8>,
    /// Whether the generator asked for more choices than the replayed sequence has.
    pub overran: bool,
}

impl Run {
    /// Returns the values of the choices.
    pub fn values(&self) -> Vec<Value> {
        self.choices
            .iter()
            .map(|choice| choice.value.clone())
            .collect()
    }

    /// Returns whether the given values are the values of the run.
    pub fn is_of(&self, values: &[Value]) -> bool {
        let same = |(choice, value): (&Choice, &Value)| choice.value == *value;
        self.choices.len() == values.len() && self.choices.iter().zip(values).all(same)
    }

    /// Compares two choices by simplicity.
    pub fn simpler(left: &Choice, right: &Choice) -> std::cmp::Ordering {
        let key = |choice: &Choice| {
            let mut key = vec![];
            choice.kind.key(&choice.value, &mut key);
            key
        };
        key(left).cmp(&key(right))
    }
}

/// A generator that can generate a text from any sequence of values.
///
/// The same values must always result in the same run. The engine calls a generator from several
/// threads at once.
pub trait Replay: Send + Sync {
    /// Replays the given values and returns the run.
    ///
    /// Each choice takes the next value, [converted](Kind::admit) to its kind. A choice after the
    /// last value takes the simplest value.
    ///
    /// Returns `None` if there is no text: the generator gave up, or it is broken. An error of a
    /// broken generator is reported when the text is to be tested.
    fn replay(&self, values: &[Value]) -> Option<Arc<Run>>;
}
