//! Reduces a text for a closure, with one function and then with options.
//!
//! `cargo run -p nubbin-reduce --example closure`
#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use nubbin_reduce::engine::{Event, Reduction, Statistics};
use nubbin_reduce::input::Input;
use nubbin_reduce::{Closure, auto};
use std::error::Error;

const TEXT: &str = "\
[server]
port = 8080
retries = -1

[client]
name = first
";

/// The interestingness test: a setting has a negative number.
fn fails(text: &[u8]) -> bool {
    text.windows(3).any(|three| three == b"= -")
}

fn main() -> Result<(), Box<dyn Error>> {
    // The short way.
    let small = nubbin_reduce::reduce(TEXT.as_bytes(), fails)?;
    println!("{}", String::from_utf8_lossy(&small));

    // The same reduction with two workers, a budget, and an observer.
    let input = Input::single("settings", TEXT)?;
    let oracle = Closure::new(fails);
    let plan = auto::plan(&input);
    let mut observer = |event: &Event<'_>, statistics: &Statistics| {
        if let Event::Adopted { pass, .. } = event {
            println!("{pass}: {} bytes", statistics.bytes_now);
        }
    };
    let outcome = Reduction::new(input, &oracle, plan)
        .jobs(2)
        .max_tests(1000)
        .observer(&mut observer)
        .run()?;
    println!("{} after {} tests", outcome.ended, outcome.statistics.tests);
    assert_eq!(outcome.input.bytes(), small);
    Ok(())
}
