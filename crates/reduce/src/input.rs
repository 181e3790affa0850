//! The input of a run: one or more files, end to end in one address space.

pub use nubbin_edit::input::*;
