//! `nubbin generate`: generates inputs.

mod classical;
mod external;
mod grammar;
mod graph;
mod output;
mod population;
mod run;
mod samples;
mod trees;

pub(crate) use classical::mutation;
pub(crate) use grammar::generator;
pub(crate) use population::{COVERAGE, Engine, read_coverage};
pub(crate) use run::run;
pub(crate) use trees::{fitting, fuzzer};
