use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use miniz_oxide::inflate::{decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit};

/// The encoding of a part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// None: the content has a format of its own.
    Plain,
    /// Deflate without a frame, as in gzip and ZIP.
    Deflate,
    /// Deflate in the frame of zlib, as in PNG and PDF.
    Zlib,
    /// Base64 with the alphabet of RFC 4648, perhaps without `=` at its end.
    Base64 {
        /// Whether `=` fills the last group.
        padded: bool,
    },
    /// Two hexadecimal digits for each byte.
    Hex {
        /// Whether the letters are capital.
        upper: bool,
    },
}

const LEVEL: u8 = 9;
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Codec {
    /// Decodes bytes of which all belong to the encoding, to at most `most` bytes.
    pub fn decode(self, bytes: &[u8], most: usize) -> Option<Vec<u8>> {
        match self {
            Codec::Plain => (bytes.len() <= most).then(|| bytes.to_vec()),
            Codec::Deflate => decompress_to_vec_with_limit(bytes, most).ok(),
            Codec::Zlib => decompress_to_vec_zlib_with_limit(bytes, most).ok(),
            Codec::Base64 { padded } => {
                let body = bytes
                    .strip_suffix(b"==")
                    .or_else(|| bytes.strip_suffix(b"="));
                let body = body.filter(|_| padded).unwrap_or(bytes);
                if padded && !bytes.len().is_multiple_of(4)
                    || body.len() % 4 == 1
                    || body.len() > most
                {
                    return None;
                }
                let (mut bits, mut held, mut out) = (0u32, 0, Vec::new());
                for byte in body {
                    bits = bits << 6 | DIGITS.iter().position(|digit| digit == byte)? as u32;
                    held += 6;
                    if held >= 8 {
                        held -= 8;
                        out.push((bits >> held) as u8);
                        bits &= (1 << held) - 1;
                    }
                }
                (bits == 0).then_some(out)
            }
            Codec::Hex { .. } => {
                let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
                if !bytes.len().is_multiple_of(2) || bytes.len() / 2 > most {
                    return None;
                }
                let pairs = bytes.chunks_exact(2);
                pairs
                    .map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?))
                    .collect()
            }
        }
    }

    /// Encodes bytes.
    pub fn encode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Codec::Plain => bytes.to_vec(),
            Codec::Deflate => compress_to_vec(bytes, LEVEL),
            Codec::Zlib => compress_to_vec_zlib(bytes, LEVEL),
            Codec::Base64 { padded } => {
                let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
                for group in bytes.chunks(3) {
                    let filled = group.iter().chain([&0; 2]).take(3);
                    let bits = filled.fold(0u32, |all, &byte| all << 8 | u32::from(byte));
                    let digit = |nth: usize| DIGITS[(bits >> (18 - 6 * nth) & 63) as usize];
                    out.extend((0..=group.len()).map(digit));
                    if padded {
                        out.extend(std::iter::repeat_n(b'=', 3 - group.len()));
                    }
                }
                out
            }
            Codec::Hex { upper } => {
                let digits: &[u8; 16] = if upper {
                    b"0123456789ABCDEF"
                } else {
                    b"0123456789abcdef"
                };
                let digit = |nibble: u8| digits[usize::from(nibble)];
                bytes
                    .iter()
                    .flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)])
                    .collect()
            }
        }
    }
}

/// Decodes a stream of deflate that begins some bytes, and returns its length as well: the bytes
/// behind it need not belong to it. At most `most` bytes are decoded.
pub(crate) fn inflate(bytes: &[u8], zlib: bool, most: usize) -> Option<(Vec<u8>, usize)> {
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
    let mut out = vec![0; (4 * bytes.len()).clamp(1, 4_096).min(most.max(1))];
    let (mut read, mut written) = (0, 0);
    loop {
        let (status, used, made) = decompress(&mut state, &bytes[read..], &mut out, written, flags);
        read += used;
        written += made;
        match status {
            Done => {
                out.truncate(written);
                return Some((out, read));
            }
            HasMoreOutput if out.len() < most => out.resize((2 * out.len()).min(most), 0),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let codecs = [
            Codec::Deflate,
            Codec::Zlib,
            Codec::Base64 { padded: true },
            Codec::Base64 { padded: false },
            Codec::Hex { upper: true },
        ];
        for codec in codecs {
            for len in 0..70 {
                let bytes: Vec<u8> = (0..len).map(|at| (at * 37) as u8).collect();
                let encoded = codec.encode(&bytes);
                assert_eq!(
                    codec.decode(&encoded, 200).as_ref(),
                    Some(&bytes),
                    "{codec:?}"
                );
            }
        }
        assert_eq!(
            Codec::Base64 { padded: true }.encode(b"light w"),
            b"bGlnaHQgdw=="
        );
        assert_eq!(Codec::Hex { upper: false }.decode(b"0g", 9), None);
    }

    #[test]
    fn a_stream_ends_before_what_follows_it_and_a_bomb_is_refused() {
        let zeros = vec![0; 100_000];
        for zlib in [false, true] {
            let codec = if zlib { Codec::Zlib } else { Codec::Deflate };
            let mut bytes = codec.encode(b"some data");
            let len = bytes.len();
            bytes.extend_from_slice(b"behind");
            assert_eq!(
                inflate(&bytes, zlib, 99),
                Some((b"some data".to_vec(), len))
            );
            assert_eq!(inflate(&codec.encode(&zeros), zlib, 1_000), None);
            assert_eq!(inflate(b"", zlib, 1_000), None);
        }
    }
}
