//! WOFF fonts as the same fonts without compression.
//!
//! Each table is compressed separately, and numbers in one table follow from other tables. nubbin
//! therefore reduces the font and writes a file from it. This drops metadata and private data.
//!
//! Source: W3C, WOFF File Format 1.0, 2012.

use crate::deflate::{deflate, inflate};
use crate::{Number, Sum};

/// The first bytes of a file.
pub(crate) const MAGIC: &[u8] = b"wOFF";

/// The bytes of the header, and of an entry, of a file and of a font.
const HEAD: (usize, usize) = (44, 12);
const ENTRY: (usize, usize) = (20, 16);

fn number(text: &[u8], at: usize, width: u8) -> Option<usize> {
    let (value, _) = Number::Big(width).read(text.get(at..)?)?;
    usize::try_from(value).ok()
}

/// Returns the number of tables with what follows from it for a search, as they are in a font.
fn counted(count: usize) -> [u8; 8] {
    let steps = count.checked_ilog2().unwrap_or(0);
    let range = 16usize << steps;
    let rest = (16 * count).saturating_sub(range);
    let numbers = [count, range, steps as usize, rest].map(|number| (number as u16).to_be_bytes());
    let mut out = [0; 8];
    for (nth, byte) in numbers.into_iter().flatten().enumerate() {
        out[nth] = byte;
    }
    out
}

/// Returns the font in a file, with at most `most` bytes.
pub(crate) fn decode(text: &[u8], most: usize) -> Option<Vec<u8>> {
    let flavor = text.get(4..8)?;
    let count = number(text, 12, 2)?;
    let mut tables = vec![];
    let mut at = HEAD.1 + ENTRY.1 * count;
    for nth in 0..count {
        let entry = text.get(HEAD.0 + ENTRY.0 * nth..)?.get(..ENTRY.0)?;
        let (start, packed) = (number(entry, 4, 4)?, number(entry, 8, 4)?);
        let len = number(entry, 12, 4)?;
        let data = text.get(start..start.checked_add(packed)?)?;
        let left = most.checked_sub(at)?;
        let table = match packed < len {
            true => inflate(data, true, left)?.0,
            false => data.to_vec(),
        };
        if table.len() != len || len > left {
            return None;
        }
        at += len.next_multiple_of(4);
        tables.push((entry, table, start));
    }
    // The tables in a file are ordered by their data.
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&nth| tables[nth].2);
    let mut places = vec![0; count];
    let mut at = HEAD.1 + ENTRY.1 * count;
    for &nth in &order {
        places[nth] = at;
        at += tables[nth].1.len().next_multiple_of(4);
    }
    let mut out = flavor.to_vec();
    out.extend(counted(count));
    for ((entry, table, _), place) in tables.iter().zip(places) {
        out.extend_from_slice(&entry[..4]);
        out.extend_from_slice(&entry[16..20]);
        out.extend((place as u32).to_be_bytes());
        out.extend((table.len() as u32).to_be_bytes());
    }
    for nth in order {
        out.extend_from_slice(&tables[nth].1);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    Some(out)
}

