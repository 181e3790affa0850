use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::collections::BTreeMap;
use std::ops::Range;

/// The format of binary property lists: objects that refer to each other by their numbers, and a
/// table of their offsets.
///
/// Source: `CFBinaryPList.c` of Core Foundation (Apple).
pub(super) const PLIST: Format = Format {
    name: "property list",
    fits: |text| text.starts_with(b"bplist0") && text.len() >= 40,
    read: |file| {
        let trailer = file.text.len() - 32;
        let [offset, reference @ 1..=8] = file.text[trailer + 6..trailer + 8] else {
            return None;
        };
        let [count, top, table] = [8, 16, 24].map(|at| file.peek(trailer + at, WORD));
        let (count, top) = (usize::try_from(count?).ok()?, top?);
        let table = usize::try_from(table?).ok()?;
        let width = usize::from(offset);
        let entries = table..table.checked_add(count.checked_mul(width)?)?;
        if !(1..=8).contains(&offset) || entries.end > trailer {
            return None;
        }
        let mut lists = Lists {
            objects: file.list(),
            reference: Number::Big(reference),
            places: BTreeMap::new(),
        };
        let objects = lists.objects;
        let entry = |nth: usize| table + nth * width..table + (nth + 1) * width;
        let mut places = vec![];
        for nth in 0..count {
            if !file.keeps::<(Range<usize>, usize)>() {
                return None;
            }
            let at = usize::try_from(file.peek(entry(nth).start, Number::Big(offset))?).ok()?;
            file.at = at;
            if at >= table || object(file, table, &mut lists).is_none() {
                return None;
            }
            // Objects may overlap.
            file.reads(file.at - at)?;
            places.push(at..file.at);
        }
        file.counts(trailer + 8..trailer + 16, WORD, objects);
        file.refers(trailer + 16..trailer + 24, WORD, objects, top);
        file.points(trailer + 24..trailer + 32, WORD, table, 0);
        for (nth, place) in places.into_iter().enumerate() {
            file.points(entry(nth), Number::Big(offset), place.start, 0);
            file.item(objects, entry(nth));
            file.region(place.clone(), "object");
            let mut group = vec![place, entry(nth)];
            // An object with exactly one reference is removed together with this reference.
            if let Some([only]) = lists.places.get(&(nth as u64)).map(|places| &places[..]) {
                group.push(only.clone());
            }
            file.group(group);
        }
        Some(())
    },
};

const WORD: Number = Number::Big(8);

/// The objects, and the references to them.
struct Lists {
    objects: usize,
    /// The notation of a reference.
    reference: Number,
    /// The places that refer to each object.
    places: BTreeMap<u64, Vec<Range<usize>>>,
}

/// Reads an object without the objects to which it refers. Its bytes must be before `end`.
fn object(file: &mut Builder<'_>, end: usize, lists: &mut Lists) -> Option<()> {
    let marker = file.skip(1)?;
    let byte = file.text[marker.start];
    let mut number = (u64::from(byte & 15), marker, Number::Bits(15));
    // A longer count is stored as an object of its own.
    if byte & 15 == 15 && byte >> 4 >= 4 {
        let kind = file.skip(1)?;
        let width = match file.text[kind.start] {
            kind @ 0x10..=0x13 => 1 << (kind & 15),
            _ => return None,
        };
        let (count, place) = file.number(Number::Big(width))?;
        number = (count, place, Number::Big(width));
    }
    let (count, place, notation) = number;
    let count = usize::try_from(count).ok().filter(|&count| count <= end)?;
    match byte >> 4 {
        0 => {}
        1 | 2 => file.pass(1 << (count & 7))?,
        3 => file.pass(8)?,
        8 => file.pass(count + 1)?,
        kind @ 4..=7 => {
            let unit: u32 = if kind == 6 { 2 } else { 1 };
            let data = file.skip(count.checked_mul(unit as usize)?)?;
            let of = data.start as u32..data.end as u32;
            file.field(place, notation, Means::Length { of, unit });
            file.region(data.clone(), "data");
            file.units(data, unit as usize, "unit");
        }
        kind @ (10 | 12 | 13) => {
            let own = file.list();
            file.counts(place, notation, own);
            let keys = references(file, count, lists)?;
            let values = match kind {
                13 => references(file, count, lists)?,
                _ => vec![],
            };
            for (nth, key) in keys.into_iter().enumerate() {
                file.item(own, key.clone());
                file.region(key.clone(), "reference");
                if let Some(value) = values.get(nth) {
                    file.group([key, value.clone()]);
                }
            }
        }
        _ => return None,
    }
    (file.at <= end).then_some(())
}

/// Reads the numbers of other objects.
fn references(
    file: &mut Builder<'_>,
    count: usize,
    lists: &mut Lists,
) -> Option<Vec<Range<usize>>> {
    let mut found = vec![];
    for _ in 0..count {
        let (object, place) = file.number(lists.reference)?;
        if !file.keeps::<[Range<usize>; 2]>() {
            return None;
        }
        file.refers(place.clone(), lists.reference, lists.objects, object);
        let there = lists.places.entry(object).or_default();
        there.push(place.clone());
        found.push(place);
    }
    Some(found)
}
