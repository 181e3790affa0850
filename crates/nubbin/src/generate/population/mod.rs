//! `nubbin generate population`: keeps mutants with a new behavior, each reduced.

mod progress;
mod run;
mod stats;
mod store;
mod target;

pub(crate) use run::{Engine, run};
pub(crate) use target::{COVERAGE, read_coverage};
