use crate::Span;
use std::sync::Arc;

/// One place of an [`Edit`](super::Edit): the bytes of `span` become `text`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Splice {
    /// The replaced bytes. Where it is empty, `text` is inserted there.
    pub span: Span,
    /// The new bytes; `None` where the span is deleted.
    pub text: Option<Arc<[u8]>>,
    /// Of two texts for one span, that of the higher rank counts. It is 0, except where only the
    /// later change is right: in texts that are computed from a whole change, and in changes of a
    /// tree that replace a replacement.
    pub rank: u32,
}

impl Splice {
    /// Deletes a span.
    pub fn delete(span: Span) -> Self {
        Splice {
            span,
            text: None,
            rank: 0,
        }
    }

    /// Replaces a span. An empty text deletes it.
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

    /// The new bytes, empty where the span is deleted.
    pub fn text(&self) -> &[u8] {
        self.text.as_deref().unwrap_or_default()
    }

    /// Whether the span is removed without a replacement.
    pub fn is_deletion(&self) -> bool {
        self.text.is_none()
    }

    pub(super) fn is_insertion(&self) -> bool {
        self.span.is_empty()
    }

    /// The number of bytes that the text grows by.
    pub(super) fn growth(&self) -> i64 {
        self.text().len() as i64 - i64::from(self.span.len())
    }
}
