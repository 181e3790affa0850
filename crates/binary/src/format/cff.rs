use super::builder::Builder;
use crate::Number;
use std::ops::Range;

const BYTE: Number = Number::Big(1);
const SHORT: Number = Number::Big(2);

/// The maximum number of dictionaries of a font.
const MAX_DICTIONARIES: usize = 256;

/// Reads the outlines of a font in Compact Font Format: its names, texts, and subroutines, and the
/// tables to which its dictionary points.
///
/// Source: Adobe, Technical Note 5176, The Compact Font Format Specification, 2003.
pub(super) fn outlines(file: &mut Builder<'_>, table: &Range<usize>) -> Option<()> {
    let head = usize::try_from(file.peek(table.start + 2, BYTE)?).ok()?;
    let names = index(file, table, table.start + head)?;
    let tops = index(file, table, names.end)?;
    let texts = index(file, table, tops.end)?;
    index(file, table, texts.end)?;
    for top in tops.items {
        let found = dictionary(file, table, top)?;
        if let Some(at) = found.outlines {
            index(file, table, at)?;
        }
        if let Some(at) = found.fonts {
            let fonts = index(file, table, at)?;
            for font in fonts.items.into_iter().take(MAX_DICTIONARIES) {
                dictionary(file, table, font)?;
            }
        }
    }
    Some(())
}

struct Index {
    items: Vec<Range<usize>>,
    end: usize,
}

/// Reads items after their offsets, the first of which is 1. An item can become empty, but is
/// not removed, since ranges of names and calls of subroutines refer to it by number.
fn index(file: &mut Builder<'_>, table: &Range<usize>, at: usize) -> Option<Index> {
    let count = usize::try_from(file.peek(at, SHORT)?).ok()?;
    let mut items = vec![];
    if count == 0 {
        return Some(Index { items, end: at + 2 });
    }
    let width = file
        .peek(at + 2, BYTE)
        .filter(|width| (1..=4).contains(width))?;
    let (number, width) = (Number::Big(width as u8), width as usize);
    let entry = |nth: usize| at + 3 + nth * width..at + 3 + (nth + 1) * width;
    let base = entry(count).end;
    let mut before = base;
    for nth in 0..=count {
        let offset = usize::try_from(file.peek(entry(nth).start, number)?).ok()?;
        let to = base.checked_add(offset)?.checked_sub(1)?;
        if to < before || to > table.end || !file.keeps::<Range<usize>>() {
            return None;
        }
        file.points(entry(nth), number, to, base);
        if nth > 0 {
            file.region(before..to, "item");
            items.push(before..to);
        }
        before = to;
    }
    Some(Index { items, end: before })
}

/// The positions to which a dictionary points.
#[derive(Default)]
struct Found {
    outlines: Option<usize>,
    fonts: Option<usize>,
}

/// A place, and the number there, where it is an integer that is not negative.
type Operand = (Range<usize>, Option<u64>);

/// An operator with the last two operands before it, last operand first.
type Entry = (u64, [Option<Operand>; 2]);

/// Reads the entries of a dictionary.
fn entries(file: &mut Builder<'_>, span: Range<usize>) -> Option<Vec<Entry>> {
    let mut found = vec![];
    let mut operands: [Option<Operand>; 2] = [None, None];
    let (mut at, mut start) = (span.start, span.start);
    while at < span.end {
        let first = *file.bytes(at..at + 1)?.first()?;
        let len = match first {
            12 => 2,
            28 => 3,
            29 => 5,
            // A number is a sequence of four-bit digits. A byte with all bits set ends it.
            30 => {
                let rest = file.bytes(at + 1..span.end)?;
                let is_last = |byte: &u8| byte & 15 == 15 || byte >> 4 == 15;
                2 + rest.iter().position(is_last)?
            }
            247..=254 => 2,
            _ => 1,
        };
        if first <= 21 {
            let more = if first == 12 {
                file.peek(at + 1, BYTE)?
            } else {
                0
            };
            file.region(start..at + len, "entry");
            if !file.keeps::<Entry>() {
                return None;
            }
            found.push((u64::from(first) << 8 | more, std::mem::take(&mut operands)));
            start = at + len;
        } else {
            operands.swap(0, 1);
            operands[0] = Some((at..at + len, file.peek(at, Number::Operand)));
        }
        at += len;
    }
    Some(found)
}

/// Adds the field of an operand that is the distance to a position. Returns that.
fn position(
    file: &mut Builder<'_>,
    table: &Range<usize>,
    base: usize,
    operand: Option<Operand>,
) -> Option<usize> {
    let (place, value) = operand?;
    let to = base.checked_add(usize::try_from(value?).ok()?)?;
    // Numbers below 4 stand for predefined tables, which are not in the file.
    if to > table.end || value? < 4 {
        return None;
    }
    file.points(place, Number::Operand, to, base);
    Some(to)
}

fn dictionary(file: &mut Builder<'_>, table: &Range<usize>, span: Range<usize>) -> Option<Found> {
    let mut found = Found::default();
    for (operator, [last, before]) in entries(file, span)? {
        match operator {
            // These operators point to the names of glyphs, their codes, and their dictionaries.
            0x0f00 | 0x1000 | 0x0c25 => {
                position(file, table, table.start, last);
            }
            0x1100 => found.outlines = position(file, table, table.start, last),
            0x0c24 => found.fonts = position(file, table, table.start, last),
            0x1200 => {
                let start = position(file, table, table.start, last);
                if let (Some(start), Some((place, Some(len)))) = (start, before) {
                    let own = start..start.checked_add(usize::try_from(len).ok()?)?;
                    file.bytes(own.clone())?;
                    file.measures(place, Number::Operand, own.clone());
                    private(file, table, own)?;
                }
            }
            _ => {}
        }
    }
    Some(found)
}

/// Reads the dictionary for a single font, with its subroutines.
fn private(file: &mut Builder<'_>, table: &Range<usize>, span: Range<usize>) -> Option<()> {
    for (operator, [last, _]) in entries(file, span.clone())? {
        if operator == 0x1300
            && let Some(at) = position(file, table, span.start, last)
        {
            index(file, table, at)?;
        }
    }
    Some(())
}
