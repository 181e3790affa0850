use crate::Dump;
use crate::compressed::{bzip2, lz4, xz, zstd};
use data_encoding::{
    BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, Encoding, HEXLOWER, HEXUPPER,
};
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};

/// The encoding of a part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// None: the content has a format of its own.
    Plain,
    /// Deflate without a frame, as in gzip and ZIP.
    Deflate,
    /// Deflate in the frame of zlib, as in PNG and PDF.
    Zlib,
    /// A stream of xz, with LZMA2 and no other filter.
    Xz,
    /// A frame of Zstandard.
    Zstd,
    /// A frame of LZ4.
    Lz4,
    /// A stream of bzip2.
    Bzip2,
    /// The pages of a database of SQLite, whose content is its rows.
    Sqlite,
    /// A document of PDF with objects in streams, whose content is these objects one after another.
    Pdf,
    /// A font whose tables are compressed one by one, whose content is the font without that.
    Woff,
    /// Letters that stand for bytes, in a text.
    Letters(Letters, Lines),
    /// Lines of hexadecimal digits with offsets, in a text.
    Dump(Dump),
}

/// The characters that encode bytes in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Letters {
    /// Base64 with the alphabet of RFC 4648.
    Base64 {
        /// Whether `-` and `_` take the places of `+` and `/`.
        url: bool,
        /// Whether `=` fills the last group.
        padded: bool,
    },
    /// Two hexadecimal digits for each byte.
    Hex {
        /// Whether the letters are capital.
        upper: bool,
    },
}

/// How encoded letters are divided into lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lines {
    /// The letters of a line; 0 for a single line.
    pub width: usize,
    /// The end of a line.
    pub end: &'static str,
    /// The number of spaces before each line but the first.
    pub indent: usize,
}

impl Letters {
    /// Decodes letters, all of which belong to the encoding. Lines must have been joined.
    pub fn decode(self, letters: &[u8]) -> Option<Vec<u8>> {
        self.encoding().decode(letters).ok()
    }

    fn encoding(self) -> Encoding {
        match self {
            Letters::Base64 {
                url: false,
                padded: false,
            } => BASE64_NOPAD,
            Letters::Base64 {
                url: false,
                padded: true,
            } => BASE64,
            Letters::Base64 {
                url: true,
                padded: false,
            } => BASE64URL_NOPAD,
            Letters::Base64 {
                url: true,
                padded: true,
            } => BASE64URL,
            Letters::Hex { upper: false } => HEXLOWER,
            Letters::Hex { upper: true } => HEXUPPER,
        }
    }
}

impl Lines {
    /// Divides letters into lines.
    fn divide(self, letters: String) -> Vec<u8> {
        if self.width == 0 {
            return letters.into_bytes();
        }
        let lines: Vec<&[u8]> = letters.as_bytes().chunks(self.width).collect();
        let end = [self.end.as_bytes(), &vec![b' '; self.indent]].concat();
        lines.join(&end[..])
    }
}

const LEVEL: u8 = 9;

impl Codec {
    /// Encodes bytes.
    pub fn encode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Codec::Plain => bytes.to_vec(),
            Codec::Deflate => compress_to_vec(bytes, LEVEL),
            Codec::Zlib => compress_to_vec_zlib(bytes, LEVEL),
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

    /// The work of making a decoder, in bytes that are read. A file may have thousands of streams.
    pub(crate) fn setup(self) -> usize {
        match self {
            Codec::Xz | Codec::Zstd | Codec::Bzip2 => 16 << 10,
            _ => 0,
        }
    }

    /// Decodes compressed bytes that begin some bytes, and returns their length: the bytes behind
    /// them need not belong to them. At most `most` bytes are decoded, to an empty `content`, which
    /// has those before a fault as well. None for what is decoded in another way.
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

/// Decodes a stream of deflate. Returns its content and its length.
pub(crate) fn inflate(bytes: &[u8], zlib: bool, most: usize) -> Option<(Vec<u8>, usize)> {
    let mut content = vec![];
    let len = inflate_to(bytes, zlib, most, &mut content)?;
    Some((content, len))
}

/// Decodes a stream of deflate. See [`Codec::decompress`].
fn inflate_to(bytes: &[u8], zlib: bool, most: usize, out: &mut Vec<u8>) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
                // Half of it is far back.
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
