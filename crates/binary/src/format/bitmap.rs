use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// The format BMP: a picture whose height follows from its rows.
///
/// Source: Microsoft, "Bitmap Storage" of the Windows GDI.
pub(super) const BMP: Format = Format {
    name: "BMP",
    fits: |text| text.starts_with(b"BM") && text.get(6..10) == Some(&[0; 4]),
    read: |file| {
        let pixels = usize::try_from(file.peek(10, LONG)?).ok()?;
        file.bytes(0..pixels)?;
        let length = file.peek(2, LONG)?;
        if length == file.text.len() as u64 {
            file.measures(2..6, LONG, 0..file.text.len());
        }
        file.points(10..14, LONG, pixels, 0);
        bitmap(file, 14, Some(pixels), file.text.len(), None)
    },
};

/// The format ICO: pictures with a directory of their positions.
///
/// Source: Microsoft, "Icons", 1995.
pub(super) const ICO: Format = Format {
    name: "icon",
    fits: |text| {
        let is_kind = matches!(text, [0, 0, 1 | 2, 0, count, 0, ..] if *count > 0);
        // The first picture begins after the directory.
        let first = || {
            let count = usize::from(Number::Little(2).read(&text[4..])?.0 as u16);
            let at = Number::Little(4).read(text.get(18..)?)?.0;
            (6 + 16 * count as u64 <= at && at < text.len() as u64).then_some(())
        };
        is_kind && first().is_some()
    },
    read: |file| {
        let count = file.peek(4, SHORT)?;
        let list = file.list();
        file.counts(4..6, SHORT, list);
        for nth in 0..count as usize {
            let entry = 6 + 16 * nth..22 + 16 * nth;
            let length = usize::try_from(file.peek(entry.start + 8, LONG)?).ok()?;
            let at = usize::try_from(file.peek(entry.start + 12, LONG)?).ok()?;
            let data = at..at.checked_add(length)?;
            file.bytes(data.clone())?;
            file.measures(entry.start + 8..entry.start + 12, LONG, data.clone());
            file.points(entry.start + 12..entry.end, LONG, at, 0);
            file.item(list, entry.clone());
            file.region(entry.clone(), "entry");
            file.region(data.clone(), "picture");
            file.group([entry.clone(), data.clone()]);
            if file.bytes(at..at + 4) == Some(b"\x89PNG") {
                file.content(data);
            } else {
                let _ = bitmap(file, at, None, data.end, Some(entry.start + 1));
            }
        }
        Some(())
    },
};

const SHORT: Number = Number::Little(2);
const LONG: Number = Number::Little(4);

/// Reads the header of a bitmap, its colors, and its rows. Of an icon, `entry` is the place of the
/// height in the directory.
fn bitmap(
    file: &mut Builder<'_>,
    at: usize,
    pixels: Option<usize>,
    end: usize,
    entry: Option<usize>,
) -> Option<()> {
    let header = usize::try_from(file.peek(at, LONG)?).ok()?;
    // An older header has narrower numbers.
    let (width, height, depth) = match header {
        12 => (at + 4..at + 6, at + 6..at + 8, at + 10),
        40.. => (at + 4..at + 8, at + 8..at + 12, at + 14),
        _ => return None,
    };
    let number = Number::Little(height.len() as u8);
    let wide = file.peek(width.start, number)?;
    let bits = file.peek(depth, SHORT)?;
    let is_plain = header == 12 || matches!(file.peek(at + 16, LONG)?, 0 | 3);
    let row = usize::try_from(wide.checked_mul(bits)?.div_ceil(32).checked_mul(4)?).ok()?;
    let used = if header == 12 {
        0
    } else {
        file.peek(at + 32, LONG)?
    };
    let colors = at.checked_add(header)?;
    let start = match pixels {
        Some(pixels) => pixels,
        None => {
            let few = if bits <= 8 { 1 << bits } else { 0 };
            let count = if used == 0 { few } else { used };
            colors.checked_add(usize::try_from(count).ok()?.checked_mul(4)?)?
        }
    };
    file.bytes(colors..start)?;
    if used > 0 && 4 * used == (start - colors) as u64 {
        let list = file.list();
        for color in (colors..start).step_by(4) {
            file.item(list, color..color + 4);
            file.region(color..color + 4, "color");
        }
        file.counts(at + 32..at + 36, LONG, list);
    } else {
        file.region(colors..start, "colors");
    }
    // The picture of an icon is followed by a mask with the same number of rows.
    let pictures = if entry.is_some() { 2 } else { 1 };
    let size =
        row.checked_mul(usize::try_from(file.peek(height.start, number)? / pictures).ok()?)?;
    let data = start..start.checked_add(size).filter(|&data| data <= end)?;
    let unit = u32::try_from(row).ok()?;
    file.region(data.clone(), "pixels");
    if is_plain && row > 0 {
        let of = data.start as u32..data.end as u32;
        match entry {
            None => {
                file.field(height, number, Means::Length { of, unit });
                file.units(data.clone(), row, "row");
            }
            Some(entry) => {
                let list = masked_rows(file, data.clone(), row, end);
                file.field(height, number, Means::Count { list, each: 2 });
                file.counts(entry..entry + 1, Number::Little(1), list);
            }
        }
    }
    if header >= 40 {
        let place = at + 20..at + 24;
        let length = file.peek(place.start, LONG)?;
        if length == data.len() as u64 {
            file.measures(place, LONG, data);
        }
    }
    Some(())
}

/// Adds the rows of an icon, and the rows of its mask if there is one. Returns their list.
fn masked_rows(file: &mut Builder<'_>, data: Range<usize>, row: usize, end: usize) -> usize {
    let count = data.len() / row;
    let mask = (end - data.end) / count.max(1);
    let list = file.list();
    for nth in 0..count {
        let start = data.start + nth * row;
        file.region(start..start + row, "row");
        file.item(list, start..start + row);
        if mask > 0 {
            let masked = data.end + nth * mask;
            file.group([start..start + row, masked..masked + mask]);
        }
    }
    list
}
