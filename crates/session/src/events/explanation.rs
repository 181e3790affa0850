//! The document of an explanation: `explain --json` prints it, and pages show it.

use serde::{Deserialize, Serialize};

/// Which parts of a failing input matter, and which may be anything of their kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// `complete`, `max-tests`, `max-time`, `stopped`, or `fault`.
    pub ended: String,
    pub tests: u64,
    pub tests_failing: u64,
    pub tests_unresolved: u64,
    /// The number of parts of the input that could be replaced.
    pub parts: usize,
    /// The number of parts that were decided.
    pub parts_settled: usize,
    /// The parts that may be any other of their kind, in the order of the text.
    #[serde(rename = "abstract")]
    pub replaceable: Vec<ReplaceablePart>,
    /// Failing inputs with all these parts replaced.
    pub examples: Vec<String>,
    pub seed: u64,
    /// Size of the input in bytes.
    pub bytes: u64,
    /// Absent for the choices of a generator.
    #[serde(flatten)]
    pub pattern: Option<TextPattern>,
}

impl Explanation {
    /// Returns the text of a replaceable part in the input.
    pub fn own(&self, part: usize) -> &str {
        let mut parts = self.replaceable.iter();
        parts
            .find(|found| found.part == part)
            .map_or("", |found| &found.own)
    }

    /// Returns whether the pattern was made from the given text.
    pub fn is_about(&self, bytes: &[u8]) -> bool {
        let Some(pattern) = &self.pattern else {
            return false;
        };
        let text = pattern.pieces.iter().map(|piece| match piece {
            PatternPiece::Text { text } => text.as_str(),
            PatternPiece::Any { part, .. } => self.own(*part),
        });
        text.collect::<String>() == String::from_utf8_lossy(bytes)
    }
}

/// A part that may be any other of its kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplaceablePart {
    /// The index among all parts.
    pub part: usize,
    pub kind: String,
    /// The text of the part in the input, or the value of a choice as JSON.
    pub own: String,
    /// Start and end of each location in the input, in bytes.
    pub places: Vec<(u32, u32)>,
    /// The number of replacements that failed.
    pub samples: usize,
    /// Their texts.
    pub others: Vec<String>,
}

/// An input in which some parts are left open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextPattern {
    /// The input with `<kind>` for these parts.
    pub pattern: String,
    pub pieces: Vec<PatternPiece>,
    /// The number of bytes that matter.
    pub bytes_concrete: u64,
}

/// One piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PatternPiece {
    /// A text that matters.
    Text { text: String },
    /// A place for anything of a kind. Pieces with the same kind and number have the same text.
    Any {
        kind: String,
        same: Option<usize>,
        /// The index of the part.
        part: usize,
        start: u32,
        end: u32,
    },
}

impl PatternPiece {
    /// Returns the text of the piece, `<kind>`, or `<kind-1>`.
    pub fn label(&self) -> String {
        match self {
            PatternPiece::Text { text } => text.clone(),
            PatternPiece::Any {
                kind, same: None, ..
            } => format!("<{kind}>"),
            PatternPiece::Any {
                kind,
                same: Some(number),
                ..
            } => format!("<{kind}-{number}>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explanations_of_texts_and_of_choices_are_read_back() {
        let of_choices = r#"{"ended":"complete","tests":3,"tests_failing":2,"tests_unresolved":0,
            "parts":1,"parts_settled":1,"abstract":[],"examples":[],"seed":0,"bytes":1}"#;
        let read: Explanation = serde_json::from_str(of_choices).unwrap();
        assert_eq!(read.pattern, None);
        let any = PatternPiece::Any {
            kind: "int".into(),
            same: Some(2),
            part: 0,
            start: 1,
            end: 3,
        };
        assert_eq!(any.label(), "<int-2>");
        let text = PatternPiece::Text { text: "a".into() };
        let of_text = Explanation {
            replaceable: vec![ReplaceablePart {
                part: 0,
                kind: "int".into(),
                own: "17".into(),
                places: vec![(1, 3)],
                samples: 10,
                others: vec!["3".into()],
            }],
            pattern: Some(TextPattern {
                pattern: "a<int-2>".into(),
                pieces: vec![text, any],
                bytes_concrete: 1,
            }),
            ..read
        };
        let written = serde_json::to_string(&of_text).unwrap();
        let read: Explanation = serde_json::from_str(&written).unwrap();
        assert_eq!(read, of_text);
        assert!(read.is_about(b"a17"));
        for other in [&b"a1"[..], b"a177", b"b17", b""] {
            assert!(!read.is_about(other), "{other:?}");
        }
    }
}
