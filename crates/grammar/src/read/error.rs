use crate::grammar::{PatternError, Unfinished};
use crate::text::Position;

/// The reason why a text is not a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text does not follow the notation.
    #[error("line {line}, column {column}: {what}\n{excerpt}")]
    Syntax {
        /// The number of the line, from 1.
        line: usize,
        /// The number of the column, from 1.
        column: usize,
        /// The description of the error.
        what: String,
        /// The text of the line, with a caret below the position.
        excerpt: String,
    },
    /// The text is JSON, but not a grammar.
    #[error("{place}: {what}")]
    Json {
        /// The rule and the alternative.
        place: String,
        /// The description of the error.
        what: String,
    },
    /// A token is a regular expression that cannot be used.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// Symbols are used and not defined.
    #[error(transparent)]
    Undefined(#[from] Unfinished),
    /// Another file of the grammar is missing.
    #[error("the grammar `{name}` is needed and was not found")]
    Missing {
        /// The name of the grammar.
        name: String,
    },
    /// Another file of the grammar has an error.
    #[error("in `{name}`: {error}")]
    Inside {
        /// The name of the grammar.
        name: String,
        /// The error in the file.
        error: Box<ReadError>,
    },
    /// A token begins with itself, so that a lexer would not end.
    #[error("the token `{0}` begins with itself")]
    EndlessToken(Box<str>),
    /// The grammar has no rules.
    #[error("the grammar has no rules")]
    Empty,
    /// No predicate of the grammar has a name that was set.
    #[error("{}", no_predicate(name, like.as_deref(), known))]
    NoPredicate {
        /// The name that was set.
        name: String,
        /// The most similar name of a predicate.
        like: Option<String>,
        /// The names of all predicates.
        known: Vec<String>,
    },
    /// There is no rule with the requested name.
    #[error("unknown rule `{name}`{}", like.as_ref().map_or(String::new(), |like| format!(", did you mean `{like}`?")))]
    NoStart {
        /// The requested name.
        name: String,
        /// The most similar name of a rule.
        like: Option<String>,
    },
}

impl ReadError {
    pub(super) fn at(text: &str, offset: usize, what: impl Into<String>) -> Self {
        let place = Position::of(text.as_bytes(), offset);
        ReadError::Syntax {
            line: place.line,
            column: place.column,
            what: what.into(),
            excerpt: place.excerpt(text.as_bytes()),
        }
    }
}

fn no_predicate(name: &str, like: Option<&str>, known: &[String]) -> String {
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let known = match known.is_empty() {
        true => "the grammar has no predicates with a name".into(),
        false => format!("the grammar has {}", known.join(", ")),
    };
    match like {
        Some(like) => format!("unknown predicate `{name}`, did you mean `{like}`? ({known})"),
        None => format!("unknown predicate `{name}`: {known}"),
    }
}
