//! `nubbin shootout`: compares all algorithms on the same inputs and tests.
//!
//! The third exercise in the Fuzzing Book's chapter on reducing asks for this benchmark: the best
//! algorithm for each kind of input. The inputs are generated from grammars, and the tests search
//! for symbols in them without starting a process. With `--cases`, or a file and its test, the
//! inputs are real failures.

mod algorithms;
mod benchmark;
mod cases;
mod comparison;
mod grammars;
mod page;
mod ranking;
mod run;
mod simulated_time;
mod speedup;
mod tables;
mod task;
mod test_time;

pub(crate) use run::run;
