use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::collections::BTreeSet;
use std::ops::Range;

/// The format TIFF: directories of entries, their values, and the strips or tiles of pictures. Some
/// raw files of cameras, and EXIF data by itself, have this format.
///
/// Source: TIFF 6.0 (Aldus), 1992; Exif 2.3 (CIPA), 2010.
pub(super) const TIFF: Format = Format {
    name: "TIFF",
    fits: |text| text.starts_with(b"II*\0") || text.starts_with(b"MM\0*"),
    read: |file| {
        let is_little = file.text[0] == b'I';
        let number = |width| match is_little {
            true => Number::Little(width),
            false => Number::Big(width),
        };
        file.pass(4)?;
        let mut seen = BTreeSet::new();
        let mut places = vec![(pointer(file, number(4))?, 0)];
        while let Some((at, depth)) = places.pop() {
            if at == 0 || depth > DEPTH || !seen.insert(at) || !file.keeps::<[usize; 4]>() {
                continue;
            }
            file.at = at;
            let found = directory(file, number);
            places.extend(found.iter().map(|&place| (place, depth + 1)));
        }
        Some(())
    },
};

/// The maximum number of directories in a chain.
const DEPTH: usize = 64;

/// Entries with the places of other directories.
const DIRECTORIES: [u64; 4] = [330, 34_665, 34_853, 40_965];

/// Entries with the places of the parts of a picture, and those with their lengths.
const PARTS: [(u64, u64); 2] = [(273, 279), (324, 325)];

const LENGTH: u64 = 257;
const ROWS: u64 = 278;

/// Reads a position that is counted from the beginning of the file.
fn pointer(file: &mut Builder<'_>, number: Number) -> Option<usize> {
    let (value, place) = file.number(number)?;
    let to = usize::try_from(value).ok()?;
    if to > 0 {
        file.points(place, number, to, 0);
    }
    Some(to)
}

struct Entry {
    tag: u64,
    /// The number of bytes of an item of the value.
    unit: usize,
    value: Range<usize>,
}

impl Entry {
    /// The places of the items.
    fn items(&self) -> impl Iterator<Item = Range<usize>> {
        let (unit, start) = (self.unit, self.value.start);
        (0..self.value.len() / unit.max(1))
            .map(move |nth| start + nth * unit..start + (nth + 1) * unit)
    }
}

/// Reads a directory. Returns the places of others.
fn directory(file: &mut Builder<'_>, number: impl Fn(u8) -> Number) -> Vec<usize> {
    let mut others = vec![];
    let _ = entries(file, &number, &mut others);
    others
}

fn entries(
    file: &mut Builder<'_>,
    number: &impl Fn(u8) -> Number,
    others: &mut Vec<usize>,
) -> Option<()> {
    let (count, place) = file.number(number(2))?;
    let list = file.list();
    file.counts(place, number(2), list);
    let mut found: Vec<Entry> = vec![];
    for _ in 0..count {
        let whole = file.at..file.at + 12;
        let (tag, _) = file.number(number(2))?;
        let (kind, _) = file.number(number(2))?;
        let (items, place) = file.number(number(4))?;
        let unit = match kind {
            1 | 2 | 6 | 7 => 1,
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 => 8,
            _ => 0,
        };
        let len = usize::try_from(items).ok()?.checked_mul(unit)?;
        let mut value = file.at..file.at + len.min(4);
        let own = number(4);
        if DIRECTORIES.contains(&tag) && len == 4 {
            others.push(pointer(file, own)?);
        } else if len > 4 {
            let to = pointer(file, own)?;
            value = to..to.checked_add(len).filter(|&end| end <= file.text.len())?;
            let (unit, of) = (unit as u32, to as u32..value.end as u32);
            file.field(place, own, Means::Length { of, unit });
            file.region(value.clone(), "value");
            file.group([whole.clone(), value.clone()]);
        } else {
            file.pass(4)?;
        }
        file.region(whole.clone(), "entry");
        file.item(list, whole.clone());
        let entry = Entry { tag, unit, value };
        if file.keeps::<Entry>() {
            found.push(entry);
        }
    }
    others.push(pointer(file, number(4))?);
    let entry = |tag| found.iter().find(|entry| entry.tag == tag);
    for (offsets, lengths) in PARTS {
        if let (Some(offsets), Some(lengths)) = (entry(offsets), entry(lengths)) {
            parts(
                file,
                number,
                [offsets, lengths],
                [entry(LENGTH), entry(ROWS)],
            );
        }
    }
    Some(())
}

/// Adds the parts of a picture. The length of the picture follows from the number of strips.
fn parts(
    file: &mut Builder<'_>,
    number: &impl Fn(u8) -> Number,
    [offsets, lengths]: [&Entry; 2],
    [length, rows]: [Option<&Entry>; 2],
) -> Option<()> {
    let list = file.list();
    for (place, size) in offsets.items().zip(lengths.items()) {
        let notations = [number(place.len() as u8), number(size.len() as u8)];
        let to = usize::try_from(file.peek(place.start, notations[0])?).ok()?;
        let len = usize::try_from(file.peek(size.start, notations[1])?).ok()?;
        let data = to..to.checked_add(len).filter(|&end| end <= file.text.len())?;
        file.points(place.clone(), notations[0], to, 0);
        file.measures(size.clone(), notations[1], data.clone());
        file.region(data.clone(), "strip");
        file.item(list, place.clone());
        if offsets.items().count() > 1 {
            file.region(place.clone(), "offset");
            file.region(size.clone(), "length");
            file.group([place, size, data]);
        }
    }
    let (length, rows) = (length?, rows?);
    let each = file.peek(rows.value.start, number(rows.unit as u8))?;
    let means = Means::Count {
        list,
        each: u32::try_from(each).ok()?,
    };
    file.field(
        length.value.start..length.value.start + length.unit,
        number(length.unit as u8),
        means,
    );
    Some(())
}
