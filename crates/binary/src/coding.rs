//! Encoding and decoding by a codec.

use crate::Codec;
use crate::compressed::{bzip2, lz4, xz, zstd};
use crate::deflate::{deflate, inflate_to};

impl Codec {
    /// Encodes bytes by the codec.
    pub fn encode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Codec::Plain => bytes.to_vec(),
            Codec::Deflate => deflate(bytes, false),
            Codec::Zlib => deflate(bytes, true),
            Codec::Xz => xz::encode(bytes),
            Codec::Zstd => zstd::encode(bytes),
            Codec::Lz4 => lz4::encode(bytes),
            Codec::Bzip2 => bzip2::encode(bytes),
            Codec::Sqlite => crate::sqlite::encode(bytes),
            Codec::Pdf => crate::pdf::encode(bytes),
            Codec::Woff => crate::woff::encode(bytes),
            Codec::Dump(dump) => dump.write(bytes),
            Codec::Letters(letters, lines) => lines.divide(letters.encoding().encode(bytes)),
        }
    }

    /// Returns the work of creating a decoder, measured in bytes that are read. The work matters
    /// because a file may have thousands of streams.
    pub(crate) fn setup(self) -> usize {
        match self {
            Codec::Xz | Codec::Zstd | Codec::Bzip2 => 16 << 10,
            _ => 0,
        }
    }

    /// Decodes the compressed bytes at the beginning of some bytes, and returns their length. The
    /// bytes after them need not belong to them.
    ///
    /// At most `most` bytes are decoded into `content`, which must be empty. `content` also
    /// receives the bytes before a fault. Returns `None` for a codec that is decoded in another
    /// way.
    pub(crate) fn decompress(
        self,
        bytes: &[u8],
        most: usize,
        content: &mut Vec<u8>,
    ) -> Option<usize> {
        match self {
            Codec::Deflate => inflate_to(bytes, false, most, content),
            Codec::Zlib => inflate_to(bytes, true, most, content),
            Codec::Xz => xz::decode(bytes, most, content),
            Codec::Zstd => zstd::decode(bytes, most, content),
            Codec::Lz4 => lz4::decode(bytes, most, content),
            Codec::Bzip2 => bzip2::decode(bytes, most, content),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::{Letters, Lines};

    fn decompress(codec: Codec, bytes: &[u8], most: usize) -> Option<(Vec<u8>, usize)> {
        let mut content = vec![];
        let len = codec.decompress(bytes, most, &mut content);
        assert!(content.len() <= most);
        Some((content, len?))
    }

    const COMPRESSED: [Codec; 6] = [
        Codec::Deflate,
        Codec::Zlib,
        Codec::Xz,
        Codec::Zstd,
        Codec::Lz4,
        Codec::Bzip2,
    ];

    #[test]
    fn encoded_bytes_are_decoded() {
        for codec in COMPRESSED {
            let lengths = (0..70).chain([255, 256, 257, 300, 65_535, 65_536, 65_537, 65_792]);
            for len in lengths.chain([131_072, 131_073, 300_000]) {
                let noise = (0..len).map(|at: u32| (at.wrapping_mul(0x9e37_79b1) >> 24) as u8);
                let words = (0..len).map(|at| b"some words, "[at as usize % 12]);
                let noise: Vec<u8> = noise.collect();
                // The second half repeats the first one, so each match is far back.
                let (half, rest) = (len as usize / 2, len as usize % 2);
                let twice = [&noise[..half], &noise[..half + rest]].concat();
                for bytes in [noise, words.collect(), twice] {
                    let encoded = codec.encode(&bytes);
                    let expected = Some((bytes, encoded.len()));
                    assert!(
                        decompress(codec, &encoded, len as usize) == expected,
                        "{codec:?}, {len} bytes"
                    );
                }
            }
        }
    }

    #[test]
    fn small_content_has_a_small_frame() {
        let rows = [
            (Codec::Deflate, [2, 5]),
            (Codec::Zlib, [8, 11]),
            (Codec::Xz, [32, 56]),
            (Codec::Zstd, [9, 12]),
            (Codec::Lz4, [11, 18]),
            (Codec::Bzip2, [14, 38]),
        ];
        for (codec, lengths) in rows {
            let found = [&b""[..], b"abc"].map(|content| codec.encode(content).len());
            assert_eq!(found, lengths, "{codec:?}");
        }
    }

    #[test]
    fn letters_are_decoded_and_divided_into_lines_again() {
        let base64 = |url, padded| Letters::Base64 { url, padded };
        let rows: &[(Letters, &[u8], &str)] = &[
            (base64(false, true), b"light w", "bGlnaHQgdw=="),
            (base64(false, false), b"light w", "bGlnaHQgdw"),
            (base64(true, false), b"\xff\xfe\xfd", "__79"),
            (base64(false, true), b"\xff\xfe\xfd", "//79"),
            (Letters::Hex { upper: false }, b"\x0f\xa0", "0fa0"),
            (Letters::Hex { upper: true }, b"\x0f\xa0", "0FA0"),
        ];
        for &(letters, bytes, text) in rows {
            let codec = Codec::Letters(letters, Lines::default());
            assert_eq!(codec.encode(bytes), text.as_bytes());
            assert_eq!(letters.decode(text.as_bytes()).as_deref(), Some(bytes));
        }
        let lines = Lines {
            width: 8,
            end: "\r\n",
            indent: 2,
        };
        let codec = Codec::Letters(base64(false, true), lines);
        assert_eq!(codec.encode(b"light w"), b"bGlnaHQg\r\n  dw==");
        assert_eq!(base64(false, true).decode(b"bGlnaHQgdx=="), None);
        assert_eq!(Letters::Hex { upper: false }.decode(b"0g"), None);
    }

    #[test]
    fn a_stream_ends_before_other_bytes_and_a_bomb_is_refused() {
        let zeros = vec![0; 100_000];
        for codec in COMPRESSED {
            let mut bytes = codec.encode(b"some data");
            let len = bytes.len();
            bytes.extend_from_slice(b"behind");
            assert_eq!(
                decompress(codec, &bytes, 99),
                Some((b"some data".to_vec(), len))
            );
            assert_eq!(decompress(codec, &codec.encode(&zeros), 1_000), None);
            assert_eq!(decompress(codec, b"", 1_000), None);
        }
    }
}
