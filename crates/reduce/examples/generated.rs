//! Tests a property on generated values, as proptest and quickcheck do, and reduces a value that
//! breaks it by the choices that made it.
//!
//! `cargo run -p nubbin-reduce --example generated`
#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use Call::{Pop, Push};
use nubbin_choices::{Replay, decode, encode_run};
use nubbin_generate::{Choices, Function};
use nubbin_reduce::Closure;
use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::Input;
use nubbin_reduce::pass::choices::plan;
use std::collections::VecDeque;
use std::error::Error;
use std::fmt::Debug;
use std::sync::Arc;

/// Returns the smallest value with which the property does not hold, or `None` if it holds for a
/// thousand seeds.
fn counterexample<T: Debug + 'static>(
    make: fn(&mut Choices) -> T,
    holds: fn(&T) -> bool,
) -> Result<Option<T>, Box<dyn Error>> {
    let generator = Function::new(move |choices| format!("{:?}", make(choices)).into_bytes());
    let breaks = |seed: &u64| !holds(&make(&mut Choices::recording(*seed)));
    let Some(run) = (0..1000)
        .find(breaks)
        .and_then(|seed| generator.record(seed))
    else {
        return Ok(None);
    };
    // The input of the reduction is the sequence of choices. Every sequence makes a value, so the
    // result is a value that the generator can make.
    let oracle = Closure::new(|choices: &[u8]| {
        decode(choices).is_ok_and(|values| !holds(&make(&mut Choices::of(values))))
    });
    let replay: Arc<dyn Replay> = Arc::new(generator);
    let input = Input::single("choices", encode_run(&run))?;
    let outcome = Reduction::new(input, &oracle, plan(&replay)).run()?;
    println!("{} tests", outcome.statistics.tests);
    let values = decode(outcome.input.bytes())?;
    Ok(Some(make(&mut Choices::of(values))))
}

#[derive(Debug, PartialEq)]
enum Call {
    Push(i64),
    Pop,
}

/// Makes calls of a queue: in proptest `vec(prop_oneof![(0..100).prop_map(Push), Just(Pop)],
/// 0..40)`.
fn calls(choices: &mut Choices) -> Vec<Call> {
    choices.list(0..=40, |choices| match choices.boolean() {
        false => Pop,
        true => Push(choices.integer(0..=99)),
    })
}

/// A queue of up to three numbers in an array.
#[derive(Default)]
struct Ring {
    places: [i64; 3],
    first: usize,
    count: usize,
}

impl Ring {
    fn push(&mut self, number: i64) {
        if self.count < 3 {
            // The bug: the position after the last one is the first one again.
            self.places[(self.first + self.count).min(2)] = number;
            self.count += 1;
        }
    }

    fn pop(&mut self) -> Option<i64> {
        self.count = self.count.checked_sub(1)?;
        let number = self.places[self.first];
        self.first = (self.first + 1) % 3;
        Some(number)
    }
}

/// The property: the ring gives the same numbers as a queue of the standard library.
fn is_a_queue(calls: &[Call]) -> bool {
    let (mut ring, mut queue) = (Ring::default(), VecDeque::new());
    calls.iter().all(|call| match call {
        Push(number) => {
            ring.push(*number);
            if queue.len() < 3 {
                queue.push_back(*number);
            }
            true
        }
        Pop => ring.pop() == queue.pop_front(),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let found = counterexample(calls, |calls| is_a_queue(calls))?;
    println!("{found:?}");
    // The number 1 is written over the second 0.
    let small = [Push(0), Pop, Push(0), Pop, Push(0), Push(1), Pop];
    assert_eq!(found.as_deref(), Some(&small[..]));
    Ok(())
}
