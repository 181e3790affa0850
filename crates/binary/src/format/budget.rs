use crate::Codec;
use crate::layout::Layout;
use std::cell::Cell;

/// Reads content of a known format within another file.
pub(super) type ReadInner = fn(&[u8], &mut Budget) -> Option<Layout>;

/// The remaining limits on decoded bytes and on the size of the layout.
pub(super) struct Budget {
    /// The reader of decoded content. The reader is part of the budget, so that builders do not
    /// depend on all formats.
    pub(super) layout: ReadInner,
    pub(super) depth: u32,
    pub(super) decoded: usize,
    /// The remaining number of bytes of regions, fields, and lists.
    pub(super) structure: usize,
    /// The remaining number of bytes that are read to decode and to sum. Parts of a file may
    /// overlap.
    pub(super) work: usize,
    /// The remaining number of numbers and parts that are examined.
    pub(super) looks: Cell<usize>,
    /// The number of bytes that were decoded and then discarded, because of a fault after them, or
    /// because they exceed the limit.
    pub(super) wasted: usize,
}

/// The maximum number of bytes that are decoded of each part after too many were decoded without
/// use.
const CAUTIOUS: usize = 64 << 10;

impl Budget {
    /// Returns whether `bytes` more bytes may be read to decode or to sum.
    pub(super) fn work(&mut self, bytes: usize) -> bool {
        let left = self.work.checked_sub(bytes);
        self.work = left.unwrap_or(self.work);
        left.is_some()
    }

    /// Decodes the compressed data at the beginning of some bytes. Returns its content and its
    /// length.
    pub(super) fn decompress(&mut self, bytes: &[u8], codec: Codec) -> Option<(Vec<u8>, usize)> {
        let most = self.decoded.min(self.wasted.max(CAUTIOUS));
        let mut content = vec![];
        let Some(len) = codec.decompress(bytes, most, &mut content) else {
            self.wasted = self.wasted.saturating_sub(content.len());
            return None;
        };
        Some((content, len))
    }

    /// Returns whether `count` more values of a type are within the limits.
    pub(super) fn spend<T>(&mut self, count: usize) -> bool {
        let left = self.structure.checked_sub(count * size_of::<T>());
        self.structure = left.unwrap_or(0);
        left.is_some()
    }
}
