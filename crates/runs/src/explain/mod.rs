//! `nubbin explain`: finds out which parts of a failing input matter.

mod parts;
mod report;
mod run;

pub use run::run;
