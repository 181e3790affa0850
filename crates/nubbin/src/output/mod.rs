//! How results, events, and statistics are written.

mod access;
mod anchored;
mod destination;
pub(crate) mod json;
mod own_file;
mod saver;
mod targets;
pub(crate) mod write;

pub(crate) use access::{Access, mode_of};
pub(crate) use destination::Destination;
pub(crate) use own_file::OwnFile;
pub(crate) use saver::Saver;
#[cfg(unix)]
pub(crate) use targets::files_in;
pub(crate) use targets::{Targets, Written};
