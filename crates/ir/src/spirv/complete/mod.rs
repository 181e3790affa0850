//! The completion of a change: the module after it.

mod completion;
mod constructs;
mod edges;
mod flow;
mod live;
mod resolve;
mod shape;
mod write;
mod write_function;

pub(crate) use completion::complete;
