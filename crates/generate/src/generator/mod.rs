//! Generators that expand a grammar to a text, with one of three algorithms.

mod algorithm;
mod costs;
mod generate;
mod grow;
mod limit;
mod names;
mod spell;
#[cfg(test)]
mod tests;
mod text_writer;
mod token_writer;
mod tokens;

pub use algorithm::{Algorithm, GrammarFuzzer, LimitFuzzer, SizeTarget};
pub use generate::{Generator, GeneratorError};
pub(crate) use text_writer::TextWriter;
