use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// The parts of a program that are loaded into memory.
pub(super) struct Memory {
    /// The addresses of the parts, sorted, and their places in the file.
    parts: Vec<(u64, Range<usize>)>,
}

impl Memory {
    pub(super) fn new(mut parts: Vec<(u64, Range<usize>)>) -> Self {
        parts.retain(|(_, place)| !place.is_empty());
        parts.sort_by_key(|(address, _)| *address);
        Memory { parts }
    }

    /// Returns the position after the last part in the file.
    pub(super) fn end(&self) -> usize {
        self.parts
            .iter()
            .map(|(_, place)| place.end)
            .max()
            .unwrap_or(0)
    }

    /// The place of an address, and the part that it is in.
    fn place(&self, address: u64) -> Option<(usize, &Range<usize>)> {
        let behind = self.parts.partition_point(|(start, _)| *start <= address);
        let (start, part) = self.parts.get(behind.checked_sub(1)?)?;
        let offset = usize::try_from(address - start).ok()?;
        (offset < part.len()).then_some((part.start + offset, part))
    }

    /// Reads an address that follows from an offset in the file. Returns that offset and the rest
    /// of its part.
    pub(super) fn address(
        &self,
        file: &mut Builder<'_>,
        at: usize,
        number: Number,
    ) -> Option<Range<usize>> {
        let (value, len) = number.read(file.bytes(at..file.text.len())?)?;
        let (to, part) = self.place(value).filter(|_| value > 0)?;
        let within = part.start as u32..part.end as u32;
        let means = Means::Address {
            to: to as u32,
            within,
        };
        file.field(at..at + len, number, means);
        Some(to..part.end)
    }
}
