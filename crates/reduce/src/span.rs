//! Ranges of bytes.

use std::ops::Range;

/// A half-open range of byte offsets into an [`Input`](crate::input::Input).
///
/// Offsets are 32 bits wide: lists of millions of spans are the largest thing a reducer holds,
/// and an input of 4 GiB is refused at the door instead
/// ([`InputError::TooLarge`](crate::input::InputError::TooLarge)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// First byte after it.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        debug_assert!(start <= end);
        Span { start, end }
    }

    /// The span of a range of offsets into a buffer that starts at `base`.
    ///
    /// Offsets above `u32::MAX` cannot occur: inputs are smaller.
    pub fn at(base: u32, range: Range<usize>) -> Self {
        Span::new(base + range.start as u32, base + range.end as u32)
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether it has no bytes: a point between two.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether all of `inner` lies in this span.
    pub const fn covers(self, inner: Span) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }

    /// As a range of indices.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}
