//! Sorts and terms as they are written.

use nubbin_grammar::sorts::Vectors;

/// Returns whether a word is one of the given words.
pub(super) fn is_one(words: &[&str], word: &[u8]) -> bool {
    words.iter().any(|known| known.as_bytes() == word)
}

/// Returns the shortest way to write a vector of zeros.
pub(crate) fn zero_bits(vectors: &Vectors, width: u32) -> Vec<u8> {
    let indexed = format!("({} {}0 {width})", vectors.index, vectors.number);
    let short = match width {
        1..=7 => format!("{}{}", vectors.binary, "0".repeat(width as usize)),
        _ if width.is_multiple_of(4) => {
            format!("{}{}", vectors.hexadecimal, "0".repeat(width as usize / 4))
        }
        _ => return indexed.into_bytes(),
    };
    if short.len() <= indexed.len() {
        short
    } else {
        indexed
    }
    .into_bytes()
}

/// Normalizes a written sort: one space between two tokens, none next to a parenthesis.
pub(super) fn canonical(written: &[u8]) -> Vec<u8> {
    let words = written
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let mut out: Vec<u8> = vec![];
    for word in words {
        if !out.is_empty() && out.last() != Some(&b'(') && word.first() != Some(&b')') {
            out.push(b' ');
        }
        out.extend_from_slice(word);
    }
    out
}
