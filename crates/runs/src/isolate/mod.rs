//! `nubbin isolate`: finds a small difference between an input that passes and one that fails.

mod apart;
mod diff;
mod log;
mod progress;
mod report;
mod results;
mod run;
mod stats;

pub use run::run;
