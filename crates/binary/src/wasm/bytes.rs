use std::ops::Range;

/// A position in the bytes of a module. All reads end at the end of the bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    text: &'a [u8],
    pub(super) at: usize,
    pub(super) end: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Bytes {
            text,
            at: 0,
            end: text.len(),
        }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    /// Returns whether the next byte equals the given byte.
    pub(super) fn is_before(&self, byte: u8) -> bool {
        !self.is_at_end() && self.text.get(self.at) == Some(&byte)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at).filter(|_| self.at < self.end)?;
        self.at += 1;
        Some(byte)
    }

    /// Returns the next byte without skipping it.
    pub(super) fn peek(&self) -> Option<u8> {
        self.text
            .get(self.at)
            .filter(|_| !self.is_at_end())
            .copied()
    }

    pub(super) fn skip(&mut self, len: usize) -> Option<()> {
        self.at = self.at.checked_add(len).filter(|&at| at <= self.end)?;
        Some(())
    }

    /// Reads an unsigned number of 32 bits.
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut value = 0_u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(value).ok();
            }
        }
        None
    }

    /// Skips a number of any kind.
    pub(super) fn skip_number(&mut self) -> Option<()> {
        for _ in 0..10 {
            if self.byte()? < 0x80 {
                return Some(());
            }
        }
        None
    }

    /// Returns the bytes of a range.
    pub(super) fn of(&self, range: &Range<usize>) -> &'a [u8] {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// Returns whether a custom section belongs to an object file: symbols or relocations.
    pub(super) fn is_part_of_object(&mut self) -> Option<bool> {
        let name = self.part()?;
        let name = self.text.get(name.at..name.end)?;
        Some(name == b"linking" || name.starts_with(b"reloc."))
    }

    /// Reads a length, then skips and returns that many bytes.
    pub(super) fn part(&mut self) -> Option<Self> {
        let len = self.number()? as usize;
        let part = Bytes {
            end: self.at.checked_add(len).filter(|&end| end <= self.end)?,
            ..*self
        };
        self.at = part.end;
        Some(part)
    }
}
