//! Streams of deflate, with and without the zlib frame.

use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};

const LEVEL: u8 = 9;

/// Encodes bytes as a stream of deflate.
pub(crate) fn deflate(bytes: &[u8], zlib: bool) -> Vec<u8> {
    match zlib {
        true => compress_to_vec_zlib(bytes, LEVEL),
        false => compress_to_vec(bytes, LEVEL),
    }
}

/// Decodes a stream of deflate, and returns its content and its length.
pub(crate) fn inflate(bytes: &[u8], zlib: bool, most: usize) -> Option<(Vec<u8>, usize)> {
    let mut content = vec![];
    let len = inflate_to(bytes, zlib, most, &mut content)?;
    Some((content, len))
}

/// Decodes a stream of deflate. See [`Codec::decompress`](crate::Codec).
pub(crate) fn inflate_to(
    bytes: &[u8],
    zlib: bool,
    most: usize,
    out: &mut Vec<u8>,
) -> Option<usize> {
    use miniz_oxide::inflate::TINFLStatus::{Done, HasMoreOutput};
    use miniz_oxide::inflate::core::inflate_flags::{
        TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
    };
    use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
    let mut state = Box::new(DecompressorOxide::new());
    let frame = if zlib {
        TINFL_FLAG_PARSE_ZLIB_HEADER
    } else {
        0
    };
    let flags = frame | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    out.resize((4 * bytes.len()).clamp(1, 4_096).min(most.max(1)), 0);
    let (mut read, mut written) = (0, 0);
    loop {
        let (status, used, made) = decompress(&mut state, &bytes[read..], out, written, flags);
        read += used;
        written += made;
        match status {
            Done => {
                out.truncate(written);
                return Some(read);
            }
            HasMoreOutput if out.len() < most => out.resize((2 * out.len()).min(most), 0),
            _ => {
                out.truncate(written);
                return None;
            }
        }
    }
}
