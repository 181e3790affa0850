//! `reduce-all --each`: a reduction of every file, and groups of files with equal results.
//!
//! Each reduction is a run of `nubbin reduce --json`, which says whether the file fails.

mod child;
mod reduced;
mod run;
mod told;

pub(super) use run::run;
