//! The answer of a generator that is a program.

use nubbin_generate::Choices;
use nubbin_generate::nubbin_choices::{Kind, Value};

/// The outcome of one run of a generator.
pub(crate) enum Made {
    /// A text.
    Text(Vec<u8>),
    /// The generator rejected the choices.
    Nothing,
}

/// A generator that broke.
#[derive(Debug)]
pub(crate) struct GeneratorError {
    pub(crate) what: String,
    /// The lines that it wrote to standard error.
    pub(crate) complaints: Vec<String>,
}

impl GeneratorError {
    pub(super) fn new(what: impl Into<String>) -> Self {
        GeneratorError {
            what: what.into(),
            complaints: vec![],
        }
    }
}

impl std::fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)?;
        self.complaints
            .iter()
            .try_for_each(|line| write!(f, "\nit wrote: {line}"))
    }
}

impl std::error::Error for GeneratorError {}

/// One choice of a generator that asks for it by its kind.
pub(super) fn choose(choices: &mut Choices, kind: Kind, probability: Option<f64>) -> Value {
    match (kind, probability) {
        (Kind::Boolean, Some(probability)) => Value::Boolean(choices.boolean_with(probability)),
        (kind, _) => choices.value(kind),
    }
}
