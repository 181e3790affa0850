//! The exceptions of the package, and errors of the crates as exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::error::Error;

create_exception!(
    nubbin,
    NotFailingError,
    PyValueError,
    "The original input does not fail, so there is nothing to reduce."
);
create_exception!(
    nubbin,
    GrammarError,
    PyValueError,
    "A grammar cannot be used, or a text does not fit it."
);
create_exception!(
    nubbin,
    CommandError,
    PyRuntimeError,
    "A command cannot be run as a test."
);

create_exception!(
    nubbin,
    Rejected,
    PyException,
    "A generator has rejected its choices: they make no value."
);

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("NotFailingError", py.get_type::<NotFailingError>())?;
    module.add("GrammarError", py.get_type::<GrammarError>())?;
    module.add("CommandError", py.get_type::<CommandError>())?;
    module.add("Rejected", py.get_type::<Rejected>())
}

/// Returns the message of an error and of its causes.
pub(crate) fn message(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let why = error.to_string();
        // A transparent error has the message of its cause.
        if !text.ends_with(&why) {
            text += &format!(": {why}");
        }
        cause = error.source();
    }
    text
}

pub(crate) fn value(error: impl Error) -> PyErr {
    PyValueError::new_err(message(&error))
}

pub(crate) fn grammar(error: impl Error) -> PyErr {
    GrammarError::new_err(message(&error))
}

pub(crate) fn command(error: impl Error) -> PyErr {
    CommandError::new_err(message(&error))
}
