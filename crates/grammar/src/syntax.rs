//! Where trees come from.

use crate::grammar::Grammar;
use crate::parse::{ParseError, Parser};
use crate::tree::{NodeKind, Tree};
use std::ops::Range;
use std::sync::Arc;

/// A change of a text: the bytes of `span` become `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement<'t> {
    /// Where. What lies behind the end of the text is not counted.
    pub span: Range<usize>,
    /// What comes there.
    pub text: &'t [u8],
}

impl Replacement<'_> {
    /// The span as far as it is in a text of this length.
    pub fn within(&self, len: usize) -> Range<usize> {
        let start = self.span.start.min(len);
        start..self.span.end.clamp(start, len)
    }

    /// The new text.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let span = self.within(text.len());
        [&text[..span.start], self.text, &text[span.end..]].concat()
    }
}

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

    /// The tree of a text that differs in one place from one that has a tree: what
    /// [`Syntax::tree`] makes of the new text, perhaps with less work.
    ///
    /// Where the new text has errors, a source that goes by the old tree may divide it otherwise.
    ///
    /// # Errors
    ///
    /// As [`Syntax::tree`].
    fn reparse(&self, old: &Tree, change: &Replacement<'_>) -> Result<Tree, ParseError> {
        self.tree(&change.apply(old.text()))
    }

    /// Whether what does not fit becomes [`Error`](crate::tree::NodeKind::Error) nodes in a tree, not
    /// an error instead of a tree.
    fn is_tolerant(&self) -> bool {
        false
    }

    /// In how many places a text does not fit: no text of the language has any.
    ///
    /// A tolerant source counts the places that its parser had to leave out or make up; another one
    /// says 1 of every text that has no tree. Costs a parse, and no tree where that can be helped.
    fn misfits(&self, text: &[u8]) -> usize {
        match self.tree(text) {
            Ok(tree) => tree
                .nodes()
                .filter(|(_, node)| node.kind == NodeKind::Error)
                .count(),
            Err(_) => 1,
        }
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
