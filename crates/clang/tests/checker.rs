//! Errors of small programs by the libclang of this machine.

#[path = "../../oracle/tests/skip/mod.rs"]
mod skip;

use nubbin_clang::{CheckRequest, Checker, ClangError, arguments};
use skip::skipped;

/// Returns the checker for a program in C++; `None` without libclang.
fn checker(runs: bool) -> Option<Checker> {
    let request = CheckRequest {
        arguments: arguments(["-std=c++17", "-Wall"].into_iter(), "cpp"),
        runs,
        ..CheckRequest::default()
    };
    match Checker::load(&request) {
        Ok(checker) => Some(checker),
        Err(ClangError::Missing(_)) => {
            skipped("libclang");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn errors_are_counted_and_warnings_are_not() {
    let Some(checker) = checker(false) else {
        return;
    };
    assert_eq!(
        checker.errors(b"int f() { int unused; return 1; }"),
        Some(0)
    );
    assert_eq!(checker.errors(b"int f() { return a + b; } c d;"), Some(3));
    let many = "x y;\n".repeat(100);
    assert_eq!(checker.errors(many.as_bytes()), Some(100));
    assert_eq!(checker.errors(b""), Some(0));
    assert_eq!(
        checker.errors(b"\0\xff("),
        Some(checker.errors(b"\0\xff(").unwrap())
    );
}

#[test]
fn a_program_that_runs_has_an_error_for_a_function_that_it_lacks() {
    let text = b"template <class T> T g(); inline int h(); int main() { return g<int>() + h(); }";
    let (Some(compiles), Some(runs)) = (checker(false), checker(true)) else {
        return;
    };
    assert_eq!(compiles.errors(text), Some(0));
    assert!(runs.errors(text) > Some(0));
}
