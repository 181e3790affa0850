//! Mutation of texts by their syntax trees.

mod creator;
mod creators;
mod fuzzer;
mod mutant;
mod parent;

pub use creator::{Creator, UnknownCreator};
pub use fuzzer::TreeFuzzer;
