//! How results, events, and statistics are written.

pub(crate) mod json;
mod saver;
mod targets;
pub(crate) mod write;

pub(crate) use saver::Saver;
pub(crate) use targets::{Targets, Written};
