//! Runs the example programs that the guide shows, and compares what they print.
#![expect(clippy::unwrap_used, reason = "the panic is the report")]

use std::env::consts::EXE_SUFFIX;
use std::process::Command;

/// Runs an example. Cargo builds the examples of a package with all of its tests, beside the folder
/// of its tests.
fn printed(name: &str) -> String {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().and_then(|folder| folder.parent()).unwrap();
    let program = built.join(format!("examples/{name}{EXE_SUFFIX}"));
    let how = format!("build the program first: cargo build -p nubbin-reduce --example {name}");
    assert!(program.exists(), "{how}");
    let output = Command::new(program).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// Compares the first and the last line that an example prints. Numbers of tests change with the
/// plan.
fn is_printed(name: &str, first: &str, last: &str) {
    let text = printed(name);
    let mut lines = text.lines();
    let begins = lines.next().unwrap_or_default();
    let ends = lines.next_back().unwrap_or(begins);
    assert!(begins.starts_with(first), "{name}: {text}");
    assert!(ends.starts_with(last), "{name}: {text}");
}

#[test]
fn a_closure() {
    is_printed("closure", "= -", "complete after ");
}

#[test]
fn a_closure_with_a_language() {
    is_printed("language", "main/", "");
}

#[test]
fn a_list_minimizer_of_ones_own() {
    is_printed("own_list_minimizer", "[3, 17] after ", "");
}

#[test]
fn a_pass_of_ones_own() {
    is_printed("own_pass", "\"error: no disk\\n\"", "error");
}

#[test]
fn a_property_of_generated_values() {
    let smallest = "Some([Push(0), Pop, Push(0), Pop, Push(0), Push(1), Pop])";
    is_printed("generated", "", smallest);
}

#[test]
fn in_place_of_cargo_fuzz_tmin() {
    is_printed("tmin", "crates/reduce/examples/tmin.rs:", "\"\\u{4}END!\"");
}
