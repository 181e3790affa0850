//! `nubbin cmin`: finds the smallest inputs of a folder that together have the coverage of all its
//! inputs.

mod answer;
mod corpus;
mod lines;
mod measure;
mod run;
mod source;

pub(crate) use run::run;
