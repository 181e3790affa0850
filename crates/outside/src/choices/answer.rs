//! The result of a generator that is a program.

use nubbin_generate::Choices;
use nubbin_generate::nubbin_choices::{Kind, Value};

/// The outcome of one run of a generator.
pub(super) enum Made {
    /// The generator generated a text.
    Text(Vec<u8>),
    /// The generator rejected the choices.
    Nothing,
}

/// An error of a generator.
#[derive(Debug)]
pub struct GeneratorError {
    pub what: String,
    /// The lines of the generator's standard error.
    pub complaints: Vec<String>,
    /// The advice for the user, if there is any.
    pub advice: Option<String>,
}

impl GeneratorError {
    pub(super) fn new(what: impl Into<String>) -> Self {
        GeneratorError {
            what: what.into(),
            complaints: vec![],
            advice: None,
        }
    }
}

impl std::fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)?;
        self.complaints
            .iter()
            .try_for_each(|line| write!(f, "\nit wrote: {line}"))?;
        match &self.advice {
            Some(advice) => write!(f, "\n{advice}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for GeneratorError {}

/// Draws a choice of the kind that a generator requests.
pub(super) fn choose(choices: &mut Choices, kind: Kind, probability: Option<f64>) -> Value {
    match (kind, probability) {
        (Kind::Boolean, Some(probability)) => Value::Boolean(choices.boolean_with(probability)),
        (kind, _) => choices.value(kind),
    }
}
