//! Nested values in formats in which arrays and maps begin with their counts.

use super::builder::Builder;
use crate::Number;

/// A value of a format in which arrays and maps begin with their counts.
pub(super) struct Value {
    pub(super) start: usize,
    /// The number at the start of the value.
    pub(super) number: std::ops::Range<usize>,
    pub(super) notation: Number,
    pub(super) holds: Holds,
}

/// The meaning of the number at the start of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// The number does not describe the bytes after it. The value ends after this many bytes.
    Nothing(usize),
    /// The number is the length of a text.
    Text(usize),
    /// The number states how many values follow, in groups of this size.
    Values(u64, u64),
}

/// Visits values from the first to the last, by a function that reads the start of a value. Returns
/// the end, if all values are sound.
pub(super) fn walk_by(
    text: &[u8],
    read: fn(&[u8], usize) -> Option<Value>,
    visit: &mut dyn FnMut(Value),
) -> Option<usize> {
    // The number of values still to come in each enclosing container.
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
            // Every value takes at least one byte, so the length of the remaining text limits the
            // number of values.
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
    /// The start of an incomplete group of values.
    group: usize,
    seen: u64,
}

/// Adds regions for values, in their order.
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
            // A complete container is a value of its enclosing container.
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
                // A key and its value are one item.
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
