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

pub use classical::mutation;
pub use grammar::generator;
pub use population::{COVERAGE, Engine, read_coverage};
pub use run::run;
pub use trees::{fitting, fuzzer};
