//! A list minimizer of one's own, driven over a list of numbers.
//!
//! A list minimizer is a state machine: it never runs a test. `drive` runs it against a predicate.
//! The plans of the engine choose among the minimizers of the catalogue.
//!
//! `cargo run -p nubbin-reduce --example own_list_minimizer`
#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use nubbin_reduce::list_minimizer::{ListMinimizer, ListShape, Removal, drive};

/// Tries to remove each element once, from the last to the first.
#[derive(Clone)]
struct OneByOne {
    /// The number of elements that were not tried yet.
    untried: u32,
}

impl OneByOne {
    fn new(shape: &ListShape) -> Self {
        OneByOne { untried: shape.len }
    }
}

impl ListMinimizer for OneByOne {
    fn next(&mut self) -> Option<Removal> {
        // The same answer until `record` is called.
        let last = self.untried.checked_sub(1)?;
        Some(Removal::of([last]))
    }

    fn record(&mut self, _fails: bool) {
        self.untried -= 1;
    }

    fn fork(&self) -> Box<dyn ListMinimizer> {
        Box::new(self.clone())
    }
}

fn main() {
    let mut minimizer = OneByOne::new(&ListShape::uniform(20));
    let mut tests = 0;
    let left = drive(&mut minimizer, 20, |kept| {
        tests += 1;
        kept.contains(&3) && kept.contains(&17)
    });
    assert_eq!(left, [3, 17]);
    println!("{left:?} after {tests} tests");
}
