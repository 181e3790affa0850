//! Generators of texts of a grammar.

mod algorithm;
mod costs;
mod generate;
mod grow;
mod limit;
mod names;
#[cfg(test)]
mod tests;

pub use algorithm::{Algorithm, GrammarFuzzer, LimitFuzzer, SizeTarget};
pub use generate::{Generator, GeneratorError};
