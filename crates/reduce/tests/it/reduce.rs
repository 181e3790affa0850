//! Closures that panic in `reduce`, the one function that most users need.

use nubbin_reduce::{Error, reduce};

const INPUT: &[u8] = b"first line\nx = 12345\nlast line\n";

/// Returns whether a text has an `x`. Panics on texts of less than eight bytes.
fn fails(bytes: &[u8]) -> bool {
    assert!(bytes.len() >= 8, "cannot read {} bytes", bytes.len());
    bytes.contains(&b'x')
}

#[test]
fn a_closure_that_panics_is_an_error_with_the_best_so_far() {
    let error = reduce(INPUT, fails).unwrap_err();
    let Error::Panicked { best, message, .. } = error else {
        panic!("{error}")
    };
    assert!(fails(&best), "{best:?}");
    assert!(message.starts_with("cannot read "), "{message}");
}

#[test]
fn a_closure_that_panics_on_the_input_is_an_error_with_the_input() {
    let error = reduce(b"x = 1", fails).unwrap_err();
    assert_eq!(error.to_string(), "the test panicked: cannot read 5 bytes");
    assert!(matches!(error, Error::Panicked { best, .. } if best == b"x = 1"));
}
