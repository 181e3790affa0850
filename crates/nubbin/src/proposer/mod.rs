//! `--proposer`: programs outside that propose changes, late in a run.

mod clang;
mod dialogue;
mod proposers;

pub(crate) use proposers::Proposers;
