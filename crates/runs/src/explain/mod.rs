//! `nubbin explain`: finds the parts of a failing input that matter for the failure.

mod claimed;
mod document;
mod parts;
mod prepared;
mod progress;
mod report;
mod run;
mod running;
mod settled;

pub use run::run;
