use super::Format;
use super::counted_values::{Holds, Value, build, walk_by};
use crate::Number;

/// The format CBOR: nested values.
///
/// Source: RFC 8949.
pub(super) const CBOR: Format = Format {
    name: "CBOR",
    fits: |text| {
        matches!(text.first(), Some(0x80..=0xbb | 0xd9)) && walk(text, |_| {}) == Some(text.len())
    },
    read: |file| {
        let text = file.text;
        let mut found = vec![];
        walk(text, |value| {
            if file.keeps::<Value>() {
                found.push(value);
            }
        });
        build(file, found)
    },
};

/// Visits the values from the first to the last. Returns the end, where all are sound.
fn walk(text: &[u8], mut visit: impl FnMut(Value)) -> Option<usize> {
    walk_by(text, read, &mut visit)
}

fn read(text: &[u8], at: usize) -> Option<Value> {
    let notation = Number::Cbor;
    let (number, len) = notation.read(text.get(at..)?)?;
    let size = usize::try_from(number).ok();
    let holds = match text[at] >> 5 {
        2 | 3 => Holds::Text(size?),
        4 => Holds::Values(number, 1),
        5 => Holds::Values(number.checked_mul(2)?, 2),
        6 => Holds::Values(1, 0),
        _ => Holds::Nothing(0),
    };
    Some(Value {
        start: at,
        number: at..at + len,
        notation,
        holds,
    })
}
