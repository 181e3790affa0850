//! `nubbin generate population`: generates mutants, and keeps a reduced mutant for each new
//! behavior.

mod progress;
mod run;
mod stats;
mod store;
mod target;

pub use run::Engine;
pub(super) use run::run;
pub use target::{COVERAGE, read_coverage};
