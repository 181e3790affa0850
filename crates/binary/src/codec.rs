use crate::Dump;
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

/// What stands for bytes in a text.
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
    /// What ends a line.
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
            Codec::Sqlite => crate::sqlite::encode(bytes),
            Codec::Pdf => crate::pdf::encode(bytes),
            Codec::Woff => crate::woff::encode(bytes),
            Codec::Dump(dump) => dump.write(bytes),
            Codec::Letters(letters, lines) => lines.divide(letters.encoding().encode(bytes)),
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
        for (codec, zlib) in [(Codec::Deflate, false), (Codec::Zlib, true)] {
            for len in 0..70 {
                let bytes: Vec<u8> = (0..len).map(|at| (at * 37) as u8).collect();
                let encoded = codec.encode(&bytes);
                let expected = Some((bytes, encoded.len()));
                assert_eq!(inflate(&encoded, zlib, 200), expected, "{codec:?}");
            }
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
