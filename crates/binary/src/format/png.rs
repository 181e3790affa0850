use super::Format;
use super::builder::Builder;
use crate::layout::{Means, Piece};
use crate::{Number, Sum};

/// Chunks with their sums. Image data in a single chunk is decoded, and then the height follows
/// from the number of its rows.
///
/// Source: PNG specification, third edition, W3C 2023.
pub(super) const PNG: Format = Format {
    name: "PNG",
    fits: |text| text.starts_with(b"\x89PNG\r\n\x1a\n"),
    read: png,
};

fn png(file: &mut Builder<'_>) -> Option<()> {
    let word = Number::Big(4);
    file.at = 8;
    let mut header = None;
    let mut images = vec![];
    while file.at + 12 <= file.text.len() {
        let start = file.at;
        let (length, place) = file.number(word)?;
        let tag = file.bytes(start + 4..start + 8)?;
        let data = start + 8..(start + 8).checked_add(usize::try_from(length).ok()?)?;
        file.bytes(data.start..data.end + 4)?;
        file.measures(place, word, data.clone());
        let summed = start as u32 + 4..data.end as u32;
        file.sums(
            data.end..data.end + 4,
            word,
            Sum::Crc32,
            vec![Piece::Bytes(summed)],
        );
        file.region(start..data.end + 4, "chunk");
        file.region(data.clone(), "data");
        match tag {
            b"IHDR" => header = Some(data.start),
            b"IDAT" => images.push(data.clone()),
            b"zTXt" | b"iCCP" => {
                let key = file.text[data.clone()].iter().position(|&byte| byte == 0);
                if let Some(key) = key {
                    file.inflate((data.start + key + 2).min(data.end)..data.end, true);
                }
            }
            _ => {}
        }
        file.at = data.end + 4;
    }
    file.region(file.at..file.text.len(), "rest");
    if let [image] = &images[..]
        && let Some((inner, _)) = file.inflate(image.clone(), true)
        && let Some(at) = header
    {
        let row = row_bytes(file, at)?;
        file.rows(inner, row as usize);
        let means = Means::DecodedLength { inner, unit: row };
        file.field(at + 4..at + 8, word, means);
    }
    Some(())
}

/// The bytes of a row of an image that is not interlaced, with the byte of its filter.
fn row_bytes(file: &Builder<'_>, header: usize) -> Option<u32> {
    let width = file.peek(header, Number::Big(4))?;
    let depth = u64::from(*file.text.get(header + 8)?);
    let channels = match file.text.get(header + 9)? {
        2 => 3,
        4 => 2,
        6 => 4,
        _ => 1,
    };
    let is_plain = file.text.get(header + 12) == Some(&0);
    let bytes = width.checked_mul(depth * channels)?.div_ceil(8) + 1;
    u32::try_from(bytes).ok().filter(|_| is_plain)
}
