//! Reduces a C program for a closure, with the syntax trees of C.
//!
//! `cargo run -p nubbin-reduce --example language`
#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use nubbin_languages::catalogue;
use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::Input;
use nubbin_reduce::{Closure, auto};
use std::error::Error;

const PROGRAM: &str = "\
int unused(int x) { return x + 1; }

int main(void) {
    int a = 4, b = 2;
    if (a > b) {
        a = a / (b - 2);
    }
    return a;
}
";

fn main() -> Result<(), Box<dyn Error>> {
    let c = catalogue::named("c").ok_or("this build has no parser for C")?;
    let syntax = c.syntax()?;
    let input = Input::single("bug.c", PROGRAM)?;
    // The trees of a language are tolerant: every text has one, also a text with syntax errors.
    let plan = auto::plan_with_syntax(&input, syntax);
    let oracle = Closure::new(|text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        text.contains("main") && text.contains('/')
    });
    let outcome = Reduction::new(input, &oracle, plan).run()?;
    println!("{}", String::from_utf8_lossy(outcome.input.bytes()));
    println!("{} tests", outcome.statistics.tests);
    Ok(())
}
