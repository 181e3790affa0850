//! The syntax of an input: of a grammar, or of a language.

use crate::error;
use crate::grammar::Grammar;
use nubbin_grammar::syntax::Syntax;
use nubbin_languages::catalogue;
use nubbin_languages::detect::detect;
use nubbin_reduce::auto::Kind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The name of a text without a syntax.
const NONE: &str = "none";

/// Returns the syntax of a text: that of the grammar, of the language, or of the language that the
/// name and the content of the text show.
pub(crate) fn of(
    grammar: Option<&Grammar>,
    language: Option<&str>,
    name: &str,
    text: &[u8],
) -> PyResult<Option<Arc<dyn Syntax>>> {
    let entry = match (grammar, language) {
        (Some(_), Some(_)) => {
            let what = "give a grammar or a language, not both";
            return Err(PyValueError::new_err(what));
        }
        (Some(grammar), None) => return Ok(Some(grammar.parser()?)),
        (None, Some(NONE)) => None,
        (None, Some(name)) => Some(catalogue::named(name).ok_or_else(|| unknown(name))?),
        (None, None) if Kind::of(text) == Kind::Text => detect(Some(name), text),
        (None, None) => None,
    };
    let syntax = entry.map(|entry| entry.syntax().map_err(error::value));
    syntax.transpose()
}

fn unknown(name: &str) -> PyErr {
    let like = match catalogue::nearest(name) {
        Some(like) => format!(", did you mean `{like}`?"),
        None => "; `nubbin.languages()` lists the languages".into(),
    };
    PyValueError::new_err(format!("unknown language `{name}`{like}"))
}
