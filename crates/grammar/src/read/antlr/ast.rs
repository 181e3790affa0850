//! The parts of a grammar file.

use super::chars::Chars;

/// A file.
#[derive(Debug)]
pub(super) struct File {
    pub(super) kind: GrammarKind,
    pub(super) name: String,
    pub(super) case_insensitive: bool,
    pub(super) token_vocab: Option<Name>,
    pub(super) imports: Vec<Name>,
    /// The names of `tokens { … }`.
    pub(super) tokens: Vec<String>,
    /// The names of predicates.
    pub(super) predicates: Vec<String>,
    /// The names of modes. Mode 0 is the default one.
    pub(super) modes: Vec<String>,
    pub(super) rules: Vec<Rule>,
}

/// A name with its offset in the file.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) at: usize,
}

/// The kind of an ANTLR grammar, which decides what its file may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrammarKind {
    /// `lexer grammar`: rules for tokens, and modes.
    Lexer,
    /// `parser grammar`: rules for lists of tokens.
    Parser,
    /// `grammar`: rules for tokens and rules for lists of tokens.
    Combined,
}

#[derive(Debug)]
pub(super) struct Rule {
    pub(super) name: Name,
    pub(super) fragment: bool,
    pub(super) case_insensitive: Option<bool>,
    /// The mode of a lexer rule.
    pub(super) mode: usize,
    pub(super) alternatives: Vec<Alternative>,
}

impl Rule {
    pub(super) fn is_lexer_rule(&self) -> bool {
        is_token(&self.name.text)
    }
}

/// Returns whether a name is the name of a token. Names of tokens begin with an upper-case letter,
/// and names of parser rules do not.
pub(super) fn is_token(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

#[derive(Debug, Default)]
pub(super) struct Alternative {
    pub(super) elements: Vec<Element>,
    /// Whether the operator of the alternative groups to the right.
    pub(super) right: bool,
    pub(super) commands: Vec<Command>,
}

#[derive(Debug)]
pub(super) struct Element {
    pub(super) kind: ElementKind,
    pub(super) quantifier: Option<Quantifier>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Quantifier {
    /// `?`, `*`, or `+`.
    pub(super) symbol: char,
    pub(super) lazy: bool,
}

#[derive(Debug)]
pub(super) enum ElementKind {
    /// A mention of a rule or token.
    Name(String),
    Literal(String),
    /// A set of characters, not yet changed by the case.
    Set(Chars),
    /// Everything except these parts. Each part is one character or one token.
    Not(Vec<Element>),
    /// `.`
    Any,
    /// A predicate that is false: no text matches.
    Never,
    Block(Vec<Alternative>),
}

#[derive(Debug)]
pub(super) struct Command {
    pub(super) name: Name,
    pub(super) argument: Option<Name>,
}
