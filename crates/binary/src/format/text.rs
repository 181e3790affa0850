use super::builder::Budget;
use crate::layout::{Layout, Region};

/// The format of decoded text.
pub(crate) const TEXT: &str = "text";

/// The number of bytes by which text is recognized.
const SNIFFED: usize = 64 << 10;

/// Whether some bytes are mostly text, by their beginning.
///
/// Text has almost no control characters. A stray NUL or a byte that is not UTF-8 does not make
/// a source file binary; one in ten does, and so does a format that can be [read](crate::read), or
/// a structure that can be [guessed](crate::guess), as of texts with their lengths.
///
/// ```
/// use nubbin_binary::is_mostly_text;
///
/// assert!(is_mostly_text(b"int main() { return '\0'; } // caf\xe9"));
/// assert!(!is_mostly_text(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0"));
/// ```
pub fn is_mostly_text(bytes: &[u8]) -> bool {
    // The headers of these archives are text as well.
    if bytes.starts_with(super::ar::MAGIC) {
        return false;
    }
    match oddness(bytes) {
        Oddness::None => true,
        Oddness::Few => super::read(bytes).is_none(),
        Oddness::Some => super::read(bytes).is_none() && super::guess(bytes).is_none(),
        Oddness::Many => false,
    }
}

/// How many characters are none of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Oddness {
    None,
    /// As in a text with stray bytes, with colors, or in another encoding.
    Few,
    /// One control character in fifty: perhaps a file that has mostly texts.
    Some,
    Many,
}

pub(super) fn oddness(bytes: &[u8]) -> Oddness {
    let head = &bytes[..bytes.len().min(SNIFFED)];
    let (mut controls, mut others) = (0, 0);
    for c in String::from_utf8_lossy(head).chars() {
        match c {
            '\n' | '\r' | '\t' | '\x0c' => {}
            '\0'..'\x1b' => controls += 1,
            _ if c == char::REPLACEMENT_CHARACTER || c.is_control() => others += 1,
            _ => {}
        }
    }
    match controls + others {
        0 => Oddness::None,
        odd if odd * 10 > head.len() => Oddness::Many,
        _ if controls * 50 >= head.len() => Oddness::Some,
        _ => Oddness::Few,
    }
}

/// Whether some bytes are text, by the first of them.
pub(super) fn is_text(text: &[u8]) -> bool {
    let head = &text[..text.len().min(4 << 10)];
    let is_odd = |byte: &u8| *byte < 0x20 && !matches!(*byte, b'\t'..=b'\r') || *byte == 0x7f;
    let is_cut = |error: std::str::Utf8Error| error.valid_up_to() + 4 >= head.len();
    !head.iter().any(is_odd) && std::str::from_utf8(head).map_or_else(is_cut, |_| true)
}

/// Returns the layout of decoded content of an unknown format: lines where it is text.
pub(super) fn lines(text: &[u8], budget: &mut Budget) -> Layout {
    let mut layout = Layout::opaque(text);
    if !is_text(text) {
        return layout;
    }
    layout.format = TEXT;
    let mut at = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if !budget.spend::<Region>(1) {
            break;
        }
        let end = at + line.len() as u32;
        layout.regions.push(Region {
            span: at..end,
            kind: "line",
        });
        at = end;
    }
    layout
}
