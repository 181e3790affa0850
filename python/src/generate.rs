//! Generators of texts.

use crate::error;
use crate::grammar::Grammar;
use nubbin_generate::{Algorithm, Choices, GrammarFuzzer, LimitFuzzer, SizeTarget, generator};
use pyo3::prelude::*;
use std::sync::Arc;

/// A generator of the texts of a grammar.
#[pyclass(frozen, module = "nubbin._nubbin")]
pub(crate) struct Generator {
    generator: Arc<generator::Generator>,
}

#[derive(FromPyObject)]
enum Target {
    /// The numbers of open nonterminals.
    #[pyo3(transparent)]
    Open((usize, usize)),
    /// The name of a limit, and its value.
    #[pyo3(transparent)]
    Limit((String, u64)),
}

#[pymethods]
impl Generator {
    /// Makes a generator with numbers of open nonterminals, a depth, or a size in bytes.
    #[new]
    fn new(grammar: &Grammar, target: Target) -> PyResult<Self> {
        let algorithm: Algorithm = match target {
            Target::Open((min_nonterminals, max_nonterminals)) => GrammarFuzzer {
                min_nonterminals,
                max_nonterminals,
            }
            .into(),
            Target::Limit((name, limit)) if name == "depth" => LimitFuzzer {
                max_depth: u32::try_from(limit).unwrap_or(u32::MAX),
            }
            .into(),
            Target::Limit((_, bytes)) => SizeTarget { bytes }.into(),
        };
        let generator = generator::Generator::new(Arc::clone(grammar.grammar()), algorithm);
        Ok(Generator {
            generator: Arc::new(generator.map_err(error::grammar)?),
        })
    }

    /// Returns the text of a seed.
    fn text(&self, py: Python<'_>, seed: u64) -> Vec<u8> {
        py.detach(|| self.generator.generate(&mut Choices::seeded(seed)))
    }

    /// Returns the text of a symbol for a seed.
    fn text_of(&self, py: Python<'_>, symbol: &str, seed: u64) -> PyResult<Vec<u8>> {
        let grammar = self.generator.grammar();
        let id = nubbin_grammar::read::start_symbol(grammar, symbol).map_err(error::grammar)?;
        let text = py.detach(|| {
            let mut choices = Choices::seeded(seed);
            self.generator.generate_symbol(id, &mut choices)
        });
        text.ok_or_else(|| {
            error::GrammarError::new_err(format!("the symbol `{symbol}` derives no text"))
        })
    }
}
