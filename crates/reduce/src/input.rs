//! The input of a run: one file or several, end to end in one address space.

pub use nubbin_edit::input::*;
