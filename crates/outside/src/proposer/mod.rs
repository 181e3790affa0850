//! `--proposer`: external programs that propose edits late in a run.

mod clang;
mod dialogue;
mod message;
mod parking;
mod proposers;
mod setting;

pub use proposers::Proposers;
