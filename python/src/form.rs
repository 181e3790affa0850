//! The Python values that the bytes of a candidate stand for.

use crate::choices::{self, Source};
use pyo3::exceptions::PyUnicodeDecodeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use std::sync::Arc;

/// The type of the values that a test receives.
pub(crate) enum Form {
    /// `bytes`.
    Bytes,
    /// `str`, in UTF-8. Lone surrogates are kept.
    Text,
    /// The elements of a sequence, by their indices.
    Items {
        items: Vec<Py<PyAny>>,
        /// A function that makes the sequence from a list; `None` keeps the list.
        make: Option<Py<PyAny>>,
    },
    /// The value that a generator makes of encoded choices.
    Made(Arc<Source>),
}

/// The number of bytes of the index of an element.
pub(crate) const WIDTH: usize = 4;

impl Form {
    /// Returns the form of an input: `str` or `bytes`.
    pub(crate) fn of(is_text: bool) -> Self {
        match is_text {
            true => Form::Text,
            false => Form::Bytes,
        }
    }

    /// Returns the value, or `None` if the bytes are no text in UTF-8.
    pub(crate) fn value<'py>(
        &self,
        py: Python<'py>,
        bytes: &[u8],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(Some(match self {
            Form::Bytes => PyBytes::new(py, bytes).into_any(),
            Form::Text => match std::str::from_utf8(bytes) {
                Ok(text) => PyString::new(py, text).into_any(),
                Err(_) => {
                    let bytes = PyBytes::new(py, bytes);
                    let codec = (Some(c"utf-8"), Some(c"surrogatepass"));
                    match PyString::from_encoded_object(&bytes, codec.0, codec.1) {
                        Ok(text) => text.into_any(),
                        Err(error) if error.is_instance_of::<PyUnicodeDecodeError>(py) => {
                            return Ok(None);
                        }
                        Err(error) => return Err(error),
                    }
                }
            },
            Form::Made(source) => return source.value(py, bytes),
            Form::Items { items, make } => {
                let kept: Vec<&Py<PyAny>> = indices(bytes)
                    .filter_map(|index| items.get(index))
                    .collect();
                let list = PyList::new(py, kept)?;
                match make {
                    None => list.into_any(),
                    Some(make) => make.bind(py).call1((list,))?,
                }
            }
        }))
    }

    /// Returns the number of elements of an input of this size: bytes, or elements of a sequence.
    pub(crate) fn count(&self, bytes: usize) -> usize {
        match self {
            Form::Items { .. } => bytes / WIDTH,
            Form::Bytes | Form::Text | Form::Made(_) => bytes,
        }
    }

    /// Returns the choices after the value.
    pub(crate) fn choices<'py>(
        &self,
        py: Python<'py>,
        bytes: &[u8],
    ) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        match self {
            Form::Made(_) => choices::list(py, bytes).map(Some),
            _ => Ok(None),
        }
    }
}

/// Returns the bytes for a sequence of this length.
pub(crate) fn encode(len: u32) -> Vec<u8> {
    (0..len).flat_map(u32::to_be_bytes).collect()
}

fn indices(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    bytes
        .as_chunks::<WIDTH>()
        .0
        .iter()
        .map(|chunk| u32::from_be_bytes(*chunk) as usize)
}
