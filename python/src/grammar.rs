//! Grammars.

use crate::error;
use nubbin_grammar::grammar;
use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::antlr;
use nubbin_grammar::read::{self, Format};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// A grammar that was read. The parser is made when it is first needed.
#[pyclass(frozen, module = "nubbin._nubbin")]
pub(crate) struct Grammar {
    grammar: Arc<grammar::Grammar>,
    parser: OnceLock<Arc<Parser>>,
}

impl Grammar {
    pub(crate) fn grammar(&self) -> &Arc<grammar::Grammar> {
        &self.grammar
    }

    pub(crate) fn parser(&self) -> PyResult<Arc<Parser>> {
        if let Some(parser) = self.parser.get() {
            return Ok(Arc::clone(parser));
        }
        let parser = Parser::new(Arc::clone(&self.grammar)).map_err(error::grammar)?;
        Ok(Arc::clone(self.parser.get_or_init(|| Arc::new(parser))))
    }
}

#[pymethods]
impl Grammar {
    /// Reads a grammar. `folder` has the grammars that one of ANTLR imports.
    #[new]
    #[pyo3(signature = (text, name, format=None, start=None, folder=None))]
    fn new(
        text: &str,
        name: &str,
        format: Option<&str>,
        start: Option<&str>,
        folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        let format = match format {
            Some(id) => id.parse::<Format>().map_err(PyValueError::new_err)?,
            None => Format::detect(text),
        };
        let (grammar, undefined) = match format {
            Format::Antlr => {
                let mut load = |name: &str| {
                    let path = folder.as_ref()?.join(format!("{name}.g4"));
                    std::fs::read_to_string(path).ok()
                };
                let read = antlr::read(text, name, &mut load).map_err(error::grammar)?;
                (read.grammar, read.undefined)
            }
            _ => read::read_leniently(text, Some(format), name).map_err(error::grammar)?,
        };
        if let Some(undefined) = undefined {
            return Err(error::grammar(undefined));
        }
        let grammar = grammar.with_conventions(&nubbin_languages::hints::CONVENTIONS);
        let grammar = match start {
            None => grammar,
            Some(start) => {
                let start = read::start_symbol(&grammar, start).map_err(error::grammar)?;
                grammar.with_start(start)
            }
        };
        Ok(Grammar {
            grammar: Arc::new(grammar),
            parser: OnceLock::new(),
        })
    }

    /// The name of the grammar.
    #[getter]
    fn name(&self) -> &str {
        self.grammar.name()
    }

    /// The name of the start symbol.
    #[getter]
    fn start(&self) -> &str {
        &self.grammar.symbol(self.grammar.start()).name
    }

    /// The names of the rules.
    #[getter]
    fn rules(&self) -> Vec<&str> {
        let rules = self.grammar.rules();
        rules
            .map(|(id, _)| &*self.grammar.symbol(id).name)
            .collect()
    }
}
