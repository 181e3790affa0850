//! `nubbin cmin`: finds the smallest inputs of a folder that together have the coverage of all its
//! inputs.

mod answer;
mod control;
mod corpus;
mod ending;
mod libfuzzer;
mod lines;
mod measure;
mod missing;
mod parallel;
mod recipes;
mod run;
mod sancov;
mod source;
mod uncovered;

pub(crate) use run::run;
