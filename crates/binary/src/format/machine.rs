use crate::Number;

/// The width of addresses and the byte order of a program.
#[derive(Clone, Copy)]
pub(super) struct Machine {
    /// Whether addresses have 8 bytes, and not 4.
    pub(super) wide: bool,
    pub(super) big: bool,
}

impl Machine {
    /// Returns the notation of a number with the given number of bytes.
    pub(super) fn number(self, width: u8) -> Number {
        if self.big {
            Number::Big(width)
        } else {
            Number::Little(width)
        }
    }

    /// Returns the width of an address.
    pub(super) fn address(self) -> usize {
        if self.wide { 8 } else { 4 }
    }

    /// Returns one of two offsets, chosen by the width of addresses.
    pub(super) fn pick(self, narrow: usize, wide: usize) -> usize {
        if self.wide { wide } else { narrow }
    }
}
