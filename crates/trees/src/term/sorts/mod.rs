//! The sorts of the terms of a script of s-expressions, as far as they can be guessed.

mod guessed;
mod reading;
mod written;

pub(crate) use guessed::Sorts;
pub(crate) use written::zero_bits;
