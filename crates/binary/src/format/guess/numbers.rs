//! The numbers that are considered as lengths and offsets.

use crate::Number;

/// The maximum number of bytes of a header in which numbers are searched.
pub(super) const HEAD: usize = 64;

/// The notations of offsets and lengths in tables and arrays, the most likely ones first.
pub(super) const NUMBERS: [Number; 4] = [
    Number::Little(4),
    Number::Big(4),
    Number::Little(2),
    Number::Big(2),
];

pub(super) fn number_width(number: Number) -> usize {
    match number {
        Number::Little(width) | Number::Big(width) => usize::from(width),
        _ => 1,
    }
}
