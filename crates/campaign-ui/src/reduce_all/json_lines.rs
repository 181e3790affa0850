//! Lists with a JSON document in each line.

use serde::Serialize;
use std::fmt::Write as _;

/// Returns a list with a line for each value.
pub(super) fn lines<T: Serialize>(all: &[T]) -> String {
    let mut lines = String::new();
    for one in all {
        // The value is plain data, so conversion to JSON does not fail.
        let line = serde_json::to_string(one).unwrap_or_default();
        let _ = writeln!(lines, "{line}");
    }
    lines
}
