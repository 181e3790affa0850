//! `--proposer`: programs outside that propose changes, late in a run.

mod args;
mod clang;
mod dialogue;
mod proposers;

pub(crate) use args::ProposerArgs;
pub(crate) use proposers::Proposers;
