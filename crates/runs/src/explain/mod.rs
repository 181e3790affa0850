//! `nubbin explain`: finds out which parts of a failing input matter.

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
