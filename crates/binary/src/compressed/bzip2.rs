//! Streams of bzip2.
//!
//! Source: the library, since the format has no specification.

use bzip2::Compression;
use bzip2::bufread::{BzDecoder, BzEncoder};
use std::io::Read;

/// Returns whether bytes begin with a stream, which has a block or is empty.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    let marks = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];
    bytes.starts_with(b"BZh")
        && bytes
            .get(4..10)
            .is_some_and(|mark| marks.iter().any(|known| *known == mark))
}

/// Decodes the stream at the beginning of some bytes. See `Codec::decompress`. The checksums must
/// be correct.
pub(crate) fn decode(bytes: &[u8], most: usize, content: &mut Vec<u8>) -> Option<usize> {
    let mut decoder = BzDecoder::new(bytes);
    decoder
        .by_ref()
        .take(most as u64)
        .read_to_end(content)
        .ok()?;
    // The end of the stream is read as well.
    if decoder.read(&mut [0]).ok()? > 0 {
        return None;
    }
    usize::try_from(decoder.total_in()).ok()
}

/// Encodes bytes as a stream. The format has no stored blocks.
pub(crate) fn encode(content: &[u8]) -> Vec<u8> {
    let mut stream = vec![];
    // Reading from memory does not fail.
    let _ = BzEncoder::new(content, Compression::best()).read_to_end(&mut stream);
    stream
}
