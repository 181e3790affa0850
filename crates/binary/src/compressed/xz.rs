//! Streams of xz with LZMA2 and no other filter.
//!
//! Source: Collin and others, "The .xz File Format", 1.2.1, 2024.

use super::Reader;
use crate::Number;
use lzma_rust2::{Lzma2Options, Lzma2Reader, Lzma2Writer, LzmaOptions};
use std::io::{Read, Write};

pub(crate) const MAGIC: &[u8] = b"\xfd7zXZ\0";

/// The number of the filter.
const LZMA2: u8 = 0x21;

/// The number of the checksum that every decoder knows, which is a CRC-32.
const CRC32: u8 = 1;

/// The window that is tried first.
const FIRST_WINDOW: u32 = 64 << 10;

/// The maximum number of blocks of a stream that is decoded. Each needs a decoder.
const MOST_BLOCKS: u64 = 256;

/// The smallest window. Windows are powers of two here.
const SMALLEST: u32 = 4 << 10;

/// The maximum window of an encoder. Decoders get the same amount of memory.
const LARGEST: u32 = 16 << 20;

/// Decodes the stream at the beginning of some bytes. See `Codec::decompress`. Checksums are not
/// verified.
pub(crate) fn decode(bytes: &[u8], most: usize, content: &mut Vec<u8>) -> Option<usize> {
    let mut reader = Reader::new(bytes);
    reader.expect(MAGIC)?;
    reader.expect(&[0])?;
    let check = reader.byte()?;
    reader.take(4)?;
    let mut count = 0;
    loop {
        let start = reader.at;
        let size = reader.byte()?;
        if size == 0 {
            break;
        }
        count += 1;
        if count > MOST_BLOCKS {
            return None;
        }
        let window = window(reader.take(4 * usize::from(size) + 3)?)?;
        reader.at += block(&bytes[reader.at..], window, most, content)?;
        let padding = (reader.at - start).wrapping_neg() % 4;
        reader.take(padding + check_size(check))?;
    }
    let start = reader.at - 1;
    if reader.number(Number::Leb)? != count {
        return None;
    }
    for _ in 0..2 * count {
        reader.number(Number::Leb)?;
    }
    let padding = (reader.at - start).wrapping_neg() % 4;
    reader.take(padding + 4 + 10)?;
    reader.expect(b"YZ")?;
    Some(reader.at)
}

/// Decodes the data of a block, and returns its length. At most so many bytes are decoded in all.
///
/// The memory of the window is what a decoder costs for little content, and many streams say that
/// they need megabytes. So it is as small as the content allows.
fn block(packed: &[u8], declared: u32, most: usize, content: &mut Vec<u8>) -> Option<usize> {
    let start = content.len();
    let left = most.checked_sub(start)?;
    // The content refers back at most to its own start, so a larger window has no use.
    let declared = declared.min(u32::try_from(most).unwrap_or(u32::MAX).max(FIRST_WINDOW));
    let mut window = declared.min(FIRST_WINDOW);
    loop {
        let mut lzma = Lzma2Reader::new(packed, window, None);
        let read = lzma.by_ref().take(left as u64).read_to_end(content);
        // The end of the data is read as well.
        let is_whole = read.is_ok() && lzma.read(&mut [0]).is_ok_and(|more| more == 0);
        if is_whole {
            return Some(packed.len() - lzma.inner().len());
        }
        // Content that did not fill this window cannot need a larger one.
        let is_filled = content.len() - start >= window as usize;
        if read.is_ok() || !is_filled || window == declared {
            return None;
        }
        content.truncate(start);
        window = declared.min(window.saturating_mul(16));
    }
}

/// Returns the bytes of a checksum by its number.
fn check_size(check: u8) -> usize {
    match check & 15 {
        0 => 0,
        check => 4 << ((check - 1) / 3),
    }
}

/// Reads the header of a block without its first byte. Returns the size of the window.
fn window(header: &[u8]) -> Option<u32> {
    let mut reader = Reader::new(header);
    let flags = reader.byte()?;
    if flags & 0x3f != 0 {
        return None;
    }
    for bit in [0x40, 0x80] {
        if flags & bit != 0 {
            reader.number(Number::Leb)?;
        }
    }
    reader.expect(&[LZMA2, 1])?;
    let bits = u32::from(reader.byte()?);
    match bits {
        0..40 => Some((2 | bits & 1) << (bits / 2 + 11)),
        40 => Some(u32::MAX),
        _ => None,
    }
}

/// Encodes bytes as a stream with one block, or with no block if there are no bytes.
pub(crate) fn encode(content: &[u8]) -> Vec<u8> {
    let with_sum = |bytes: Vec<u8>| {
        let sum = crc32fast::hash(&bytes);
        [bytes, sum.to_le_bytes().to_vec()].concat()
    };
    let flags = vec![0, CRC32];
    let mut stream = [MAGIC.to_vec(), with_sum(flags.clone())].concat();
    let mut index = vec![0, u8::from(!content.is_empty())];
    if !content.is_empty() {
        let len = u32::try_from(content.len()).unwrap_or(LARGEST);
        let window = len.clamp(SMALLEST, LARGEST).next_power_of_two();
        let bits = 2 * (window.ilog2() - SMALLEST.ilog2()) as u8;
        let header = with_sum(vec![2, 0, LZMA2, 1, bits, 0, 0, 0]);
        let packed = pack(content, window);
        let sum = crc32fast::hash(content);
        for len in [header.len() + packed.len() + 4, content.len()] {
            index.extend(Number::Leb.write(len as u64, &[]).unwrap_or_default());
        }
        stream.extend([header, packed].concat());
        stream.resize(stream.len().next_multiple_of(4), 0);
        stream.extend_from_slice(&sum.to_le_bytes());
    }
    index.resize(index.len().next_multiple_of(4), 0);
    // The footer stores the size of the index without its checksum, in units of four bytes, minus
    // one.
    let size = (index.len() / 4) as u32;
    let foot = [size.to_le_bytes().to_vec(), flags].concat();
    stream.extend(with_sum(index));
    stream.extend_from_slice(&crc32fast::hash(&foot).to_le_bytes());
    stream.extend(foot);
    stream.extend_from_slice(b"YZ");
    stream
}

/// Returns the level of compression for content of the given length: a candidate waits for it.
fn preset(len: usize) -> u32 {
    match len {
        0..0x1_0000 => 9,
        0x1_0000..0x10_0000 => 5,
        _ => 3,
    }
}

/// Compresses bytes, or stores them where that is smaller.
fn pack(content: &[u8], window: u32) -> Vec<u8> {
    let mut options = LzmaOptions::with_preset(preset(content.len()));
    options.dict_size = window;
    let lzma_options = options;
    let options = Lzma2Options {
        lzma_options,
        chunk_size: None,
    };
    let mut writer = Lzma2Writer::new(vec![], options);
    let packed = writer.write_all(content).and_then(|()| writer.finish());
    let stored = store(content);
    // Writing to memory does not fail.
    let packed = packed.ok().filter(|packed| packed.len() < stored.len());
    packed.unwrap_or(stored)
}

/// Writes chunks that are stored, of which the first begins a window.
fn store(content: &[u8]) -> Vec<u8> {
    let mut stored = vec![];
    for (nth, chunk) in content.chunks(1 << 16).enumerate() {
        stored.push(if nth == 0 { 1 } else { 2 });
        stored.extend_from_slice(&((chunk.len() - 1) as u16).to_be_bytes());
        stored.extend_from_slice(chunk);
    }
    stored.push(0);
    stored
}
