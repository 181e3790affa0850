//! Frames of Zstandard.
//!
//! Source: RFC 8878.

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

pub(crate) const MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";

/// The largest window that every decoder has to have, by the RFC.
const WINDOW: usize = 8 << 20;

/// The maximum number of bytes of a block.
const BLOCK: usize = 128 << 10;

/// Decodes the frame at the beginning of some bytes. See `Codec::decompress`. The checksum is not
/// verified. A frame is not decoded if its window is larger than `most` bytes and larger than the
/// window that every decoder supports.
pub(crate) fn decode(bytes: &[u8], most: usize, content: &mut Vec<u8>) -> Option<usize> {
    let mut left = bytes;
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(most.max(WINDOW) as u64);
    decoder.reset(&mut left).ok()?;
    if decoder.content_size() > most as u64 {
        return None;
    }
    let mut is_finished = false;
    while !is_finished {
        is_finished = decoder
            .decode_blocks(&mut left, BlockDecodingStrategy::UptoBlocks(1))
            .ok()?;
        content.extend(decoder.collect().unwrap_or_default());
        if content.len() > most {
            content.truncate(most);
            return None;
        }
    }
    Some(bytes.len() - left.len())
}

/// Encodes bytes as the smaller of two frames: the frame of the library, and a frame in which all
/// blocks are stored.
pub(crate) fn encode(content: &[u8]) -> Vec<u8> {
    let stored = store(content);
    let packed = compress_to_vec(content, CompressionLevel::Fastest);
    if packed.len() < stored.len() {
        packed
    } else {
        stored
    }
}

/// Writes a frame whose blocks are stored, with the length of its content and no checksum.
fn store(content: &[u8]) -> Vec<u8> {
    let len = content.len();
    // The frame is a single segment. Its length is written in 1, 2, or 4 bytes.
    let (flags, length) = match len {
        0..0x100 => (0x20, vec![len as u8]),
        0x100..0x1_0100 => (0x60, ((len - 0x100) as u16).to_le_bytes().to_vec()),
        _ => (0xa0, (len as u32).to_le_bytes().to_vec()),
    };
    let mut frame = [MAGIC, &[flags], &length].concat();
    let blocks = len.div_ceil(BLOCK).max(1);
    for nth in 0..blocks {
        let block = &content[nth * BLOCK..len.min((nth + 1) * BLOCK)];
        let head = (block.len() as u32) << 3 | u32::from(nth + 1 == blocks);
        frame.extend_from_slice(&head.to_le_bytes()[..3]);
        frame.extend_from_slice(block);
    }
    frame
}
