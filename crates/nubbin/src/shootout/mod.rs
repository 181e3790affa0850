//! `nubbin shootout`: compares all algorithms on the same inputs and tests.
//!
//! The third exercise of the Fuzzing Book's chapter on reducing asks for it: inputs from grammars,
//! tests that look for symbols in them, and which algorithm does best under which circumstances.
//! No process is started for a test. With `--cases` the inputs are real failures with their own
//! tests.

mod cases;
mod comparison;
mod contest;
mod contestants;
mod grammars;
mod pace;
mod page;
mod run;
mod speedup;
mod standings;
mod tables;
mod task;

pub(crate) use run::run;
