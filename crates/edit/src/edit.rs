use super::{Conflict, Splice};
use crate::Span;
use smallvec::SmallVec;

/// A change to an input: sorted, disjoint splices over its bytes.
///
/// An edit is held in normal form: adjacent deletions are merged, empty deletions are dropped, and
/// insertions at one point are merged. A deletion needs no allocation.
///
/// ```
/// use nubbin_edit::Edit;
/// use nubbin_edit::Span;
///
/// let base = b"int x = f(1, 2);";
/// let fewer = Edit::delete(Span::new(11, 14));
/// let shorter = Edit::replace(Span::new(0, 3), b"u8");
/// let both = fewer.combine(&shorter).unwrap();
/// assert_eq!(both.render(base), b"u8 x = f(1);");
///
/// // `shorter` was proposed for `base`; it can also be applied to the result of `fewer`.
/// let moved = shorter.rebase(&fewer).unwrap();
/// assert_eq!(moved.render(&fewer.render(base)), b"u8 x = f(1);");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Edit {
    pub(super) splices: SmallVec<[Splice; 1]>,
}

impl Edit {
    /// Creates an edit that changes nothing.
    pub fn none() -> Self {
        Edit::default()
    }

    /// Creates an edit that deletes one span.
    pub fn delete(span: Span) -> Self {
        Edit::from_sorted([Splice::delete(span)])
    }

    /// Creates an edit that replaces one span.
    pub fn replace(span: Span, text: &[u8]) -> Self {
        Edit::from_sorted([Splice::replace(span, text)])
    }

    /// Converts a replacement of a whole input to a replacement of another whole input, of `len`
    /// bytes.
    pub fn of_all(&self, len: usize) -> Self {
        let text = self.splices.first().and_then(|splice| splice.text.clone());
        let span = Span::new(0, len as u32);
        Edit::from_sorted([Splice {
            span,
            text,
            rank: 0,
        }])
    }

    /// Returns the edit with a rank for each span that it changes. Insertions get no rank, since
    /// two insertions at one point do not exclude each other.
    pub fn ranked(mut self, rank: u32) -> Self {
        for splice in &mut self.splices {
            if !splice.is_insertion() {
                splice.rank = rank;
            }
        }
        self
    }

    /// Creates an edit that deletes several spans, in any order. The spans may overlap.
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

    /// Creates an edit from splices in any order.
    ///
    /// # Errors
    /// Returns [`Conflict`] if two of them overlap and are not both deletions.
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

    /// Returns the splices, sorted and disjoint.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// Returns the splices by value.
    pub fn into_splices(self) -> Vec<Splice> {
        self.splices.into_vec()
    }

    /// Returns whether the edit changes nothing.
    pub fn is_none(&self) -> bool {
        self.splices.is_empty()
    }

    /// Returns whether every splice deletes.
    pub fn only_deletes(&self) -> bool {
        self.splices.iter().all(Splice::is_deletion)
    }

    /// Returns the number of bytes by which the edit makes the text longer. The number is negative
    /// if the text gets shorter.
    pub fn growth(&self) -> i64 {
        self.splices.iter().map(Splice::growth).sum()
    }

    /// Creates an edit from sorted, disjoint splices, and converts it to normal form.
    pub fn from_sorted(splices: impl IntoIterator<Item = Splice>) -> Self {
        let mut edit = Edit::none();
        for splice in splices {
            edit.push(splice);
        }
        edit
    }

    /// Appends a splice that starts after all other splices of the edit.
    pub(super) fn push(&mut self, splice: Splice) {
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
                last.rank = last.rank.max(splice.rank);
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
