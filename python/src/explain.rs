//! The parts of an input that may be anything of their kind.

use crate::error::{self, NotFailingError};
use crate::form::Form;
use crate::interrupt::Interrupt;
use crate::reduce::Subject;
use crate::run::{Ran, Settings, TestFault};
use crate::syntax;
use crate::test::{self, Given, Test};
use nubbin_generate::{Choices, Generator, GrammarFuzzer};
use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::engine::Ended;
use nubbin_reduce::explain::nodes::{self, Corpus};
use nubbin_reduce::explain::{ExplainError, Explanation, Piece, Subject as _, TextSubject, tokens};
use nubbin_reduce::input::Input;
use nubbin_reduce::tree::Outline;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

/// Random derivations are closed at few open symbols, so that they stay short.
const OPEN: GrammarFuzzer = GrammarFuzzer {
    min_nonterminals: 0,
    max_nonterminals: 5,
};

/// Returns the input and its parts: by a grammar, a language, or tokens.
fn subject(given: &Subject<'_>, input: Input, seed: u64) -> PyResult<TextSubject> {
    let text = &given.data;
    let Some(grammar) = &given.grammar else {
        let language = given.language.as_deref();
        return match syntax::of(None, language, &given.name, text)? {
            Some(syntax) => by_language(syntax, input, text, seed),
            None => Ok(TextSubject::new(input, tokens::parts, seed)),
        };
    };
    let grammar = grammar.get();
    let parser = grammar.parser()?;
    let outline = Outline::parse(&*parser, text, 0).map_err(error::grammar)?;
    let generator = Generator::new(Arc::clone(grammar.grammar()), OPEN.into());
    let generator = generator.map_err(error::grammar)?;
    let derive = move |symbol, seed| generator.generate_symbol(symbol, &mut Choices::seeded(seed));
    Ok(nodes::in_grammar(input, &outline, derive, seed))
}

fn by_language(
    syntax: Arc<dyn Syntax>,
    input: Input,
    text: &[u8],
    seed: u64,
) -> PyResult<TextSubject> {
    let tree = syntax.tree(text).map_err(error::grammar)?;
    let outline = Outline::of_tree(&tree, 0, syntax.spaces_tokens());
    let mut corpus = Corpus::default();
    corpus.add(&outline);
    Ok(nodes::in_language(input, &outline, &corpus, syntax, seed))
}

/// Finds the parts of a failing input that may be anything of their kind.
#[pyfunction]
pub(crate) fn explain<'py>(
    py: Python<'py>,
    given: Subject<'py>,
    fails: Given,
    samples: usize,
    settings: Settings,
) -> PyResult<Ran<'py>> {
    test::check(&fails, py)?;
    let jobs = settings.jobs()?;
    let time = settings.time()?;
    let input = given.input()?;
    let form = Form::of(given.is_text);
    let interrupt = Interrupt::new();
    let test = Test::new(fails, &input, jobs, &form, &interrupt)?;
    let threads = test.threads(jobs);
    let subject = subject(&given, input, settings.seed)?;
    let explained = py.detach(|| {
        let clock = || interrupt.clock();
        let mut explanation = Explanation::new(&subject, test.oracle())
            .samples(samples)
            .clock(&clock)
            .stop(interrupt.stop());
        if let Some(threads) = threads {
            explanation = explanation.jobs(threads);
        }
        if let Some(tests) = settings.max_tests {
            explanation = explanation.max_tests(tests);
        }
        if let Some(time) = time {
            explanation = explanation.max_time(time);
        }
        explanation.run()
    });
    let raised = interrupt.take();
    let explained = match (explained, raised) {
        (Ok(explained), raised) => {
            let result = PyDict::new(py);
            let pieces = explained.pattern.pieces().iter().map(|piece| match piece {
                Piece::Text(text) => (None, PyBytes::new(py, text)),
                Piece::Any { span, .. } => {
                    let own = subject.input().bytes().get(span.range());
                    let own = PyBytes::new(py, own.unwrap_or_default());
                    (Some(piece.label()), own)
                }
            });
            result.set_item("pieces", pieces.collect::<Vec<_>>())?;
            let parts = explained.parts.iter().map(|found| {
                let places = found.part.places.iter();
                let places: Vec<_> = places.map(|span| (span.start, span.end)).collect();
                let texts = found.texts.iter().map(|text| PyBytes::new(py, text));
                (&found.part.kind, places, texts.collect::<Vec<_>>())
            });
            result.set_item("parts", parts.collect::<Vec<_>>())?;
            let examples = explained.examples.iter();
            let examples: Vec<_> = examples
                .map(|input| form.value(py, input.bytes()))
                .collect::<PyResult<_>>()?;
            result.set_item("examples", examples)?;
            result.set_item("ended", explained.ended.to_string())?;
            result.set_item("tests", explained.statistics.tests)?;
            result.set_item("seconds", explained.statistics.elapsed.as_secs_f64())?;
            let fault = match &explained.ended {
                Ended::Fault(fault) if raised.is_none() => Some(error::command(TestFault(fault))),
                _ => raised,
            };
            (result, fault)
        }
        (Err(_), Some(raised)) => return Err(raised),
        (Err(error @ ExplainError::NotFailing { .. }), None) => {
            return Err(NotFailingError::new_err(error.to_string()));
        }
        (Err(ExplainError::Fault(fault)), None) => return Err(error::command(TestFault(&fault))),
        (Err(error), None) => return Err(error::value(error)),
    };
    Ok(explained)
}
