//! Encoders and decoders for frames of compressed bytes.

pub(crate) mod bzip2;
pub(crate) mod lz4;
pub(crate) mod xz;
pub(crate) mod zstd;

use crate::Number;

/// Reads numbers and bytes one after another.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(len)?)?;
        self.at += len;
        Some(taken)
    }

    fn expect(&mut self, bytes: &[u8]) -> Option<()> {
        (self.take(bytes.len())? == bytes).then_some(())
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    fn number(&mut self, number: Number) -> Option<u64> {
        let (value, len) = number.read(self.bytes.get(self.at..)?)?;
        self.at += len;
        Some(value)
    }
}
