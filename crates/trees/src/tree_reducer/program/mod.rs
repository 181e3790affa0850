//! Facts about programs, guessed from the fields of a grammar and the shape of names.
//!
//! [`references`] guesses which statement uses the definitions of which other, and [`slicer`] makes
//! slices of that. [`items`] finds the needs of each declaration, and [`signatures`] distinguishes
//! declarations with the same name. [`inside`] leaves out names that some statements mention.
//! [`names`] finds names and groups their occurrences. [`definition`] finds the value of a name.
//! [`fields`] finds the parts of a rule by their fields. A wrong guess costs tests and nothing
//! else.

pub(super) mod definition;
pub(super) mod fields;
mod inside;
pub(super) mod items;
pub(super) mod names;
mod occurrences;
pub(super) mod parameters;
pub(super) mod references;
mod signatures;
pub(super) mod slicer;
