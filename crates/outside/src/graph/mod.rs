//! `nubbin graph`: creates, merges, and shows prototype graphs.

mod check;
mod explore;
mod file;
mod learn;
mod merge;
mod run;
mod show;
mod summary;

pub use file::{read, walker};
pub use run::run;
