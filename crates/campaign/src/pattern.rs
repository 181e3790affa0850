use serde::{Deserialize, Serialize};

/// The smallest test of an issue as a pattern of tests that show it.
///
/// The statement about a part is based on samples, and is not proven.
///
/// ```
/// use nubbin_campaign::{PatternPiece, TestPattern};
///
/// let matters = |text: &str| PatternPiece { text: text.into(), any: None, others: vec![] };
/// let pattern = TestPattern {
///     pieces: vec![
///         PatternPiece { text: "12".into(), any: Some("<int>".into()), others: vec!["7".into()] },
///         matters(" / 0"),
///     ],
///     samples: 1,
///     tests: 9,
///     is_complete: true,
/// };
/// assert_eq!(pattern.to_string(), "<int> / 0");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestPattern {
    /// The test, piece by piece.
    pub pieces: Vec<PatternPiece>,
    /// The number of tests in which a part was replaced that may be anything of its kind.
    pub samples: u64,
    /// The number of tests that found the pattern.
    pub tests: u64,
    /// Whether all parts were tested before the limit.
    pub is_complete: bool,
}

/// A piece of a [`TestPattern`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatternPiece {
    /// The text in the smallest test.
    pub text: String,
    /// The kind of the piece, as `<int>`, if it may be anything of that. Pieces with the same
    /// number, as `<name-1>`, have the same text. `None` for a text that matters.
    pub any: Option<String>,
    /// Some other texts for the piece with which the tests show the issue as well.
    pub others: Vec<String>,
}

impl std::fmt::Display for TestPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for piece in &self.pieces {
            f.write_str(piece.any.as_deref().unwrap_or(&piece.text))?;
        }
        Ok(())
    }
}
