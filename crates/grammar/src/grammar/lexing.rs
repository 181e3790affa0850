//! The lexer of a grammar that divides a text into tokens before it is parsed.

use super::{ExprId, SymbolId};
use rustc_hash::FxHashSet;

/// The rules of a lexer.
///
/// At each position, the lexer uses the rule of the current mode with the longest match, and the
/// first rule if several match the same text. A token is a symbol of kind
/// [`Pattern`](super::SymbolKind::Pattern). This is the model of ANTLR 4 (T. Parr, *The Definitive
/// ANTLR 4 Reference*, 2013).
#[derive(Clone, Debug, Default)]
pub struct Lexing {
    /// The modes. The first mode is the current mode at the start of a text.
    pub modes: Vec<Mode>,
    /// The optional parts and repetitions that prefer the shortest text.
    pub lazy: FxHashSet<ExprId>,
    /// The token of the end of the text, which has no text, if the grammar mentions it.
    pub end: Option<SymbolId>,
}

/// A set of lexer rules that are in use together.
#[derive(Clone, Debug)]
pub struct Mode {
    /// The name of the mode in the grammar.
    pub name: Box<str>,
    /// The rules of the mode, in the order of preference.
    pub rules: Vec<LexerRule>,
}

/// A rule of a lexer.
#[derive(Clone, Debug)]
pub struct LexerRule {
    /// The token that the rule matches, unless a command gives it another type.
    pub symbol: SymbolId,
    /// The alternatives with their commands.
    pub alternatives: Vec<(ExprId, Box<[Command]>)>,
}

/// A command of a lexer rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// The token is not passed to the parser.
    Hide,
    /// The token is passed to the parser.
    Show,
    /// The token continues with the next match.
    More,
    /// The token has this type.
    Type(SymbolId),
    /// This mode becomes the current mode.
    Mode(u32),
    /// This mode becomes the current mode until the next [`Command::Pop`].
    Push(u32),
    /// The mode before the last [`Command::Push`] becomes the current mode.
    Pop,
}
