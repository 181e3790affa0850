//! Test-case generation from grammars, as sequences of choices that replay.
//!
//! A [generator](generator::Generator) turns a sequence of [choices](choices::Choices) into a text
//! of a grammar. The choices are drawn from a seed and recorded, or replayed from a recording. The
//! same choices yield the same text. Fewer or other choices yield another text that also fits the
//! grammar, so a text can be reduced by reducing its choices.
//!
//! ```
//! use nubbin_generate::{Choices, Generator, LimitFuzzer};
//! use nubbin_grammar::read;
//! use std::sync::Arc;
//!
//! let grammar = read::read("<s> ::= <s> '+' <s> | [0-9]", None, "sums")?;
//! let generator = Generator::new(Arc::new(grammar), LimitFuzzer { max_depth: 5 }.into())?;
//! let mut choices = Choices::seeded(1);
//! let text = generator.generate(&mut choices);
//! let mut again = Choices::replay(choices.into_recorded());
//! assert_eq!(generator.generate(&mut again), text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

pub mod choices;
mod classical;
mod function;
pub mod generator;
pub mod population;
mod random;
mod tree_fuzzer;
pub mod weights;
mod words;

pub use choices::Choices;
pub use classical::{MutationFuzzer, NoCharacters, NoSeeds, RandomFuzzer};
pub use function::Function;
pub use generator::{Algorithm, Generator, GeneratorError, GrammarFuzzer, LimitFuzzer, SizeTarget};
pub use nubbin_choices;
pub use population::{
    Feedback, Mutator, Population, PopulationFuzzer, Reducer, Target, TreeMutator,
};
pub use tree_fuzzer::{Creator, TreeFuzzer, UnknownCreator};
pub use weights::Weights;
