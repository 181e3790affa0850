//! `nubbin fuzz`: runs expressions of a graph, and isolates, reduces, and reports crashing
//! expressions.

mod batch;
mod engine_test;
mod finding;
mod folder;
mod hunt;
mod progress;
mod reduce;
mod run;
mod stats;

pub use batch::{Expression, expressions, script};
pub use run::run;
