use crate::grammar::{PatternError, Unfinished};
use crate::text::Place;

/// Why a text is not a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It does not follow the notation.
    #[error("line {line}, column {column}: {what}\n{excerpt}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        /// What is wrong there.
        what: String,
        /// The line, and a caret below the place.
        excerpt: String,
    },
    /// It is JSON, but no grammar.
    #[error("{place}: {what}")]
    Json {
        /// Which rule and alternative.
        place: String,
        /// What is wrong there.
        what: String,
    },
    /// A token is a regular expression that cannot be used.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// Symbols are used and not defined.
    #[error(transparent)]
    Undefined(#[from] Unfinished),
    /// There is no rule in it.
    #[error("there is no rule in it")]
    Empty,
    /// There is no rule of the name that was asked for.
    #[error("there is no rule `{name}`{}", like.as_ref().map_or(String::new(), |like| format!(", did you mean `{like}`?")))]
    NoStart {
        /// What was asked for.
        name: String,
        /// The rule whose name is most like it.
        like: Option<String>,
    },
}

impl ReadError {
    pub(super) fn at(text: &str, offset: usize, what: impl Into<String>) -> Self {
        let place = Place::of(text.as_bytes(), offset);
        ReadError::Syntax {
            line: place.line,
            column: place.column,
            what: what.into(),
            excerpt: place.excerpt(text.as_bytes()),
        }
    }
}
