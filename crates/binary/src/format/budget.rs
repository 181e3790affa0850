use crate::Codec;
use crate::layout::Layout;
use std::cell::Cell;

/// Reads content of a known format within another file.
pub(super) type ReadInner = fn(&[u8], &mut Budget) -> Option<Layout>;

/// The remaining limits on decoded bytes and on the size of the layout.
pub(super) struct Budget {
    /// The reader of decoded content. The budget has it, so that builders do not know all formats.
    pub(super) layout: ReadInner,
    pub(super) depth: u32,
    pub(super) decoded: usize,
    /// The bytes of regions, fields, and lists.
    pub(super) structure: usize,
    /// The bytes that are read to decode and to sum: parts of a file may overlap.
    pub(super) work: usize,
    /// The numbers and parts that are looked at.
    pub(super) looks: Cell<usize>,
    /// The bytes that are decoded and then not kept, since a fault is behind them or they are more
    /// than may be decoded.
    pub(super) wasted: usize,
}

/// The maximum number of bytes that are decoded of each part after too many were decoded without
/// use.
const CAUTIOUS: usize = 64 << 10;

impl Budget {
    /// Whether so many more bytes may be read to decode or to sum.
    pub(super) fn work(&mut self, bytes: usize) -> bool {
        let left = self.work.checked_sub(bytes);
        self.work = left.unwrap_or(self.work);
        left.is_some()
    }

    /// Decodes what is compressed at the beginning of some bytes. Returns its content and length.
    pub(super) fn decompress(&mut self, bytes: &[u8], codec: Codec) -> Option<(Vec<u8>, usize)> {
        let most = self.decoded.min(self.wasted.max(CAUTIOUS));
        let mut content = vec![];
        let Some(len) = codec.decompress(bytes, most, &mut content) else {
            self.wasted = self.wasted.saturating_sub(content.len());
            return None;
        };
        Some((content, len))
    }

    /// Whether so many more values of a type are within the bounds.
    pub(super) fn spend<T>(&mut self, count: usize) -> bool {
        let left = self.structure.checked_sub(count * size_of::<T>());
        self.structure = left.unwrap_or(0);
        left.is_some()
    }
}
