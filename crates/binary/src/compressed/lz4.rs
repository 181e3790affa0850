//! Frames of LZ4.
//!
//! Source: Collet, "LZ4 Frame Format Description", 1.6.4, 2024.

use super::Reader;
use crate::Number;
use lz4_flex::block::{compress, decompress_into_with_dict};
use xxhash_rust::xxh32::xxh32;

pub(crate) const MAGIC: &[u8] = b"\x04\x22\x4d\x18";

/// The maximum distance from a block to the bytes that it refers to.
const WINDOW: usize = 64 << 10;

/// Returns the maximum number of bytes of a block, by its code in the header.
fn block_size(number: u8) -> Option<usize> {
    (4..=7)
        .contains(&number)
        .then(|| 1 << (8 + 2 * u32::from(number)))
}

/// The maximum number of bytes that a byte of a block decodes to.
const RATIO: usize = 255;

/// Marks the length of a block that is stored.
const STORED: u32 = 1 << 31;

/// Decodes the frame at the beginning of some bytes. See `Codec::decompress`. Checksums are not
/// verified.
pub(crate) fn decode(bytes: &[u8], most: usize, content: &mut Vec<u8>) -> Option<usize> {
    let mut reader = Reader::new(bytes);
    reader.expect(MAGIC)?;
    let (flags, sizes) = (reader.byte()?, reader.byte()?);
    let has = |bit: u8| flags & bit != 0;
    // A frame of another version, or one with a dictionary, which the frame does not contain, is
    // not decoded.
    if flags >> 6 != 1 || has(1) {
        return None;
    }
    let (is_independent, has_block_sums, has_length, has_sum) =
        (has(0x20), has(0x10), has(8), has(4));
    let largest = block_size(sizes >> 4 & 7)?;
    reader.take(if has_length { 9 } else { 1 })?;
    loop {
        let size = u32::try_from(reader.number(Number::Little(4))?).ok()?;
        if size == 0 {
            break;
        }
        let block = reader.take((size & !STORED) as usize)?;
        if size & STORED == 0 {
            let start = content.len();
            let longest = largest
                .min(most.checked_sub(start)?)
                .min(RATIO * block.len());
            content.resize(start + longest, 0);
            let (before, out) = content.split_at_mut(start);
            let from = if is_independent {
                start
            } else {
                start.saturating_sub(WINDOW)
            };
            let len = decompress_into_with_dict(block, out, &before[from..]).ok()?;
            content.truncate(start + len);
        } else {
            most.checked_sub(content.len() + block.len())?;
            content.extend_from_slice(block);
        }
        reader.take(if has_block_sums { 4 } else { 0 })?;
    }
    reader.take(if has_sum { 4 } else { 0 })?;
    Some(reader.at)
}

/// Encodes bytes as the smallest frame. The frame has no checksums except the checksum of its
/// header, and blocks that compression would not shrink are stored.
pub(crate) fn encode(content: &[u8]) -> Vec<u8> {
    let number =
        (4..7).find(|&number| block_size(number).is_some_and(|size| content.len() <= size));
    let number = number.unwrap_or(7);
    let head = [0x60, number << 4];
    let mut frame = [MAGIC, &head, &[(xxh32(&head, 0) >> 8) as u8]].concat();
    for block in content.chunks(block_size(number).unwrap_or(WINDOW)) {
        let packed = compress(block);
        let is_smaller = packed.len() < block.len();
        let (size, bytes) = match is_smaller {
            true => (packed.len() as u32, &packed[..]),
            false => (block.len() as u32 | STORED, block),
        };
        frame.extend_from_slice(&size.to_le_bytes());
        frame.extend_from_slice(bytes);
    }
    frame.extend_from_slice(&[0; 4]);
    frame
}
