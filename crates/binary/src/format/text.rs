use super::budget::Budget;
use crate::layout::{Layout, Region};

/// The format of decoded text.
pub(crate) const TEXT: &str = "text";

/// The number of bytes by which text is recognized.
const SNIFFED: usize = 64 << 10;

/// The share of characters that are unusual in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Oddness {
    None,
    /// Few characters are unusual, as in a text with stray bytes, with colors, or in another
    /// encoding.
    Few,
    /// One character in fifty is a control character. The file may be mostly text.
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

/// Returns whether some bytes are text, judged by the first of them.
pub(super) fn is_text(text: &[u8]) -> bool {
    let head = &text[..text.len().min(4 << 10)];
    let is_odd = |byte: &u8| *byte < 0x20 && !matches!(*byte, b'\t'..=b'\r') || *byte == 0x7f;
    let is_cut = |error: std::str::Utf8Error| error.valid_up_to() + 4 >= head.len();
    !head.iter().any(is_odd) && std::str::from_utf8(head).map_or_else(is_cut, |_| true)
}

/// Returns the layout of decoded content of an unknown format. The layout consists of lines if the
/// content is text.
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
