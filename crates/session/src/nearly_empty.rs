//! Results that say little: nearly every input has what is left of them.

use nubbin_terminal::shown::count;

/// The size in bytes of an original that may have a result of one byte without a note.
const SMALL_ORIGINAL: usize = 16;

/// Returns the note on a result that is nearly empty, since the test may fail for any input.
///
/// ```
/// use nubbin_session::nearly_empty::note;
///
/// assert!(note(500, b"\n").is_some());
/// assert_eq!(note(500, b"boom"), None);
/// ```
#[must_use]
pub fn note(bytes_before: usize, result: &[u8]) -> Option<String> {
    let is_little = result.len() <= 1 || result.iter().all(u8::is_ascii_whitespace);
    (bytes_before > SMALL_ORIGINAL && is_little).then(|| {
        let bytes = count(result.len() as u64, "byte");
        format!(
            "the result has {bytes}, so the failure may not depend on the input: check the \
             conditions of the test"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_results_with_next_to_nothing_have_a_note() {
        for (before, result, is_noted) in [
            (100, &b"x"[..], true),
            (100, b" \n", true),
            (100, b"", true),
            (100, b"xy", false),
            (10, b"x", false),
        ] {
            assert_eq!(note(before, result).is_some(), is_noted, "{result:?}");
        }
    }
}