/// Writes a font as a file. Tables whose range is outside of the font are left out.
pub(crate) fn encode(font: &[u8]) -> Vec<u8> {
    let count = number(font, 4, 2).unwrap_or(0);
    let (mut tables, mut left) = (vec![], font.len());
    for nth in 0..count {
        let at = HEAD.1 + ENTRY.1 * nth;
        let Some(entry) = font.get(at..at + ENTRY.1) else {
            break;
        };
        let place = number(entry, 8, 4).zip(number(entry, 12, 4));
        let table = place.and_then(|(start, len)| font.get(start..start.checked_add(len)?));
        // Tables of a damaged font may overlap. The total size of the copied tables is limited to
        // the size of the font.
        if let Some(table) = table.filter(|table| table.len() <= left) {
            left -= table.len();
            tables.push((entry, table));
        }
    }
    // The data keeps its order, which differs from the order of the entries.
    let place = |nth: &usize| number(tables[*nth].0, 8, 4);
    let mut order: Vec<usize> = (0..tables.len()).collect();
    order.sort_by_key(place);
    // The checksum of the font also covers values that the WOFF file does not store.
    let before = Sum::Words.of(font.get(4..12).unwrap_or_default()) as u32;
    let after = Sum::Words.of(&counted(tables.len())) as u32;
    let start = HEAD.0 + ENTRY.0 * tables.len();
    let mut size = HEAD.1 + ENTRY.1 * tables.len();
    let (mut data, mut entries) = (vec![], vec![[0; ENTRY.0]; tables.len()]);
    for nth in order {
        let (entry, table) = tables[nth];
        let mut table = table.to_vec();
        if entry.starts_with(b"head")
            && let Some(sum) = table.get_mut(8..12)
            && let Some((old, _)) = Number::Big(4).read(sum)
        {
            let new = (old as u32).wrapping_sub(after.wrapping_sub(before));
            sum.copy_from_slice(&new.to_be_bytes());
        }
        let packed = deflate(&table, true);
        let text = if packed.len() < table.len() {
            &packed
        } else {
            &table
        };
        let numbers = [start + data.len(), text.len(), table.len()];
        let own = &mut entries[nth];
        own[..4].copy_from_slice(&entry[..4]);
        for (place, number) in own[4..16].chunks_mut(4).zip(numbers) {
            place.copy_from_slice(&(number as u32).to_be_bytes());
        }
        own[16..].copy_from_slice(&entry[4..8]);
        data.extend_from_slice(text);
        data.resize(data.len().next_multiple_of(4), 0);
        size += table.len().next_multiple_of(4);
    }
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(font.get(..4).unwrap_or_default());
    out.resize(8, 0);
    out.extend(((start + data.len()) as u32).to_be_bytes());
    out.extend((tables.len() as u16).to_be_bytes());
    out.extend([0; 2]);
    out.extend((size as u32).to_be_bytes());
    // The version, and no further data.
    out.extend([0, 1, 0, 0]);
    out.extend([0; 20]);
    out.extend(entries.concat());
    out.extend(data);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn font(tables: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut out = b"\0\x01\0\0".to_vec();
        let steps = tables.len().ilog2() as u16;
        let range = 16u16 << steps;
        for value in [
            tables.len() as u16,
            range,
            steps,
            16 * tables.len() as u16 - range,
        ] {
            out.extend(value.to_be_bytes());
        }
        let mut at = 12 + 16 * tables.len();
        for (tag, table) in tables {
            out.extend_from_slice(*tag);
            out.extend((Sum::Words.of(table) as u32).to_be_bytes());
            out.extend((at as u32).to_be_bytes());
            out.extend((table.len() as u32).to_be_bytes());
            at += table.len().next_multiple_of(4);
        }
        for (_, table) in tables {
            out.extend_from_slice(table);
            out.resize(out.len().next_multiple_of(4), 0);
        }
        out
    }

    #[test]
    fn a_font_is_written_and_read_again() {
        let tables: [(&[u8; 4], &[u8]); 3] = [
            (b"cvt ", &[7; 99]),
            (b"head", b"\0\x01"),
            (b"name", b"some words"),
        ];
        let font = font(&tables);
        let file = encode(&font);
        let packed = deflate(&[7; 99], true).len().next_multiple_of(4);
        assert_eq!(file.len(), 44 + 60 + packed + 4 + 12);
        assert_eq!(file[8..12], (file.len() as u32).to_be_bytes());
        assert_eq!(file[16..20], (font.len() as u32).to_be_bytes());
        assert_eq!(decode(&file, 1_000).unwrap(), font);
        assert_eq!(decode(&file, 100), None);
        assert_eq!(decode(&file[..file.len() - 4], 1_000), None);
    }

    #[test]
    fn tables_that_are_not_there_are_left_out() {
        let tables: [(&[u8; 4], &[u8]); 2] = [(b"head", b"\0\x01"), (b"name", b"some words")];
        let font = font(&tables);
        assert_eq!(
            decode(&encode(&font[..50]), 999).unwrap(),
            font_of_first(&font)
        );
        for len in 0..font.len() {
            encode(&font[..len]);
        }
    }

    /// The same font with its first table only.
    fn font_of_first(font: &[u8]) -> Vec<u8> {
        let mut out = b"\0\x01\0\0\0\x01\0\x10\0\0\0\0".to_vec();
        out.extend_from_slice(&font[12..20]);
        out.extend(28u32.to_be_bytes());
        out.extend(2u32.to_be_bytes());
        out.extend(b"\0\x01\0\0");
        out
    }
}
