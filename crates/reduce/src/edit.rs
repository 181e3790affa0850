//! The one currency: a change to an input, as data.
//!
//! Every pass proposes [`Edit`]s and nothing else, so anything that fails can be combined with
//! anything else that failed, and a proposal survives a base that moved under it. The law, which
//! the property tests at the end of this file check on thousands of random edits:
//!
//! ```text
//! render(render(base, applied), rebase(e, applied)) == render(base, combine(applied, e))
//! ```

mod between;
mod combine;
mod rebase;
mod render;

pub use combine::Conflict;
pub use rebase::Applied;
pub use render::{Fingerprint, fingerprint};

use crate::span::Span;
use smallvec::SmallVec;
use std::sync::Arc;

/// One place of an [`Edit`]: the bytes of `span` become `text`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Splice {
    /// What is replaced. Empty: `text` is inserted there.
    pub span: Span,
    /// What it is replaced by; `None` where it is deleted.
    pub text: Option<Arc<[u8]>>,
}

impl Splice {
    /// Deletes a span.
    pub fn delete(span: Span) -> Self {
        Splice { span, text: None }
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
        }
    }

    /// The new bytes, empty where the span is deleted.
    pub fn text(&self) -> &[u8] {
        self.text.as_deref().unwrap_or_default()
    }

    /// Whether the span goes without anything in its place.
    pub fn is_deletion(&self) -> bool {
        self.text.is_none()
    }

    fn is_insertion(&self) -> bool {
        self.span.is_empty()
    }

    /// How much longer the text gets, in bytes.
    fn growth(&self) -> i64 {
        self.text().len() as i64 - i64::from(self.span.len())
    }
}

/// A change to an input: sorted, disjoint splices over its bytes.
///
/// Held in normal form: adjacent deletions are one, deletions of nothing are not there, two
/// insertions at one point are one. Deleting a span costs no allocation.
///
/// ```
/// use nubbin_reduce::edit::Edit;
/// use nubbin_reduce::span::Span;
///
/// let base = b"int x = f(1, 2);";
/// let fewer = Edit::delete(Span::new(11, 14));
/// let shorter = Edit::replace(Span::new(0, 3), b"u8");
/// let both = fewer.combine(&shorter).unwrap();
/// assert_eq!(both.render(base), b"u8 x = f(1);");
///
/// // `shorter` was proposed for `base`; it also fits what `fewer` made of it.
/// let moved = shorter.rebase(&fewer).unwrap();
/// assert_eq!(moved.render(&fewer.render(base)), b"u8 x = f(1);");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edit {
    splices: SmallVec<[Splice; 1]>,
}

impl Edit {
    /// Changes nothing.
    pub fn none() -> Self {
        Edit::default()
    }

    /// Deletes one span.
    pub fn delete(span: Span) -> Self {
        Edit::from_sorted([Splice::delete(span)])
    }

    /// Replaces one span.
    pub fn replace(span: Span, text: &[u8]) -> Self {
        Edit::from_sorted([Splice::replace(span, text)])
    }

    /// A replacement of all, as one of all of another input, which has so many bytes.
    pub(crate) fn of_all(&self, len: usize) -> Self {
        let text = self.splices.first().and_then(|splice| splice.text.clone());
        let span = Span::new(0, len as u32);
        Edit::from_sorted([Splice { span, text }])
    }

    /// Deletes several spans, in any order; they may overlap.
    pub fn delete_all(spans: impl IntoIterator<Item = Span>) -> Self {
        let mut spans: SmallVec<[Span; 4]> = spans.into_iter().collect();
        if !spans.is_sorted() {
            spans.sort_unstable();
        }
        let mut edit = Edit::none();
        for span in spans {
            match edit.splices.last_mut() {
                Some(last) if span.start <= last.span.end => {
                    last.span.end = last.span.end.max(span.end);
                }
                _ if span.is_empty() => {}
                _ => edit.splices.push(Splice::delete(span)),
            }
        }
        edit
    }

    /// An edit of splices in any order.
    ///
    /// # Errors
    /// [`Conflict`] where two of them overlap and are not both deletions.
    pub fn new(splices: impl IntoIterator<Item = Splice>) -> Result<Self, Conflict> {
        let mut splices: SmallVec<[Splice; 1]> = splices.into_iter().collect();
        splices.sort_by_key(|splice| splice.span);
        let disjoint = splices
            .windows(2)
            .all(|pair| pair[0].span.end <= pair[1].span.start);
        if disjoint {
            return Ok(Edit::from_sorted(splices));
        }
        let mut edit = Edit::none();
        for splice in splices {
            edit = edit.combine(&Edit::from_sorted([splice]))?;
        }
        Ok(edit)
    }

    /// The splices, sorted and disjoint.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// The splices, to be put together with others.
    pub(crate) fn into_splices(self) -> Vec<Splice> {
        self.splices.into_vec()
    }

    /// Whether it changes nothing.
    pub fn is_none(&self) -> bool {
        self.splices.is_empty()
    }

    /// Whether every splice deletes.
    pub fn only_deletes(&self) -> bool {
        self.splices.iter().all(Splice::is_deletion)
    }

    /// How many bytes longer the text gets; negative where it shrinks.
    pub fn growth(&self) -> i64 {
        self.splices.iter().map(Splice::growth).sum()
    }

    /// Brings sorted, disjoint splices into normal form.
    pub(crate) fn from_sorted(splices: impl IntoIterator<Item = Splice>) -> Self {
        let mut edit = Edit::none();
        for splice in splices {
            edit.push(splice);
        }
        edit
    }

    /// Appends a splice that lies behind all others.
    fn push(&mut self, splice: Splice) {
        if splice.span.is_empty() && splice.is_deletion() {
            return;
        }
        if let Some(last) = self.splices.last_mut() {
            debug_assert!(
                last.span.end <= splice.span.start,
                "{last:?} before {splice:?}"
            );
            let adjacent = last.span.end == splice.span.start;
            if adjacent && last.is_deletion() && splice.is_deletion() {
                last.span.end = splice.span.end;
                return;
            }
            if adjacent && last.is_insertion() && splice.is_insertion() {
                let joined = [last.text(), splice.text()].concat();
                last.text = Some(joined.into());
                return;
            }
        }
        self.splices.push(splice);
    }
}

#[cfg(test)]
mod laws;
