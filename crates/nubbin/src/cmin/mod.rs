//! `nubbin cmin`: the smallest inputs of a folder that together have its coverage.

mod answer;
mod corpus;
mod lines;
mod measure;
mod run;
mod source;

pub(crate) use run::run;
