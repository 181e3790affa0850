use crate::{Kind, Value};
use std::sync::Arc;

/// One choice: what was asked, and what was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What was asked.
    pub kind: Kind,
    /// What was chosen: a value that the kind admits as it is.
    pub value: Value,
}

/// Says what a span is of: the same number, the same thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u64);

impl From<&str> for Label {
    /// The number of a name (FNV-1a).
    fn from(name: &str) -> Self {
        let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Label(name.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, mix))
    }
}

/// Choices that a generator made while it was at one thing: an element, an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// What it is.
    pub label: Label,
    /// The span it is in.
    pub parent: Option<u32>,
    /// Its first choice.
    pub start: u32,
    /// Behind its last choice.
    pub end: u32,
    /// The generator threw away what came of it.
    pub discarded: bool,
}

impl Span {
    /// Number of choices.
    pub fn len(&self) -> u32 {
        self.end - self.start
    }

    /// Whether nothing was chosen in it.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

/// A recorded run of a generator.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// What was chosen, in order.
    pub choices: Vec<Choice>,
    /// In the order they begin, those around before those within.
    pub spans: Vec<Span>,
    /// What came of it.
    pub text: Vec<u8>,
    /// More was asked for than the replayed sequence says.
    pub overran: bool,
}

impl Run {
    /// The values alone.
    pub fn values(&self) -> Vec<Value> {
        self.choices
            .iter()
            .map(|choice| choice.value.clone())
            .collect()
    }

    /// Whether so many values are those of this run.
    pub fn is_of(&self, values: &[Value]) -> bool {
        let same = |(choice, value): (&Choice, &Value)| choice.value == *value;
        self.choices.len() == values.len() && self.choices.iter().zip(values).all(same)
    }

    /// The order of simplicity of two choices.
    pub fn simpler(left: &Choice, right: &Choice) -> std::cmp::Ordering {
        let key = |choice: &Choice| {
            let mut key = vec![];
            choice.kind.key(&choice.value, &mut key);
            key
        };
        key(left).cmp(&key(right))
    }
}

/// Whoever can make a text from any sequence of values.
///
/// The same values always make the same run. Called from several threads at once.
pub trait Replay: Send + Sync {
    /// What comes of these values: each choice takes the next one as its kind
    /// [admits](Kind::admit) it, and the simplest where there is none left.
    ///
    /// `None` where nothing comes of it: the generator gave up, or it is broken; who asks it for
    /// the text that is to be tested will be told.
    fn replay(&self, values: &[Value]) -> Option<Arc<Run>>;
}
