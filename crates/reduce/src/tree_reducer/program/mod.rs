//! Facts about programs, guessed from the fields of a grammar and the looks of names.
//!
//! [`references`] guesses which statement uses what another defines, and [`slicer`] makes slices of
//! that. [`names`] finds names and groups their occurrences. [`fields`] finds the parts of a rule by
//! their roles. A wrong guess costs tests and nothing else.

pub(super) mod fields;
pub(super) mod names;
pub(super) mod references;
pub(super) mod slicer;
