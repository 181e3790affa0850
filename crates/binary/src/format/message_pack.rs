use super::Format;
use super::counted_values::{Holds, Value, build, walk_by};
use crate::Number;

/// The format MessagePack: nested values.
///
/// Source: the specification of MessagePack (Furuhashi), 2017.
pub(super) const MESSAGE_PACK: Format = Format {
    name: "MessagePack",
    fits: |text| {
        let is_container = matches!(text.first(), Some(0x81..=0x8f | 0x91..=0x9f | 0xdc..=0xdf));
        is_container && walk_by(text, read, &mut |_| {}) == Some(text.len())
    },
    read: |file| {
        let text = file.text;
        let mut found = vec![];
        walk_by(text, read, &mut |value| {
            if file.keeps::<Value>() {
                found.push(value);
            }
        });
        build(file, found)
    },
};

fn read(text: &[u8], at: usize) -> Option<Value> {
    let first = *text.get(at)?;
    let wide = |log: u8| Number::Big(1 << log);
    let behind = |notation: Number| {
        let (number, len) = notation.read(text.get(at + 1..)?)?;
        Some((at + 1..at + 1 + len, number, notation))
    };
    let low = |mask: u8| Some((at..at + 1, u64::from(first & mask), Number::Bits(mask)));
    let nothing = |len: usize| {
        Some(Value {
            start: at,
            number: at..at + 1,
            notation: Number::Big(1),
            holds: Holds::Nothing(len),
        })
    };
    let ((number, value, notation), kind) = match first {
        0x80..=0x8f => (low(15)?, 5),
        0x90..=0x9f => (low(15)?, 4),
        0xa0..=0xbf => (low(31)?, 3),
        0xc4..=0xc6 => (behind(wide(first - 0xc4))?, 3),
        0xc7..=0xc9 => (behind(wide(first - 0xc7))?, 7),
        0xca | 0xce | 0xd2 => return nothing(4),
        0xcb | 0xcf | 0xd3 => return nothing(8),
        0xcc | 0xd0 => return nothing(1),
        0xcd | 0xd1 => return nothing(2),
        0xd4..=0xd8 => return nothing(1 + (1 << (first - 0xd4))),
        0xd9..=0xdb => (behind(wide(first - 0xd9))?, 3),
        0xdc | 0xdd => (behind(wide(first - 0xdc + 1))?, 4),
        0xde | 0xdf => (behind(wide(first - 0xde + 1))?, 5),
        _ => return nothing(0),
    };
    let holds = match kind {
        4 => Holds::Values(value, 1),
        5 => Holds::Values(value.checked_mul(2)?, 2),
        7 => Holds::Nothing(usize::try_from(value).ok()?.checked_add(1)?),
        _ => Holds::Text(usize::try_from(value).ok()?),
    };
    Some(Value {
        start: at,
        number,
        notation,
        holds,
    })
}
