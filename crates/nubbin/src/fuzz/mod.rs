//! `nubbin fuzz`: runs expressions of a graph, and isolates, reduces, and reports what crashes.

mod batch;
mod engine_test;
mod finding;
mod folder;
mod hunt;
mod progress;
mod reduce;
mod run;
mod stats;

pub(crate) use batch::{Expression, expressions, script};
pub(crate) use run::run;
