//! Names that are shorter or simpler than other names.

use rustc_hash::FxHashSet;

/// Returns names that are not in `taken`, in the order of simplicity: first names of one letter,
/// then names of two letters.
pub fn fresh_names<'a>(taken: &'a FxHashSet<&[u8]>) -> impl Iterator<Item = Vec<u8>> + 'a {
    let letters = || (b'a'..=b'z').chain(b'A'..=b'Z');
    let singles = letters().map(|letter| vec![letter]);
    let pairs = letters().flat_map(move |first| letters().map(move |second| vec![first, second]));
    let triples = letters().flat_map(move |first| {
        (0..100u8).map(move |number| vec![first, b'0' + number / 10, b'0' + number % 10])
    });
    singles
        .chain(pairs)
        .chain(triples)
        .filter(|name| !taken.contains(&name[..]))
}

/// Returns whether a text becomes simpler if `name` replaces `word`.
pub fn is_simpler(name: &[u8], word: &[u8]) -> bool {
    let ranks = |text: &[u8]| text.iter().map(|&byte| rank(byte)).collect::<Vec<_>>();
    name.len() < word.len() || name.len() == word.len() && ranks(name) < ranks(word)
}

/// Returns the rank of a byte in the order of simplicity: white space, digits, lower-case letters,
/// upper-case letters, punctuation, and all other bytes.
pub fn rank(byte: u8) -> u16 {
    let class = match byte {
        b'\n' => 0,
        b' ' => 1,
        b'0'..=b'9' => 2,
        b'a'..=b'z' => 3,
        b'A'..=b'Z' => 4,
        b'!'..=b'~' => 5,
        b'\t' => 6,
        0x80.. => 7,
        _ => 8,
    };
    class << 8 | u16::from(byte)
}
