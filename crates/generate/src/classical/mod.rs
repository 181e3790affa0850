//! Generators without a grammar: random characters, and mutation of seeds.

mod mutation;
mod random;

pub use mutation::{MutationFuzzer, NoSeeds};
pub use random::{NoCharacters, RandomFuzzer};
