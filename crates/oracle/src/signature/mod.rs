//! Failure signatures, which distinguish one failure from another.

mod assertion;
mod boilerplate;
mod calls;
mod compilers;
mod exception;
mod exit;
mod failure;
mod find;
mod frames;
mod goroutine;
mod internal;
mod interpreter;
mod message;
mod names;
mod panic;
mod recursion;
mod report;
mod run_time;
mod sanitizer;
mod stacks;

#[cfg(test)]
mod pairs;
#[cfg(test)]
pub(crate) mod testing;

pub use failure::{FailureKind, Signature};
pub use message::Message;
pub(crate) use report::Report;
pub use stacks::frames_match;
