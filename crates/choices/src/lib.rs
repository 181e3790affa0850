//! What a generator and a reducer say to each other, and nothing else.
//!
//! A generator makes an input by a sequence of choices: is there one more element, which number,
//! which alternative. A [`Run`] is the record of one such making: each choice with what was asked
//! ([`Kind`]) and what was chosen ([`Value`]), the [`Span`]s in which the generator was at what,
//! and the text that came of it. Whoever can make a text from any sequence of values implements
//! [`Replay`]; whoever wants a smaller text proposes a simpler sequence and need not know what
//! makes the text. So everything a generator can make can be reduced, and nothing else ever comes
//! of it.
//!
//! # Order
//!
//! Of two sequences the shorter is the better one, and of two of the same length the one with the
//! simpler value where they first differ (*shortlex*). Each kind of choice puts its values in an
//! order of simplicity ([`Kind::key`]). [`encode`](mod@encode) writes a sequence so that the order
//! of the bytes is this order.
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
