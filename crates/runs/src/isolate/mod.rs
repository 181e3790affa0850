//! `nubbin isolate`: finds a small difference between an input that passes and an input that fails.

mod apart;
mod claimed;
mod diff;
mod log;
mod not_apart;
mod observed;
mod other_failures;
mod prepared;
mod progress;
mod report;
mod results;
mod run;
mod running;
mod settled;
mod stats;

pub use run::run;
