//! Mutation guided by feedback: a population of texts that each showed something new.
//!
//! The [`Feedback`] of a run decides whether it is new: it has an outcome that was never seen, or
//! it reaches a part of the target that no member of the population reaches. A text that shows
//! something new is reduced while it still shows the same [`Novelty`], and then joins the
//! population. Mutants of a member are therefore short as well, their tests are fast, and their
//! failures are easy to read.
//!
//! A [`Mutator`] generates the mutants, a [`Target`] runs a text, and a [`Reducer`] reduces it.
//!
//! * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*: the
//!   population of `MutationCoverageFuzzer`, and the first exercise of the chapter "Reducing
//!   Failure-Inducing Inputs", which asks for the reduction.
//! * *Changed:* outcomes count as well as coverage, so that a target without coverage can be
//!   fuzzed. Novelties that are found during the reduction of another text are kept.
//!
//! ```
//! use nubbin_generate::{Choices, Feedback, MutationFuzzer, PopulationFuzzer};
//! use std::convert::Infallible;
//!
//! // The target has three branches. The reducer only truncates a text.
//! let target = |text: &[u8]| {
//!     let reached = [b'a', b'b', b'c'].iter().zip(0..).filter(|(byte, _)| text.contains(byte));
//!     Ok::<_, Infallible>(Feedback::new("exit code 0", reached.map(|(_, branch)| branch)))
//! };
//! let reducer = |text: &[u8], shows: &(dyn Fn(&[u8]) -> bool + Sync)| {
//!     let len = (0..text.len()).find(|&len| shows(&text[..len]));
//!     text[..len.unwrap_or(text.len())].to_vec()
//! };
//! let mutation = MutationFuzzer::new(vec![b"a seed".to_vec()]).unwrap();
//! let mut fuzzer = PopulationFuzzer::new(mutation);
//! let mut choices = Choices::seeded(1);
//! fuzzer.step(&mut choices, &target, Some(&reducer)).unwrap();
//! assert_eq!(fuzzer.population().members()[0].text, b"a");
//! while fuzzer.population().covered() < 3 {
//!     fuzzer.step(&mut choices, &target, Some(&reducer)).unwrap();
//! }
//! ```

mod feedback;
mod fuzzer;
mod members;
mod mutator;
mod tree_mutator;

pub use feedback::{Feedback, Novelty};
pub use fuzzer::{Counts, PopulationFuzzer, Reducer, Target};
pub use members::{Member, Population};
pub use mutator::Mutator;
pub use tree_mutator::TreeMutator;
