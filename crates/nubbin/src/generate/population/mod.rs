//! `nubbin generate population`: mutants that show something new, reduced one by one.

mod progress;
mod run;
mod stats;
mod store;
mod target;

pub(crate) use run::run;
