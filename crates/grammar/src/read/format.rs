use super::{antlr, cursor};
use std::fmt;
use std::str::FromStr;

/// A notation for grammars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON as in *The Fuzzing Book*: `{"<start>": ["<a>+<b>", ""]}`.
    Book,
    /// The canonical form of *The Fuzzing Book*, with lists of tokens:
    /// `{"<start>": [["<a>", "+", "<b>"], []]}`. A token may be an object with its effect on names
    /// in scope.
    Lists,
    /// Backus-Naur form: `<start> ::= <a> "+" <b> | ""`.
    Bnf,
    /// ISO/IEC 14977: `start = a, "+", b | ;`.
    Iso,
    /// The notation of the XML specification: `start ::= a '+' b | ()`.
    W3c,
    /// ANTLR 4: `grammar Start; start: A (PLUS b)* EOF;`.
    Antlr,
}

impl Format {
    /// All notations.
    pub const ALL: [Format; 6] = [
        Format::Book,
        Format::Lists,
        Format::Bnf,
        Format::Iso,
        Format::W3c,
        Format::Antlr,
    ];

    /// The notations in which grammars can be written.
    pub const WRITTEN: [Format; 5] = [
        Format::Book,
        Format::Lists,
        Format::Bnf,
        Format::Iso,
        Format::W3c,
    ];

    /// Returns the name of the notation on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Format::Book => "fuzzing-book",
            Format::Lists => "fuzzing-book-lists",
            Format::Bnf => "bnf",
            Format::Iso => "iso-ebnf",
            Format::W3c => "w3c-ebnf",
            Format::Antlr => "antlr4",
        }
    }

    /// Guesses the notation of a text. For an empty text, the guess is BNF.
    pub fn detect(text: &str) -> Format {
        if text.trim_start().starts_with(['{', '[']) {
            // The form of the first alternative distinguishes the two.
            return if text.contains("[[") || text.contains("[ [") || lists(text) {
                Format::Lists
            } else {
                Format::Book
            };
        }
        if antlr::is_grammar(text) {
            return Format::Antlr;
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

/// Returns whether an alternative of a JSON grammar is a list.
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
            let like = nubbin_suggest::nearest(text, Format::ALL.map(Format::id));
            let all = Format::ALL.map(Format::id).join(", ");
            match like {
                Some(like) => format!("unknown notation `{text}`, did you mean `{like}`?"),
                None => format!("unknown notation `{text}`; there are {all}"),
            }
        })
    }
}
