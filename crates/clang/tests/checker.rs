//! Errors of small programs by the libclang of this machine.

#[path = "../../oracle/tests/skip/mod.rs"]
mod skip;

use nubbin_clang::{CheckRequest, Checker, ClangError};
use skip::skipped;

/// Returns the checker for a program in C++; `None` without libclang.
fn checker() -> Option<Checker> {
    let request = CheckRequest {
        arguments: ["-xc++", "-std=c++17", "-Wall"].map(str::to_owned).into(),
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
    let Some(checker) = checker() else {
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
    assert!(checker.errors(b"\0\xff(") > Some(0));
}
