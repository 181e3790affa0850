//! Generators that know nothing of what they make.

mod mutation;
mod random;

pub use mutation::{MutationFuzzer, NoSeeds};
pub use random::{NoCharacters, RandomFuzzer};
