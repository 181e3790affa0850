//! Reduces an artifact of `cargo fuzz` in process: what `cargo fuzz tmin TARGET FILE` does by
//! random mutations.
//!
//! `cargo run --release -p nubbin-reduce --example tmin -- FILE`
//!
//! To use it, put the body of your fuzz target into a function, call it in `fuzz_target!` and here,
//! and set `TARGET`. Without `FILE`, the example reduces an input of its own.
#![expect(clippy::print_stdout, reason = "a program that prints its result")]

use nubbin_reduce::engine::Reduction;
use nubbin_reduce::input::Input;
use nubbin_reduce::{Closure, auto};
use std::cell::RefCell;
use std::error::Error;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

const TARGET: &str = "lengths";

/// The body of a fuzz target: records with a length before each.
fn harness(data: &[u8]) {
    let mut rest = data;
    while let [length, tail @ ..] = rest {
        let record = &tail[..usize::from(*length).min(tail.len())];
        assert!(!record.starts_with(b"END!"), "a record after the end");
        rest = &tail[record.len()..];
    }
}

thread_local! {
    /// The location of the last panic of this thread.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Returns the location where the harness panics, or `None` if it does not. The text of a panic
/// often has parts of the input, so that it is not compared.
fn panics(data: &[u8]) -> Option<String> {
    PLACE.take();
    catch_unwind(|| harness(data)).err()?;
    PLACE.take()
}

/// Returns the path that `cargo fuzz tmin` would write: `crash-HASH` becomes `minimized-from-HASH`
/// in the folder of the artifacts.
fn output(input: &Path) -> PathBuf {
    let name = input.file_name().unwrap_or_default().to_string_lossy();
    let hash = name.split_once('-').map_or(&*name, |(_, hash)| hash);
    let folder = Path::new("fuzz/artifacts").join(TARGET);
    folder.join(format!("minimized-from-{hash}"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from);
    let bytes = match &path {
        Some(path) => std::fs::read(path)?,
        None => b"\x05first\x06second\x08END! now\x05third".to_vec(),
    };
    let usual = take_hook();
    set_hook(Box::new(|panic| {
        PLACE.set(panic.location().map(ToString::to_string));
    }));
    let place = panics(&bytes).ok_or("the harness does not panic on this file")?;
    let oracle = Closure::new(|data: &[u8]| panics(data).as_ref() == Some(&place));
    let input = Input::single("input", bytes)?;
    let plan = auto::plan(&input);
    let outcome = Reduction::new(input, &oracle, plan)
        .jobs(available_parallelism()?.get())
        .run()?;
    set_hook(usual);
    let small = outcome.input.bytes();
    println!("{place}: {} tests", outcome.statistics.tests);
    match path {
        Some(path) => {
            let output = output(&path);
            std::fs::create_dir_all(output.parent().ok_or("no folder")?)?;
            std::fs::write(&output, small)?;
            println!("{} bytes: {}", small.len(), output.display());
        }
        None => println!("{:?}", String::from_utf8_lossy(small)),
    }
    Ok(())
}
