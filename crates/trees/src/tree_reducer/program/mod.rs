//! Facts about programs, guessed from the fields of a grammar and the shape of names.
//!
//! [`references`] guesses which statement uses the definitions of which other, and [`slicer`] makes
//! slices of that. [`items`] finds what each declaration needs, and [`signatures`] what tells it
//! from others of its name. [`inside`] leaves out what some statements mention. [`names`] finds
//! names and groups their occurrences. [`definition`] finds what a name stands for. [`fields`]
//! finds the parts of a rule by their fields. A wrong guess costs tests and nothing else.

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
