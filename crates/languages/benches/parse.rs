//! `cargo bench -p nubbin-languages`: measures the speed of parsing.
//!
//! Each sample of the tests is repeated to 1 MB, and then parsed, aligned, and built. The table
//! also shows the time of the linked parser alone, and the time to build the tree of a text with
//! one line less from the old tree. All figures are medians.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a tool for looking"
)]

use nubbin_grammar::syntax::{Replacement, Syntax};
use nubbin_languages::catalogue;
use std::path::Path;
use std::time::{Duration, Instant};

const BYTES: usize = 1_000_000;
const ROUNDS: usize = 5;

fn median(mut once: impl FnMut() -> Duration) -> f64 {
    let mut times: Vec<Duration> = (0..ROUNDS).map(|_| once()).collect();
    times.sort();
    times[ROUNDS / 2].as_secs_f64()
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let made = work();
    (start.elapsed(), made)
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    for entry in catalogue::all() {
        if wanted.as_deref().is_some_and(|wanted| wanted != entry.id) {
            continue;
        }
        let mut files = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let (Some(language), Some(file)) = (
            entry.language().unwrap(),
            files.find(|path| path.file_stem().is_some_and(|stem| stem == entry.id)),
        ) else {
            continue;
        };
        let sample = std::fs::read(file).unwrap();
        let text = sample.repeat(BYTES.div_ceil(sample.len()));
        let mb = text.len() as f64 / 1e6;
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(language.parser()).unwrap();
        let alone = median(|| timed(|| parser.parse(&text, None).unwrap()).0);
        // A text whose tree is known is not parsed again.
        let mut longer = text.clone();
        let whole = median(|| {
            longer.push(b'\n');
            timed(|| language.tree(&longer).unwrap()).0
        });
        let tree = language.tree(&text).unwrap();
        let middle = text.len() / 2;
        let line = text[middle..]
            .iter()
            .position(|byte| *byte == b'\n')
            .unwrap_or(0);
        let change = Replacement {
            span: middle..middle + line,
            text: b"",
        };
        let again = median(|| timed(|| language.reparse(&tree, &change).unwrap()).0);
        println!(
            "{:<11} {:>5.1} MB/s, the parser alone {:>5.1} MB/s; {:.2} µs a node; again {:.2} of the first time",
            entry.id,
            mb / whole,
            mb / alone,
            whole * 1e6 / tree.len() as f64,
            again / whole,
        );
    }
}
