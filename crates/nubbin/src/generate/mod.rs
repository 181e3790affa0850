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

pub(crate) use run::run;
