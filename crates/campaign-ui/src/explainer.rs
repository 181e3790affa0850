//! Explanations of tests: which parts of one may be anything of their kind.

use super::reducer::{ReductionMethod, Same, detected};
use nubbin_campaign::{Explain, ExplanationError, PatternPiece, Task, TestPattern};
use nubbin_grammar::syntax::Syntax;
use nubbin_reduce::engine::{Ended, Stop};
use nubbin_reduce::explain::nodes::{self, Corpus};
use nubbin_reduce::explain::{
    ExplainError, Explained, Explanation, Piece, Subject as _, TextSubject, tokens,
};
use nubbin_reduce::input::Input;
use nubbin_reduce::tree::Outline;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// The maximum number of other texts of a part that are kept.
const OTHERS: usize = 5;

/// The explainer of a program.
pub(super) struct Explainer {
    /// By the names of the generators.
    pub(super) ways: HashMap<String, ReductionMethod>,
    /// The language that the user has named.
    pub(super) language: Option<Arc<dyn Syntax>>,
}

impl Explain for Explainer {
    fn explain(&self, task: &Task<'_>) -> Result<Option<TestPattern>, ExplanationError> {
        let issue = task.issue;
        let bytes = issue.smallest();
        // An empty test has no parts.
        let Ok(input) = Input::single(task.program.file(), bytes.to_vec()) else {
            return Ok(None);
        };
        let syntax = match self.ways.get(&issue.generator) {
            Some(ReductionMethod::Tree(syntax)) => Some(Arc::clone(syntax)),
            _ => self.language.clone().or_else(|| detected(task, bytes)),
        };
        let subject = subject(input, &issue.test, syntax);
        if subject.parts().is_empty() {
            return Ok(Some(concrete(bytes)));
        }
        let oracle = Same::of(task, |text: &[u8]| Some(text.to_vec()));
        let stop = Stop::default();
        let _linked = task.stop.on_cancel({
            let stop = stop.clone();
            move || stop.request()
        });
        let started = Instant::now();
        let clock = || started.elapsed();
        let mut explanation = Explanation::new(&subject, &oracle)
            .jobs(task.at_once)
            .clock(&clock)
            .stop(stop)
            .max_tests(task.max_tests);
        if let Some(time) = task.max_time {
            explanation = explanation.max_time(time);
        }
        let broken = |fault: nubbin_verdict::Fault| ExplanationError {
            issue: issue.id,
            source: Box::new(fault),
        };
        match explanation.run() {
            Ok(explained) => match &explained.ended {
                Ended::Stopped => Ok(None),
                Ended::Fault(_) => match explained.ended {
                    Ended::Fault(fault) => Err(broken(fault)),
                    _ => Ok(None),
                },
                _ => Ok(Some(pattern(&explained, subject.input()))),
            },
            Err(ExplainError::Fault(fault)) => Err(broken(fault)),
            // The test does not show the issue, or the campaign has ended too early.
            Err(_) => Ok(None),
        }
    }
}

/// Divides a test into parts: by a syntax, with the parts of the original as replacements, or else
/// into tokens.
fn subject(input: Input, original: &[u8], syntax: Option<Arc<dyn Syntax>>) -> TextSubject {
    if let Some(syntax) = syntax
        && let Ok(outline) = Outline::parse(&*syntax, input.bytes(), 0)
    {
        let mut corpus = Corpus::default();
        corpus.add(&outline);
        if let Ok(original) = Outline::parse(&*syntax, original, 0) {
            corpus.add(&original);
        }
        let subject = nodes::in_language(input.clone(), &outline, &corpus, syntax, 0);
        if !subject.parts().is_empty() {
            return subject;
        }
    }
    TextSubject::new(input, tokens::parts, 0)
}

/// Returns the pattern of a test of which no part has a replacement.
fn concrete(bytes: &[u8]) -> TestPattern {
    TestPattern {
        pieces: vec![PatternPiece {
            text: String::from_utf8_lossy(bytes).into_owned(),
            any: None,
            others: vec![],
        }],
        samples: 0,
        tests: 0,
        is_complete: true,
    }
}

fn pattern(explained: &Explained, input: &Input) -> TestPattern {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let others = |part: usize| -> Vec<String> {
        let found = explained.parts.iter().find(|found| found.index == part);
        let texts = found.map_or(&[][..], |found| &found.texts);
        texts.iter().take(OTHERS).map(|it| text(it)).collect()
    };
    let piece = |piece: &Piece| match piece {
        Piece::Text(bytes) => PatternPiece {
            text: text(bytes),
            any: None,
            others: vec![],
        },
        Piece::Any { part, span, .. } => PatternPiece {
            text: text(input.bytes().get(span.range()).unwrap_or_default()),
            any: Some(piece.label()),
            others: others(*part),
        },
    };
    let samples = explained.parts.iter().map(|found| found.samples).max();
    TestPattern {
        pieces: explained.pattern.pieces().iter().map(piece).collect(),
        samples: samples.unwrap_or(0) as u64,
        tests: explained.statistics.tests,
        is_complete: explained.statistics.settled == explained.statistics.parts,
    }
}
