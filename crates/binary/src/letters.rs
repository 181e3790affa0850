use data_encoding::{
    BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, Encoding, HEXLOWER, HEXUPPER,
};

/// The alphabet of an encoding of bytes as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Letters {
    /// Base64 with the alphabet of RFC 4648.
    Base64 {
        /// Whether `-` and `_` replace `+` and `/`.
        url: bool,
        /// Whether `=` fills the last group.
        padded: bool,
    },
    /// Two hexadecimal digits for each byte.
    Hex {
        /// Whether the letters are upper case.
        upper: bool,
    },
}

/// The division of encoded letters into lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lines {
    /// The number of letters in a line; 0 for a single line.
    pub width: usize,
    /// The text at the end of each line.
    pub end: &'static str,
    /// The number of spaces before each line except the first.
    pub indent: usize,
}

impl Letters {
    /// Decodes letters, all of which must belong to the encoding. Lines must have been joined.
    pub fn decode(self, letters: &[u8]) -> Option<Vec<u8>> {
        self.encoding().decode(letters).ok()
    }

    pub(crate) fn encoding(self) -> Encoding {
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
    pub(crate) fn divide(self, letters: String) -> Vec<u8> {
        if self.width == 0 {
            return letters.into_bytes();
        }
        let lines: Vec<&[u8]> = letters.as_bytes().chunks(self.width).collect();
        let end = [self.end.as_bytes(), &vec![b' '; self.indent]].concat();
        lines.join(&end[..])
    }
}
