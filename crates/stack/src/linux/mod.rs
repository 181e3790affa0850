//! The stack of a traced process on Linux.

mod image;
mod memory;
mod modules;
mod names;
mod registers;
mod section;
mod symbols;
mod tracer;
mod unwind;

pub(crate) use tracer::trace;
