use crate::text;
use crate::tree::TreeError;

/// The size in bytes of the largest tables that a parser has.
pub(super) const LARGEST_TABLES: usize = 512 << 20;

/// The reason why there is no parser for a grammar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParserError {
    /// The start symbol derives no text.
    #[error("`{0}` derives no text: none of its expansions ends")]
    Unproductive(Box<str>),
    /// A scanner outside the grammar recognizes the token.
    #[error("`{0}` is a token whose text the grammar does not define")]
    External(Box<str>),
    /// The start symbol is a terminal.
    #[error("`{0}` is a token, not a rule")]
    NotARule(Box<str>),
    /// The count of a repetition is above the maximum.
    #[error("a part is repeated {0} times; at most 1000 can be counted")]
    TooMany(u32),
    /// The grammar has extras, for which the text must be divided into tokens.
    #[error("the grammar has extras between tokens: parse the input as tokens, not as bytes")]
    Extras,
    /// The tables of the parser would be too large. They grow with the square of the grammar.
    #[error(
        "the grammar is too large: its parser would need {} MiB for tables, of which at most {} MiB \
         are made", bytes >> 20, LARGEST_TABLES >> 20
    )]
    TooLarge {
        /// The size of the tables in bytes.
        bytes: usize,
    },
}

/// The reason why a text has no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The text does not fit the grammar.
    #[error(transparent)]
    Syntax(#[from] Box<SyntaxError>),
    /// The chart grew beyond its limit.
    #[error(
        "the input is too ambiguous: at byte {at} of {of} the parser would need more than {} MiB",
        limit >> 20
    )]
    Memory {
        /// The number of bytes read.
        at: usize,
        /// The size of the text in bytes.
        of: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The parse took more steps than its limit.
    #[error(
        "the input is too ambiguous: {limit} steps of the parser led to byte {at} of {of} and no \
         further"
    )]
    Steps {
        /// The number of bytes read.
        at: usize,
        /// The size of the text in bytes.
        of: usize,
        /// The limit in steps.
        limit: u64,
    },
    /// The caller ended the parse, see [`Parser::ended_by`](super::Parser::ended_by).
    #[error("the parse was stopped")]
    Ended,
    /// The tree cannot be built.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl From<SyntaxError> for ParseError {
    fn from(error: SyntaxError) -> Self {
        ParseError::Syntax(Box::new(error))
    }
}

/// The first position at which a text does not fit its grammar.
///
/// The text before this position is the beginning of a text that fits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {}\n{excerpt}", self.what())]
pub struct SyntaxError {
    /// The number of bytes before the position.
    pub offset: usize,
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the column in characters, from 1.
    pub column: usize,
    /// The character at the position; `None` at the end of the text.
    pub found: Option<String>,
    /// The descriptions of the tokens that are expected at the position.
    pub expected: Vec<String>,
    /// The text of the line, with a caret below the position.
    pub excerpt: String,
}

impl SyntaxError {
    pub(super) fn at(source: &[u8], offset: usize, expected: Vec<String>) -> Self {
        let place = text::Position::of(source, offset);
        SyntaxError {
            offset,
            line: place.line,
            column: place.column,
            found: text::character_at(source, offset),
            expected,
            excerpt: place.excerpt(source),
        }
    }

    fn what(&self) -> String {
        let found = match &self.found {
            Some(found) => format!("{found} does not fit here"),
            None => "the input ends too early".into(),
        };
        const SHOWN: usize = 8;
        let shown: Vec<&str> = self.expected.iter().take(SHOWN).map(|s| &**s).collect();
        match (&shown[..], self.expected.len().saturating_sub(SHOWN)) {
            ([], _) => found,
            (all, 0) => format!("{found}; expected {}", text::one_of(all)),
            (some, more) => format!("{found}; expected {} or {more} others", some.join(", ")),
        }
    }
}
