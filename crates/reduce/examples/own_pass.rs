//! A pass of one's own, before the passes of the default plan.
//!
//! `cargo run -p nubbin-reduce --example own_pass`
#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use nubbin_reduce::edit::Edit;
use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::{File, Input};
use nubbin_reduce::pass::{Context, Pass, PassInfo, preview};
use nubbin_reduce::plan::{Repeat, Tier};
use nubbin_reduce::span::Span;
use nubbin_reduce::work::{List, Proposals, Work};
use nubbin_reduce::{Closure, auto};
use std::error::Error;
use std::sync::Arc;

/// Deletes lines that begin with the time of a log.
struct LogLines;

impl Pass for LogLines {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "log-lines",
            "deletes lines that begin with a time",
            "an example",
        )
    }

    fn open(&self, file: &File<'_>, _context: &Context<'_>) -> Option<Work> {
        let mut edits = vec![];
        let mut start = 0;
        for line in file.text.split_inclusive(|&byte| byte == b'\n') {
            let end = start + line.len();
            if matches!(line, [b'0'..=b'9', b'0'..=b'9', b':', ..]) {
                // Edits count from the beginning of the input, not from that of the file.
                edits.push(Edit::delete(Span::at(file.span.start, start..end)));
            }
            start = end;
        }
        if edits.is_empty() {
            return None;
        }
        // The edits are the units of a list: the list minimizer of the plan decides how many of
        // them one test removes.
        Some(Work::List(List::new(Proposals::new(edits)).try_all()))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = "09:00 start\n09:01 load\nerror: no disk\n09:02 stop\n";
    for candidate in preview(&LogLines, text.as_bytes(), 3) {
        println!("{candidate:?}");
    }
    let input = Input::single("log", text)?;
    let mut plan = auto::plan(&input);
    let tier = Tier {
        name: "own",
        passes: vec![Arc::new(LogLines)],
        repeat: Repeat::Fixpoint,
    };
    plan.tiers.insert(0, tier);
    let oracle = Closure::new(|text: &[u8]| text.windows(5).any(|word| word == b"error"));
    let outcome = Reduction::new(input, &oracle, plan).run()?;
    println!("{}", String::from_utf8_lossy(outcome.input.bytes()));
    assert_eq!(outcome.input.bytes(), b"error");
    Ok(())
}
