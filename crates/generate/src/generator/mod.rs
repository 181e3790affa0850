//! Generators that expand a grammar to a text, with one of three algorithms.

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
