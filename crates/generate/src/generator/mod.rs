//! Generators that expand a grammar to a text, with one of three algorithms.

mod algorithm;
mod construct;
mod costs;
mod generate;
mod generator_error;
mod grow;
mod limit;
mod model;
mod names;
mod spell;
mod take;
#[cfg(test)]
mod tests;
mod text_writer;
mod token_sink;
mod token_writer;
mod tokens;
mod usual_texts;

pub use algorithm::{Algorithm, GrammarFuzzer, LimitFuzzer, SizeTarget};
pub use generator_error::GeneratorError;
pub use model::Generator;
pub(crate) use text_writer::TextWriter;
