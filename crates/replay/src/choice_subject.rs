use nubbin_choices::{Choice, Kind, Replay, Run, Value};
use nubbin_edit::{Input, Span};
use nubbin_engine::explain::{Draw, Part, Subject, Varied};
use std::path::PathBuf;
use std::sync::Arc;

/// A function that draws a random value of a kind.
pub type DrawValue = dyn Fn(&Kind, u64) -> Value + Send + Sync;

/// The choices of a generator as a subject. Each choice is a part, at its position in the sequence.
/// The tested inputs are texts that the generator creates from other choices.
pub struct ChoiceSubject {
    replay: Arc<dyn Replay>,
    choices: Vec<Choice>,
    name: PathBuf,
    input: Input,
    parts: Vec<Part>,
    draw: Box<DrawValue>,
    seed: u64,
}

impl ChoiceSubject {
    /// Creates a subject from a run of a generator. `name` is the name of the text's file for the
    /// test.
    ///
    /// # Errors
    /// Returns an error if the text cannot be an input.
    pub fn new(
        replay: Arc<dyn Replay>,
        run: &Run,
        name: PathBuf,
        draw: Box<DrawValue>,
        seed: u64,
    ) -> Result<Self, nubbin_edit::InputError> {
        let numbered = run.choices.iter().zip(0..);
        let part =
            |(choice, at): (&Choice, u32)| Part::new(kind(&choice.kind), Span::new(at, at + 1));
        Ok(ChoiceSubject {
            input: Input::single(name.clone(), run.text.clone())?,
            parts: numbered.map(part).collect(),
            choices: run.choices.clone(),
            replay,
            name,
            draw,
            seed,
        })
    }
}

/// The largest number of draws for one choice until a draw differs from the original choice.
const TRIES: usize = 8;

impl Subject for ChoiceSubject {
    fn input(&self) -> &Input {
        &self.input
    }

    fn parts(&self) -> &[Part] {
        &self.parts
    }

    fn vary(&self, parts: &[usize], number: u64) -> Option<Varied> {
        let mut values: Vec<Value> = self
            .choices
            .iter()
            .map(|choice| choice.value.clone())
            .collect();
        for &at in parts {
            let mut draw = Draw::new(self.seed, at, number);
            let choice = &self.choices[at];
            let mut drawn = (0..TRIES).map(|_| (self.draw)(&choice.kind, draw.next()));
            values[at] = drawn.find(|value| *value != choice.value)?;
        }
        let run = self.replay.replay(&values)?;
        if run.text == self.input.bytes() && parts.len() > 1 {
            return None;
        }
        let texts = parts.iter().map(|&at| said(&values[at])).collect();
        let input = Input::single(self.name.clone(), run.text.clone()).ok()?;
        Some(Varied { input, texts })
    }
}

fn said(value: &Value) -> Vec<u8> {
    match value {
        Value::Simplest => b"simplest".to_vec(),
        Value::Boolean(value) => value.to_string().into_bytes(),
        Value::Integer(value) => value.to_string().into_bytes(),
        Value::Float(value) => value.to_string().into_bytes(),
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::Bytes(bytes) => bytes.to_vec(),
    }
}

fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Boolean => "boolean".into(),
        Kind::Index { of, .. } => format!("one of {of}"),
        Kind::Integer {
            min: i64::MIN,
            max: i64::MAX,
            ..
        } => "integer".into(),
        Kind::Integer { min, max, .. } => format!("integer from {min} to {max}"),
        Kind::Float { .. } => "float".into(),
        Kind::Text { .. } => "text".into(),
        Kind::Bytes { .. } => "bytes".into(),
    }
}
