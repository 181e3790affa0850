use super::builder::Builder;
use super::{Format, cff};
use crate::layout::{Means, Piece};
use crate::{Number, Sum};
use std::ops::Range;

/// The format of TrueType fonts: tables with their sums, and glyphs.
///
/// Source: ISO/IEC 14496-22, Open Font Format, 2019.
pub(super) const TRUE_TYPE: Format = Format {
    name: "TrueType",
    fits: |text| {
        [&b"\0\x01\0\0\0"[..], b"OTTO\0", b"true\0"]
            .iter()
            .any(|magic| text.starts_with(magic))
    },
    read: true_type,
};

const SHORT: Number = Number::Big(2);
const WORD: Number = Number::Big(4);

fn bytes(range: Range<usize>) -> Piece {
    Piece::Bytes(range.start as u32..range.end as u32)
}

fn true_type(file: &mut Builder<'_>) -> Option<()> {
    let count = file.peek(4, SHORT)? as usize;
    let list = file.list();
    file.counts(4..6, SHORT, list);
    let mut tables: Vec<(&[u8], Range<usize>)> = vec![];
    for nth in 0..count {
        let at = 12 + 16 * nth;
        let tag = file.bytes(at..at + 4)?;
        let start = usize::try_from(file.peek(at + 8, WORD)?).ok()?;
        let table = start..start.checked_add(usize::try_from(file.peek(at + 12, WORD)?).ok()?)?;
        if file.bytes(table.clone()).is_none() {
            // The table is truncated, but the other tables may be complete.
            file.region(at..at + 16, "entry");
            file.item(list, at..at + 16);
            continue;
        }
        let end = table.end.next_multiple_of(4).min(file.text.len());
        file.item(list, at..at + 16);
        file.points(at + 8..at + 12, WORD, start, 0);
        file.measures(at + 12..at + 16, WORD, table.clone());
        let over = match tag {
            b"head" => vec![
                bytes(start..start + 8),
                Piece::Filler(0, 4),
                bytes(start + 12..end),
            ],
            _ => vec![bytes(table.start..end)],
        };
        file.sums(at + 4..at + 8, WORD, Sum::Words, over);
        if tag == b"head" {
            let over = vec![
                bytes(0..start + 8),
                Piece::Filler(0, 4),
                bytes(start + 12..file.text.len()),
            ];
            file.sums(start + 8..start + 12, WORD, Sum::Adjustment, over);
        }
        file.fills(table.start, table.end..end, 4);
        file.region(at..at + 16, "entry");
        file.region(table.start..end, "table");
        file.region(table.clone(), "content");
        file.group([at..at + 16, table.start..end]);
        tables.push((tag, table));
    }
    let table = |wanted: &[u8]| {
        tables
            .iter()
            .find(|(tag, _)| *tag == wanted)
            .map(|(_, table)| table.clone())
    };
    if let (Some(head), Some(places), Some(glyphs)) =
        (table(b"head"), table(b"loca"), table(b"glyf"))
    {
        let _ = outlines(file, head.start, places, glyphs);
    }
    if let Some(outlines) = table(b"CFF ") {
        let _ = cff::outlines(file, &outlines);
    }
    if let Some(names) = table(b"name") {
        let _ = records(file, names);
    }
    Some(())
}

/// The outlines of glyphs, and the table of their places.
fn outlines(
    file: &mut Builder<'_>,
    head: usize,
    places: Range<usize>,
    glyphs: Range<usize>,
) -> Option<()> {
    let is_wide = file.peek(head + 50, SHORT)? == 1;
    let (width, number, unit) = if is_wide { (4, WORD, 1) } else { (2, SHORT, 2) };
    let mut before = None;
    for at in places.step_by(width) {
        let offset = usize::try_from(file.peek(at, number)?)
            .ok()?
            .checked_mul(unit)?;
        let to = glyphs
            .start
            .checked_add(offset)
            .filter(|&to| to <= glyphs.end)?;
        let means = Means::Offset {
            to: to as u32,
            base: glyphs.start as u32,
            unit: unit as u32,
        };
        file.field(at..at + width, number, means);
        if let Some(before) = before.filter(|&before| before < to) {
            file.region(before..to, "glyph");
        }
        before = Some(to);
    }
    Some(())
}

/// The records of the table of names.
fn records(file: &mut Builder<'_>, table: Range<usize>) -> Option<()> {
    let count = file.peek(table.start + 2, SHORT)? as usize;
    let texts = table.start + file.peek(table.start + 4, SHORT)? as usize;
    let list = file.list();
    file.counts(table.start + 2..table.start + 4, SHORT, list);
    file.points(table.start + 4..table.start + 6, SHORT, texts, table.start);
    for nth in 0..count {
        let at = table.start + 6 + 12 * nth;
        let len = file.peek(at + 8, SHORT)? as usize;
        let start = texts + file.peek(at + 10, SHORT)? as usize;
        if start + len > table.end {
            return None;
        }
        file.item(list, at..at + 12);
        file.region(at..at + 12, "name record");
        file.measures(at + 8..at + 10, SHORT, start..start + len);
        file.points(at + 10..at + 12, SHORT, start, texts);
        file.region(start..start + len, "name");
    }
    Some(())
}
