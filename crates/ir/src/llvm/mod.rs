//! LLVM IR in its text form, of the versions 14 to 20.
//!
//! The reader knows the positions of names, types, and labels, and no more of the grammar than
//! that: an instruction that it does not know keeps its text, and its operands are uses all the
//! same. Source of the notation: the LLVM Language Reference Manual.

mod body;
mod code;
mod item;
mod read;
pub(crate) mod token;
pub(crate) mod ty;
pub(crate) mod word;

pub(crate) use item::{LOCAL, parts, starts_type};
pub(crate) use read::read;
