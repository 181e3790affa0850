//! Runs of letters that may encode bytes.

use std::ops::Range;

/// The minimum number of letters in an encoded part: 16 bytes of base64 without padding.
pub(super) const FEWEST: usize = 22;

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
}

/// Returns the run of letters at a position.
pub(super) fn run(text: &[u8], at: usize) -> Range<usize> {
    let letters = text[at..].iter().take_while(|&&byte| is_letter(byte));
    at..at + letters.count()
}

/// Returns the range of letters, including the `=` after them if they fill the last group.
pub(super) fn filled(
    text: &[u8],
    start: usize,
    run: &Range<usize>,
    letters: usize,
) -> Range<usize> {
    let missing = letters.wrapping_neg() % 4;
    let behind = text.get(run.end..run.end + missing).unwrap_or_default();
    let is_filled =
        missing < 3 && behind.len() == missing && behind.iter().all(|&byte| byte == b'=');
    start..run.end + if is_filled { missing } else { 0 }
}
