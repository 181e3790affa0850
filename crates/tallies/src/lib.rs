//! Passes over texts that count themselves, over formulas, and over circuits.
//!
//! [`Book`] holds the counts of an input. [`Book::counted`] extends any pass, so that it lowers the
//! numbers that count the parts that it removes. [`Counts`] tests which numbers are counts.
//! Formulas in DIMACS and circuits in AIGER and BTOR2 are read, changed, and written again.

#![deny(missing_docs)]

mod aig_gates;
mod aig_inputs;
mod aig_outputs;
mod book;
mod btor_nodes;
mod circuit;
mod circuit_cuts;
mod cnf_clauses;
mod cnf_halves;
mod cnf_literals;
mod cnf_units;
mod cnf_variables;
mod counted_tables;
mod counts;
mod format;
mod formula;
mod on_counts;

pub use aig_gates::AigGates;
pub use aig_inputs::AigInputs;
pub use aig_outputs::AigOutputs;
pub use book::Book;
pub use btor_nodes::BtorNodes;
pub use circuit_cuts::CircuitCuts;
pub use cnf_clauses::CnfClauses;
pub use cnf_halves::CnfHalves;
pub use cnf_literals::CnfLiterals;
pub use cnf_units::CnfUnits;
pub use cnf_variables::CnfVariables;
pub use counted_tables::CountedTables;
pub use counts::Counts;
pub use format::{is_formal, is_written};

/// The example of the front page, which is a test of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct FrontPage;
