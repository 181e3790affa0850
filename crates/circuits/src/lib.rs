//! Formulas in conjunctive normal form and circuits as values.
//!
//! [`Formula`], [`Circuit`], and [`WordCircuit`] are read from a text and written after a change,
//! so that each candidate is a file of the format: numbers are consecutive, and headers state the
//! correct counts.

#![deny(missing_docs)]

mod circuit;
mod formula;
mod literal;
mod widths;
mod word_values;
mod words;

pub use circuit::{Circuit, CircuitChange, Gate, Latch};
pub use formula::{Formula, FormulaChange, Quantifier, Value};
pub use literal::Literal;
pub use words::{Line, WordChange, WordCircuit, WordValue};

/// The number of variables up to which a file is read. Numbers of literals have 32 bits.
const MAX_VARIABLES: u32 = 1 << 28;

/// Returns whether a file of so many bytes may have so many variables. A change takes memory for
/// each of them, also for those that the header only states.
fn is_plausible(variables: u32, bytes: usize) -> bool {
    let most = bytes.saturating_mul(16).max(1 << 16);
    variables <= MAX_VARIABLES && variables as usize <= most
}

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
