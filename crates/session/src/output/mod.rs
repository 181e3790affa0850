//! The files of results, events, and statistics.

mod access;
mod anchored;
mod destination;
pub mod json;
mod own_file;
mod saver;
mod targets;
pub mod write;

pub use access::{Access, mode_of};
pub use destination::Destination;
pub use own_file::OwnFile;
pub use saver::Saver;
#[cfg(unix)]
pub use targets::files_in;
pub use targets::{Targets, Written};
