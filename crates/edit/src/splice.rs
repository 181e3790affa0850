use crate::Span;
use std::sync::Arc;

/// One replacement in an [`Edit`](super::Edit): the bytes of `span` become `text`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Splice {
    /// The replaced bytes. If the span is empty, `text` is inserted at its position.
    pub span: Span,
    /// The new bytes; `None` if the span is deleted.
    pub text: Option<Arc<[u8]>>,
    /// The rank of the splice. Of two texts for one span, the text with the higher rank wins.
    ///
    /// The rank is 0 for most splices. A higher rank is needed where only the later change is
    /// correct: for texts that are computed from a whole change, and for changes of a tree that
    /// replace a replacement.
    pub rank: u32,
}

impl Splice {
    /// Creates a splice that deletes a span.
    pub fn delete(span: Span) -> Self {
        Splice {
            span,
            text: None,
            rank: 0,
        }
    }

    /// Creates a splice that replaces a span. An empty text deletes the span.
    pub fn replace(span: Span, text: &[u8]) -> Self {
        Splice {
            span,
            text: if text.is_empty() {
                None
            } else {
                Some(text.into())
            },
            rank: 0,
        }
    }

    /// Returns the splice with a rank.
    #[must_use]
    pub fn ranked(self, rank: u32) -> Self {
        Splice { rank, ..self }
    }

    /// Returns the new bytes. The bytes are empty if the span is deleted.
    pub fn text(&self) -> &[u8] {
        self.text.as_deref().unwrap_or_default()
    }

    /// Returns whether the span is removed without a replacement.
    pub fn is_deletion(&self) -> bool {
        self.text.is_none()
    }

    pub(super) fn is_insertion(&self) -> bool {
        self.span.is_empty()
    }

    /// Returns the number of bytes by which the splice makes the text longer.
    pub(super) fn growth(&self) -> i64 {
        self.text().len() as i64 - i64::from(self.span.len())
    }
}
