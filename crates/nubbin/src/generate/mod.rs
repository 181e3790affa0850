//! `nubbin generate`: makes inputs.

mod args;
mod classical;
mod external;
mod grammar;
mod output;
mod population;
mod run;
mod samples;

pub(crate) use args::GenerateCommand;
pub(crate) use run::run;
