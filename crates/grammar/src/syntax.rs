//! Where trees come from.

use crate::grammar::Grammar;
use crate::parse::{ParseError, Parser};
use crate::tree::Tree;
use std::sync::Arc;

/// A source of trees: a grammar with a parser of this crate, or a language with one of its own.
///
/// What works on trees asks for nothing else, so it works for both.
pub trait Syntax: Send + Sync {
    /// What it is called: a language, or the file of a grammar.
    fn name(&self) -> &str;

    /// The grammar that its trees are trees of.
    fn grammar(&self) -> &Arc<Grammar>;

    /// The tree of a text.
    ///
    /// # Errors
    ///
    /// There is no tree. A [tolerant](Syntax::is_tolerant) source only says so where the text is too
    /// large for it.
    fn tree(&self, text: &[u8]) -> Result<Tree, ParseError>;

    /// Whether what does not fit becomes [`Error`](crate::tree::NodeKind::Error) nodes in a tree, not
    /// an error instead of a tree.
    fn is_tolerant(&self) -> bool {
        false
    }

    /// Whether tokens that would run into each other, such as two words, are told apart by a space
    /// that is in no rule.
    fn spaces_tokens(&self) -> bool {
        !self.grammar().extras().is_empty()
    }
}

impl Syntax for Parser {
    fn name(&self) -> &str {
        Parser::grammar(self).name()
    }

    fn grammar(&self) -> &Arc<Grammar> {
        Parser::grammar(self)
    }

    fn tree(&self, text: &[u8]) -> Result<Tree, ParseError> {
        self.parse(text)
    }
}
