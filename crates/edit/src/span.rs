//! Ranges of bytes.

use std::ops::Range;

/// A half-open range of byte offsets into an [`Input`](crate::Input).
///
/// Offsets are 32 bits wide: lists of millions of spans are the largest data of a reducer, and an
/// input of 4 GiB is refused at the start
/// ([`InputError::TooLarge`](crate::InputError::TooLarge)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The first byte after it.
    pub end: u32,
}

impl Span {
    /// Makes the span from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        debug_assert!(start <= end);
        Span { start, end }
    }

    /// Makes the span of a range of offsets into a buffer that starts at `base`.
    ///
    /// Offsets above `u32::MAX` cannot occur: inputs are smaller.
    pub fn at(base: u32, range: Range<usize>) -> Self {
        Span::new(base + range.start as u32, base + range.end as u32)
    }

    /// The length in bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether it has no bytes: a point between two bytes.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether all of `inner` lies in this span.
    pub const fn covers(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// Returns the span as a range of indices.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
