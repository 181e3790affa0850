//! The types that a generator and a reducer share: choices, recorded runs, and replay.
//!
//! A generator creates an input by a sequence of choices: whether there is one more element, a
//! number, or an alternative. A [`Run`] is the record of one generation: each choice with its
//! [`Kind`] and its [`Value`], the [`Span`]s of choices that generated one part of the text, and
//! the text. A generator that can generate a text from any sequence of values implements
//! [`Replay`]. A reducer proposes simpler sequences and does not need to know the generator. The
//! reducer can therefore reduce every text of the generator, and every result is a text that the
//! generator can generate.
//!
//! # Order
//!
//! Of two sequences, the shorter one is better. Of two sequences of the same length, the one with
//! the simpler value at the first difference is better (*shortlex*). Each kind of choice has an
//! order of simplicity for its values ([`Kind::key`]). [`encode`](mod@encode) writes a sequence so
//! that the lexicographic order of the bytes is this order.
//!
//! Source: D. R. MacIver, A. F. Donaldson, "Test-Case Reduction via Test-Case Generation: Insights
//! From the Hypothesis Reducer", ECOOP 2020; R. Gopinath's articles on reducing the choices of a
//! grammar fuzzer.

#![deny(missing_docs)]

pub mod encode;
mod kind;
mod run;
mod value;

pub use encode::{decode, encode_run, encode_values};
pub use kind::{Alphabet, Kind};
pub use run::{Choice, Label, Replay, Run, Span};
pub use value::Value;
