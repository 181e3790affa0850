//! What a generator outside answers.

use nubbin_generate::Choices;
use nubbin_generate::nubbin_choices::{Kind, Value};

/// What came of one run of a generator outside.
pub(crate) enum Made {
    /// A text.
    Text(Vec<u8>),
    /// It said that nothing can come of these choices.
    Nothing,
}

/// What is wrong with a generator outside.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) what: String,
    /// What it wrote to standard error.
    pub(crate) complaints: Vec<String>,
}

impl Trouble {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Trouble {
            what: what.into(),
            complaints: vec![],
        }
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.what)?;
        self.complaints
            .iter()
            .try_for_each(|line| write!(f, "\nit wrote: {line}"))
    }
}

impl std::error::Error for Trouble {}

/// One choice of a generator that asks for it by its kind.
pub(super) fn choose(choices: &mut Choices, kind: Kind, probability: Option<f64>) -> Value {
    match (kind, probability) {
        (Kind::Boolean, Some(probability)) => Value::Boolean(choices.boolean_with(probability)),
        (kind, _) => choices.value(kind),
    }
}
