//! Ranges of bytes.

use std::ops::Range;

/// A half-open range of byte offsets into an [`Input`](crate::Input).
///
/// Offsets are 32 bits wide: lists of millions of spans are the largest data of a reducer, and an
/// input of 4 GiB is refused at the start
/// ([`InputError::TooLarge`](crate::InputError::TooLarge)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span from `start` up to, but not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        debug_assert!(start <= end);
        Span { start, end }
    }

    /// Creates the span of a range of offsets in a buffer that starts at `base`.
    ///
    /// Offsets above `u32::MAX` cannot occur: inputs are smaller.
    pub fn at(base: u32, range: Range<usize>) -> Self {
        Span::new(base + range.start as u32, base + range.end as u32)
    }

    /// Returns the length in bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Returns whether the span has no bytes. An empty span is a point between two bytes.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether the span contains all of `inner`.
    pub const fn covers(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// Returns the span as a range of indices.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
