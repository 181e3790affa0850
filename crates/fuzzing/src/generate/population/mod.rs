//! `nubbin generate population`: keeps mutants with a new behavior, each reduced.

mod progress;
mod run;
mod stats;
mod store;
mod target;

pub use run::Engine;
pub(super) use run::run;
pub use target::{COVERAGE, read_coverage};
