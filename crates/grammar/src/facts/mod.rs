//! Facts that follow from a grammar, computed once: shortest texts, first bytes, recursion.

mod compute;
mod dependents;
mod model;
mod shortest_text;

pub use model::Facts;
