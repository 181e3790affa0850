use super::Format;
use super::builder::Builder;
use super::cbor::{Holds, Value};
use crate::Number;

/// Values within values.
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

/// Visits values from the first to the last, by a function that reads the beginning of one. Returns
/// the end, where all are sound.
pub(super) fn walk_by(
    text: &[u8],
    read: fn(&[u8], usize) -> Option<Value>,
    visit: &mut dyn FnMut(Value),
) -> Option<usize> {
    // The values still to come in each container around.
    let mut left: Vec<u64> = vec![1];
    let mut at = 0;
    while let Some(last) = left.last_mut() {
        if *last == 0 {
            left.pop();
            continue;
        }
        *last -= 1;
        let value = read(text, at)?;
        at = value.number.end;
        match value.holds {
            Holds::Nothing(len) | Holds::Text(len) => {
                at = at.checked_add(len).filter(|&end| end <= text.len())?;
            }
            // Every value takes a byte, so the rest of the text bounds their number.
            Holds::Values(count, _) if count > (text.len() - at) as u64 => return None,
            Holds::Values(count, _) => left.push(count),
        }
        visit(value);
    }
    Some(at)
}

/// A container whose values are being read.
struct Open {
    start: usize,
    left: u64,
    each: u64,
    list: usize,
    /// The start of a group of values that is not complete.
    group: usize,
    seen: u64,
}

/// Makes regions of values in their order.
pub(super) fn build(file: &mut Builder<'_>, found: Vec<Value>) -> Option<()> {
    let mut open: Vec<Open> = vec![];
    for value in found {
        let mut end = value.number.end;
        match value.holds {
            Holds::Nothing(len) => end += len,
            Holds::Text(len) => {
                file.measures(value.number.clone(), value.notation, end..end + len);
                file.region(end..end + len, "text");
                end += len;
            }
            Holds::Values(left, each) => {
                let list = file.list();
                if each > 0 {
                    file.counts(value.number.clone(), value.notation, list);
                }
                open.push(Open {
                    start: value.start,
                    left,
                    each,
                    list,
                    group: end,
                    seen: 0,
                });
                if left > 0 {
                    continue;
                }
            }
        }
        let mut start = value.start;
        loop {
            // A container that is complete is a value of the one around it.
            if open.last().is_some_and(|last| last.left == 0) {
                start = open.pop()?.start;
            }
            let Some(last) = open.last_mut() else {
                file.region(start..end, "value");
                return Some(());
            };
            last.left -= 1;
            last.seen += 1;
            if last.each > 1 {
                // A key belongs to its value.
                if last.seen % last.each == 0 {
                    let whole = last.group..end;
                    last.group = end;
                    let list = last.list;
                    file.item(list, whole.clone());
                    file.region(whole, "pair");
                    file.region(start..end, "value");
                }
            } else if last.each == 1 {
                let list = last.list;
                file.item(list, start..end);
                file.region(start..end, "value");
            }
            if open.last().is_some_and(|last| last.left > 0) {
                break;
            }
        }
    }
    Some(())
}

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
