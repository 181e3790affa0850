//! `cargo bench -p nubbin-reduce --bench prepare`: the cost of preparing a tree of a million nodes.
//!
//! Prints figures, asserts nothing: a busy machine is not a bug. Memory is what the process held at
//! most beyond what it held before, as Linux counts it, with the tree itself.

#![expect(clippy::print_stdout, reason = "the figures are the output")]

use nubbin_grammar::parse::Parser;
use nubbin_grammar::read::read;
use nubbin_reduce::tree::{Outline, empty, flatten, hide, squeeze};
use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

const LISTS: &str = r#"
<list> ::= <item> | <list> "," <item>
<item> ::= <number> | "[" <list> "]" | <name> <call>?
<call> ::= "(" <list> ")"
<name> ::= [a-z]+
<number> ::= [0-9]+
"#;

const NESTED: &str = "<e> ::= '(' <e> ')' | '-' <e> | [0-9]";

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "| tree | nodes | parse, s | empty | flatten | squeeze | hide | all, s | nodes left | bytes a node |"
    );
    let list = "x(1,[22,f(3)],4),567,";
    let texts = [
        ("a long list", LISTS, format!("{}0", list.repeat(24_000))),
        (
            "deep nesting",
            NESTED,
            format!("{}7{}", "(-".repeat(220_000), ")".repeat(220_000)),
        ),
    ];
    for (name, grammar, text) in texts {
        let parser = Parser::new(Arc::new(read(grammar, None, "bench")?))?;
        let started = Instant::now();
        let tree = parser.parse(text.as_bytes())?;
        let parsed = started.elapsed().as_secs_f64();
        let nodes = tree.len();
        reset_peak();
        let before = status("VmRSS:");
        let started = Instant::now();
        let outline = Outline::of_tree(&tree, 0, false);
        let mut times = vec![];
        let mut timed = |outline: Outline, step: fn(Outline) -> Outline| {
            let started = Instant::now();
            let outline = step(outline);
            times.push(format!("{:.2}", started.elapsed().as_secs_f64()));
            outline
        };
        let outline = timed(outline, empty);
        let outline = timed(outline, flatten);
        let outline = timed(outline, squeeze);
        let outline = timed(outline, hide);
        let all = started.elapsed().as_secs_f64();
        let bytes = (status("VmHWM:") - before) * 1024 + tree.bytes();
        println!(
            "| {name} | {nodes} | {parsed:.2} | {} | {all:.2} | {} | {} |",
            times.join(" | "),
            outline.len(),
            bytes / nodes
        );
    }
    Ok(())
}

/// A line of the status that Linux reports for this process, in KiB; 0 elsewhere.
fn status(what: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(what));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

/// Counts the peak of memory from here on.
fn reset_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
