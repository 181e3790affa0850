use serde::Serialize;
use std::fmt::Write;

/// The maximum number of bytes of a text that a page shows.
const MAX_BYTES: usize = 64 * 1024;
/// The maximum number of bytes that it shows as hexadecimal digits.
const MAX_HEX_BYTES: usize = 1024;
/// The bytes of a line of these.
const LINE: usize = 16;

/// A part of a test or of an output, for a person.
#[derive(Debug, Serialize)]
pub(crate) struct Excerpt {
    /// The number of all bytes.
    pub(crate) bytes: usize,
    /// The text, with a replacement character for bytes that are not UTF-8.
    pub(crate) text: String,
    pub(crate) is_utf8: bool,
    /// Whether the excerpt is only a part of the text.
    pub(crate) is_cut: bool,
    /// The first bytes, if they are no UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hex: Option<String>,
}

impl Excerpt {
    /// Returns the beginning.
    pub(crate) fn of_start(bytes: &[u8]) -> Self {
        let mut end = bytes.len().min(MAX_BYTES);
        while end < bytes.len() && end > MAX_BYTES - 4 && is_inside(bytes[end]) {
            end -= 1;
        }
        Excerpt::new(bytes, &bytes[..end])
    }

    /// Returns the end.
    pub(crate) fn of_end(bytes: &[u8]) -> Self {
        let first = bytes.len().saturating_sub(MAX_BYTES);
        let inside = |byte: &&u8| is_inside(**byte);
        let skipped = match first {
            0 => 0,
            _ => bytes[first..].iter().take(3).take_while(inside).count(),
        };
        Excerpt::new(bytes, &bytes[first + skipped..])
    }

    fn new(all: &[u8], part: &[u8]) -> Self {
        let is_utf8 = std::str::from_utf8(part).is_ok();
        Excerpt {
            bytes: all.len(),
            text: String::from_utf8_lossy(part).into_owned(),
            is_utf8,
            is_cut: part.len() < all.len(),
            hex: (!is_utf8).then(|| hex(&part[..part.len().min(MAX_HEX_BYTES)])),
        }
    }
}

/// Returns whether a byte continues a character of UTF-8.
fn is_inside(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// Returns lines with a position, the bytes as digits, and as characters.
fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (at, line) in bytes.chunks(LINE).enumerate() {
        let digits: String = line.iter().map(|byte| format!("{byte:02x} ")).collect();
        let shown = |&byte: &u8| match byte {
            0x20..0x7f => char::from(byte),
            _ => '.',
        };
        let chars: String = line.iter().map(shown).collect();
        let width = LINE * 3;
        let _ = writeln!(text, "{:06x}  {digits:width$} {chars}", at * LINE);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_is_cut_in_half() {
        let text = "€".repeat(MAX_BYTES);
        for excerpt in [
            Excerpt::of_start(text.as_bytes()),
            Excerpt::of_end(text.as_bytes()),
        ] {
            assert!(excerpt.is_utf8 && excerpt.is_cut && excerpt.text.len() <= MAX_BYTES);
            assert_eq!(excerpt.bytes, text.len());
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_digits() {
        let excerpt = Excerpt::of_start(b"a\xff\n");
        assert!(!excerpt.is_utf8 && !excerpt.is_cut);
        let hex = excerpt.hex.unwrap();
        assert!(hex.starts_with("000000  61 ff 0a "), "{hex}");
        assert!(hex.ends_with(" a..\n"), "{hex}");
        assert!(Excerpt::of_end(b"").is_utf8);
    }
}
