//! `nubbin explain`: finds out which parts of a failing input matter.

mod args;
mod parts;
mod report;
mod run;

pub(crate) use args::ExplainArgs;
pub(crate) use run::run;
