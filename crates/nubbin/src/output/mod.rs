//! How results, events, and statistics are written.

mod access;
pub(crate) mod json;
mod saver;
mod targets;
pub(crate) mod write;

pub(crate) use access::{Access, mode_of};
pub(crate) use saver::Saver;
pub(crate) use targets::{Targets, Written};
