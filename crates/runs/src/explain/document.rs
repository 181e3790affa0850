//! The document of an explanation, for `--json` and the page.

use crate::choices::{RecordedRun, to_json};
use crate::events::{Explanation, PatternPiece, ReplaceablePart, TextPattern};
use nubbin_reduce::explain::{Abstract, Explained, Piece, Subject};

/// Returns the document. `seed` is the seed of the random decisions.
pub(super) fn of(
    explained: &Explained,
    subject: &dyn Subject,
    generated: Option<&RecordedRun>,
    seed: u64,
) -> Explanation {
    let input = subject.input();
    let own = |found: &Abstract| match generated {
        Some(generated) => {
            let choice = generated.run.choices.get(found.index);
            choice.map_or_else(String::new, |choice| to_json(&choice.value).to_string())
        }
        None => {
            let place = found.part.places.first();
            let text = place.and_then(|span| input.bytes().get(span.range()));
            lossy(text.unwrap_or_default())
        }
    };
    let part = |found: &Abstract| ReplaceablePart {
        part: found.index,
        kind: found.part.kind.clone(),
        own: own(found),
        places: (found.part.places.iter().map(|span| (span.start, span.end))).collect(),
        samples: found.samples,
        others: found.texts.iter().map(|text| lossy(text)).collect(),
    };
    let statistics = &explained.statistics;
    Explanation {
        ended: explained.ended.to_string(),
        tests: statistics.tests,
        tests_failing: statistics.failing,
        tests_unresolved: statistics.unresolved,
        parts: subject.parts().len(),
        parts_settled: statistics.settled,
        replaceable: explained.parts.iter().map(part).collect(),
        examples: (explained.examples.iter().map(|input| lossy(input.bytes()))).collect(),
        seed,
        bytes: input.size() as u64,
        pattern: generated.is_none().then(|| TextPattern {
            pattern: explained.pattern.to_string(),
            pieces: explained.pattern.pieces().iter().map(piece).collect(),
            bytes_concrete: explained.pattern.concrete() as u64,
        }),
    }
}

fn piece(piece: &Piece) -> PatternPiece {
    match piece {
        Piece::Text(text) => PatternPiece::Text { text: lossy(text) },
        Piece::Any {
            kind,
            number,
            part,
            span,
        } => PatternPiece::Any {
            kind: kind.clone(),
            same: *number,
            part: *part,
            start: span.start,
            end: span.end,
        },
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
