//! Readers: a grammar in one of several notations.

mod bnf;
mod book;
mod cursor;
mod iso;
mod w3c;

use crate::grammar::{Builder, Grammar, PatternError, SymbolId, Unfinished};
use crate::text::Place;
use std::fmt;
use std::str::FromStr;

pub(crate) use crate::grammar::MAX_COUNT;

/// Parentheses nested deeper than this are refused, so that nothing that walks a rule's body can run
/// out of stack.
const MAX_NESTING: u32 = 200;

/// A notation for grammars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON as in *The Fuzzing Book*: `{"<start>": ["<a>+<b>", ""]}`.
    Book,
    /// Its canonical form, with lists of tokens: `{"<start>": [["<a>", "+", "<b>"], []]}`. A token may
    /// be an object, to say what it does with names in scope.
    Lists,
    /// Backus-Naur form: `<start> ::= <a> "+" <b> | ""`.
    Bnf,
    /// ISO/IEC 14977: `start = a, "+", b | ;`.
    Iso,
    /// The notation of the XML specification: `start ::= a '+' b | ()`.
    W3c,
}

impl Format {
    /// All notations.
    pub const ALL: [Format; 5] = [
        Format::Book,
        Format::Lists,
        Format::Bnf,
        Format::Iso,
        Format::W3c,
    ];

    /// As it is called on a command line.
    pub fn id(self) -> &'static str {
        match self {
            Format::Book => "fuzzing-book",
            Format::Lists => "fuzzing-book-lists",
            Format::Bnf => "bnf",
            Format::Iso => "iso-ebnf",
            Format::W3c => "w3c-ebnf",
        }
    }

    /// What notation a text seems to be in. A guess: an empty text is taken for BNF.
    pub fn detect(text: &str) -> Format {
        if text.trim_start().starts_with(['{', '[']) {
            // Which of the two is told alternative by alternative.
            return if text.contains("[[") || text.contains("[ [") || lists(text) {
                Format::Lists
            } else {
                Format::Book
            };
        }
        let code = cursor::without_quotes(text);
        let arrow = code.find("::=");
        let name_before = |at: usize| code[..at].trim_end().ends_with('>');
        match arrow {
            Some(at) if name_before(at) => Format::Bnf,
            Some(_) => Format::W3c,
            None if code.contains(";") || code.contains("(*") || code.contains('=') => Format::Iso,
            None => Format::Bnf,
        }
    }
}

/// Whether the first alternative of a JSON grammar is a list.
fn lists(text: &str) -> bool {
    let Ok(serde_json::Value::Object(rules)) = serde_json::from_str(text) else {
        return false;
    };
    let mut alternatives = rules.values().filter_map(|rule| rule.as_array()).flatten();
    alternatives.any(|alternative| alternative.is_array())
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Format::ALL.into_iter().find(|format| format.id() == text);
        found.ok_or_else(|| {
            let like = crate::suggest::nearest(text, Format::ALL.map(Format::id));
            let all = Format::ALL.map(Format::id).join(", ");
            match like {
                Some(like) => format!("there is no notation `{text}`, did you mean `{like}`?"),
                None => format!("there is no notation `{text}`; there are {all}"),
            }
        })
    }
}

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
    fn at(text: &str, offset: usize, what: impl Into<String>) -> Self {
        let place = Place::of(text.as_bytes(), offset);
        ReadError::Syntax {
            line: place.line,
            column: place.column,
            what: what.into(),
            excerpt: place.excerpt(text.as_bytes()),
        }
    }
}

/// Reads a grammar; `None` takes the notation from the text. `name` is what it will be called.
///
/// The start symbol is `start` if there is such a rule, and the first rule otherwise.
///
/// # Errors
///
/// The text does not follow the notation, or mentions symbols that it does not define.
pub fn read(text: &str, format: Option<Format>, name: &str) -> Result<Grammar, ReadError> {
    match read_leniently(text, format, name)? {
        (grammar, None) => Ok(grammar),
        (_, Some(undefined)) => Err(undefined.into()),
    }
}

/// Reads a grammar that may mention symbols it does not define; those are
/// [external](crate::grammar::SymbolKind::External).
///
/// # Errors
///
/// The text does not follow the notation.
pub fn read_leniently(
    text: &str,
    format: Option<Format>,
    name: &str,
) -> Result<(Grammar, Option<Unfinished>), ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut builder = Builder::new(name);
    let first = match format.unwrap_or_else(|| Format::detect(text)) {
        Format::Book | Format::Lists => book::read(&mut builder, text)?,
        Format::Bnf => bnf::read(&mut builder, text)?,
        Format::Iso => iso::read(&mut builder, text)?,
        Format::W3c => w3c::read(&mut builder, text)?,
    };
    let first = first.ok_or(ReadError::Empty)?;
    let (grammar, undefined) = builder.finish_anyway(first);
    let start = grammar
        .rule("start")
        .filter(|&id| grammar.body(id).is_some());
    Ok((grammar.with_start(start.unwrap_or(first)), undefined))
}

/// The rule of a name, with or without brackets, to start from.
///
/// # Errors
///
/// There is none.
pub fn start_symbol(grammar: &Grammar, name: &str) -> Result<SymbolId, ReadError> {
    let bare = name
        .strip_prefix('<')
        .and_then(|name| name.strip_suffix('>'));
    let found = bare
        .and_then(|bare| grammar.rule(bare))
        .or(grammar.rule(name));
    found.ok_or_else(|| {
        let names = grammar.rules().map(|(id, _)| &*grammar.symbol(id).name);
        ReadError::NoStart {
            name: name.into(),
            like: crate::suggest::nearest(bare.unwrap_or(name), names).map(String::from),
        }
    })
}
