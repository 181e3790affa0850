//! The interface of sources of trees: a grammar or a language with its parser.

use crate::grammar::Grammar;
use crate::parse::{IslandParser, ParseError, Parser};
use crate::tree::{NodeKind, Tree};
use std::ops::Range;
use std::sync::Arc;

/// A change of a text that replaces the bytes of a span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement<'t> {
    /// The span to replace. Any part of it after the end of the text is ignored.
    pub span: Range<usize>,
    /// The new bytes.
    pub text: &'t [u8],
}

impl Replacement<'_> {
    /// Returns the part of the span within a text of the given length.
    pub fn within(&self, len: usize) -> Range<usize> {
        let start = self.span.start.min(len);
        start..self.span.end.clamp(start, len)
    }

    /// Returns the changed text.
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let span = self.within(text.len());
        [&text[..span.start], self.text, &text[span.end..]].concat()
    }
}

/// A source of trees: a grammar with the parser of this crate, or a language with its own parser.
///
/// Code that works on trees only uses this trait, so that it works for both kinds of sources.
pub trait Syntax: Send + Sync {
    /// Returns the name of the source: the name of a language, or of the file of a grammar.
    fn name(&self) -> &str;

    /// Returns the grammar of the trees.
    fn grammar(&self) -> &Arc<Grammar>;

    /// Returns the tree of a text.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no tree. For a [tolerant](Syntax::is_tolerant) source, this is
    /// the case only if the text is too large or exceeds a limit.
    fn tree(&self, text: &[u8]) -> Result<Tree, ParseError>;

    /// Returns the tree of a text that differs in one place from a text with a known tree.
    ///
    /// The result equals the result of [`Syntax::tree`] for the new text, possibly with less work.
    /// If the new text has errors, a source that reuses the old tree may return another tree.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Syntax::tree`].
    fn reparse(&self, old: &Tree, change: &Replacement<'_>) -> Result<Tree, ParseError> {
        self.tree(&change.apply(old.text()))
    }

    /// Returns whether a text that does not fit still has a tree, with
    /// [`Error`](crate::tree::NodeKind::Error) nodes for the parts that do not fit.
    fn is_tolerant(&self) -> bool {
        false
    }

    /// Returns the number of places where a text does not fit the language; 0 for every text of the
    /// language.
    ///
    /// A tolerant source counts the places that its parser skipped or inserted. Any other source
    /// returns 1 for a text without a tree. Cost: one parse, if possible without building a tree.
    fn misfits(&self, text: &[u8]) -> usize {
        match self.tree(text) {
            Ok(tree) => tree
                .nodes()
                .filter(|(_, node)| node.kind == NodeKind::Error)
                .count(),
            Err(_) => 1,
        }
    }

    /// Returns whether text that belongs to no rule, a [`Gap`](crate::tree::NodeKind::Gap), must be
    /// kept unchanged. Otherwise it can be removed, like comments.
    fn keeps_gaps(&self) -> bool {
        false
    }

    /// Returns whether a space that is in no rule separates two tokens that would otherwise be one,
    /// such as two words.
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

impl Syntax for IslandParser {
    fn name(&self) -> &str {
        Syntax::name(self.parser())
    }

    fn grammar(&self) -> &Arc<Grammar> {
        self.parser().grammar()
    }

    fn tree(&self, text: &[u8]) -> Result<Tree, ParseError> {
        self.parser().parse_islands(text)
    }

    fn is_tolerant(&self) -> bool {
        true
    }
}
