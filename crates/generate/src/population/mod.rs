//! Mutation guided by what a target shows: texts that showed something new are kept, reduced first,
//! and mutated further.
//!
//! What is new is said by the [`Feedback`] of a run: an outcome that was never seen, or a part of the
//! target that no text of the population reaches. A text that shows it is made as small as it can be
//! while it still shows the same new thing, and only then joins the population. So all that descends
//! from it is short as well, which makes its tests faster and its failures easy to read.
//!
//! How a text is run is known to a [`Target`], how it is made smaller to a [`Reducer`].
//!
//! * *Source:* A. Zeller, R. Gopinath, M. Böhme, G. Fraser, C. Holler, *The Fuzzing Book*: the
//!   population of `MutationCoverageFuzzer`, and the first exercise of the chapter "Reducing
//!   Failure-Inducing Inputs", which asks for the reduction.
//! * *Changed:* outcomes count as well as coverage, so that a target without any can be fuzzed; and
//!   what is met while a text is reduced is not lost.
//!
//! ```
//! use nubbin_generate::{Choices, Feedback, MutationFuzzer, PopulationFuzzer};
//! use std::convert::Infallible;
//!
//! // A target with three branches, and a reducer that only cuts off the end.
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

pub use feedback::{Feedback, Novelty};
pub use fuzzer::{Counts, PopulationFuzzer, Reducer, Target};
pub use members::{Member, Population};
