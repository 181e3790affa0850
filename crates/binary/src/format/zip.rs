use super::Format;
use super::builder::Builder;
use crate::layout::{Means, Piece};
use crate::{Number, Sum};

/// The format ZIP: entries with their names in the central directory. Deflated entries are decoded.
///
/// Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", 6.3.10, 2022.
pub(super) const ZIP: Format = Format {
    name: "ZIP",
    fits: |text| text.starts_with(b"PK\x03\x04") || text.starts_with(b"PK\x05\x06"),
    read: zip,
};

const SHORT: Number = Number::Little(2);
const WORD: Number = Number::Little(4);

fn zip(file: &mut Builder<'_>) -> Option<()> {
    let tail = file.text.len().saturating_sub(22 + 65_535);
    let found = file.text[tail..]
        .windows(4)
        .rposition(|four| four == b"PK\x05\x06");
    let end = tail + found?;
    let size = file.peek(end + 12, WORD)? as usize;
    // An archive may have other data before it, which its offsets do not count.
    let directory = end.checked_sub(size)?;
    let base = directory.checked_sub(file.peek(end + 16, WORD)? as usize)?;
    let list = file.list();
    file.counts(end + 8..end + 10, SHORT, list);
    file.counts(end + 10..end + 12, SHORT, list);
    file.measures(end + 12..end + 16, WORD, directory..end);
    file.points(end + 16..end + 20, WORD, directory, base);
    file.at = end + 20;
    let comment = file.length(SHORT)?;
    file.region(comment, "comment");
    file.at = directory;
    while file.bytes(file.at..file.at + 4)? == b"PK\x01\x02" {
        let start = file.at;
        let local = base.checked_add(file.peek(start + 42, WORD)? as usize)?;
        let lengths = [28, 30, 32].map(|at| file.peek(start + at, SHORT).map(|len| len as usize));
        let mut at = start + 46;
        for (field, len) in [28, 30, 32].into_iter().zip(lengths) {
            file.measures(start + field..start + field + 2, SHORT, at..at + len?);
            file.region(at..at + len?, "name");
            at += len?;
        }
        file.region(start..at, "entry");
        file.item(list, start..at);
        file.points(start + 42..start + 46, WORD, local, base);
        if let Some(whole) = entry(file, start, local) {
            file.group([start..at, whole]);
        }
        file.at = at;
    }
    Some(())
}

/// Reads a file in the archive. Returns its place.
fn entry(file: &mut Builder<'_>, central: usize, local: usize) -> Option<std::ops::Range<usize>> {
    if file.bytes(local..local + 4)? != b"PK\x03\x04" {
        return None;
    }
    let mut at = local + 30;
    for field in [26, 28] {
        let len = file.peek(local + field, SHORT)? as usize;
        file.measures(local + field..local + field + 2, SHORT, at..at + len);
        file.region(at..at + len, "name");
        at += len;
    }
    // Most programs read only the name in the directory, so the other name may be missing.
    let places = [(central, 28, 46), (local, 26, 30)];
    let mut names = places.into_iter().filter_map(|(start, field, name)| {
        let len = file.peek(start + field, SHORT)? as usize;
        Some(start + name..start + name + len)
    });
    let name = names.find(|name| !name.is_empty()).unwrap_or(at..at);
    let data = at..at.checked_add(file.peek(central + 20, WORD)? as usize)?;
    file.bytes(data.clone())?;
    let flags = file.peek(local + 6, SHORT)?;
    let method = file.peek(local + 8, SHORT)?;
    let inner = match method {
        8 => file
            .inflate(data.clone(), false)
            .filter(|(_, range)| range.end == data.end),
        _ => None,
    };
    let summed = match inner {
        Some((inner, _)) => {
            file.names(inner, name.clone());
            Piece::Decoded(inner)
        }
        None => Piece::Bytes(data.start as u32..data.end as u32),
    };
    let mut fields = vec![(central + 16, 4)];
    let mut end = data.end;
    if flags & 8 == 0 {
        fields.push((local + 14, 4));
    } else {
        let tagged = file.bytes(end..end + 4) == Some(b"PK\x07\x08");
        let at = end + 4 * usize::from(tagged);
        let width = lengths_behind(file, at, central);
        end = at + 4 + 2 * width;
        file.bytes(at..end)?;
        fields.push((at, width));
    }
    for (at, width) in fields {
        file.sums(at..at + 4, WORD, Sum::Crc32, vec![summed.clone()]);
        let number = Number::Little(width as u8);
        let packed = at + 4..at + 4 + width;
        let unpacked = packed.end..packed.end + width;
        file.measures(packed, number, data.clone());
        match inner {
            Some((inner, _)) => {
                let means = Means::DecodedLength { inner, unit: 1 };
                file.field(unpacked, number, means);
            }
            None if method == 0 => file.measures(unpacked, number, data.clone()),
            None => {}
        }
    }
    file.region(local..end, "file");
    file.region(data.clone(), "data");
    if method == 0 {
        file.file(data, name);
    }
    Some(local..end)
}

/// Returns the width of the lengths that come after the data of a file and its sum: the width for
/// which these lengths equal the lengths in the directory. It is 8 in files that are written with
/// ZIP64.
fn lengths_behind(file: &Builder<'_>, sum: usize, central: usize) -> usize {
    let fits = |width: &usize| {
        let places = [(sum + 4, central + 20), (sum + 4 + width, central + 24)];
        places.into_iter().all(|(there, right)| {
            let value = file.peek(there, Number::Little(*width as u8));
            value.is_some() && value == file.peek(right, WORD)
        })
    };
    [4, 8].into_iter().find(fits).unwrap_or(4)
}
