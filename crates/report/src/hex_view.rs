//! Bytes in hexadecimal digits, sixteen in a line, with their characters on the right.

use maud::{Markup, html};
use nubbin_reduce::auto::Kind;

/// The number of bytes in a line.
const LINE: usize = 16;

/// Returns whether bytes are shown in hexadecimal digits.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    Kind::of(bytes) == Kind::Bytes
}

/// Returns bytes as a text, or in hexadecimal digits if they are not a text.
pub fn bytes_markup(bytes: &[u8]) -> Markup {
    match is_binary(bytes) {
        true => lines(bytes, |_| (), |_, text| html! { (text) }),
        false => html! { (String::from_utf8_lossy(bytes)) },
    }
}

/// Returns the lines of some bytes. Neighbors of a line with the same `key` are one part, and
/// `paint` makes the markup of a part from the offset of its first byte and its text.
pub(super) fn lines<K: PartialEq>(
    bytes: &[u8],
    key: impl Fn(usize) -> K,
    paint: impl Fn(usize, &str) -> Markup,
) -> Markup {
    let places: Vec<usize> = (0..bytes.len()).collect();
    html! {
        @for line in places.chunks(LINE) {
            @let start = line.first().copied().unwrap_or_default();
            (format!("{start:08x}  "))
            @for part in line.chunk_by(|a, b| key(*a) == key(*b)) {
                @let first = part.first().copied().unwrap_or_default();
                @if first > start { (gap(first - start)) }
                (paint(first, &digits(bytes, part, start)))
            }
            (" ".repeat(width(LINE) - width(line.len()) + 2))
            @for part in line.chunk_by(|a, b| key(*a) == key(*b)) {
                @let first = part.first().copied().unwrap_or_default();
                (paint(first, &characters(bytes, part)))
            }
            "\n"
        }
    }
}

/// Returns the space before a byte of a line.
fn gap(place: usize) -> &'static str {
    if place == LINE / 2 { "  " } else { " " }
}

/// Returns the width of the first bytes of a line in characters.
fn width(bytes: usize) -> usize {
    let gaps = (1..bytes).map(|place| gap(place).len()).sum::<usize>();
    2 * bytes + gaps
}

fn digits(bytes: &[u8], part: &[usize], start: usize) -> String {
    let mut text = String::new();
    for (number, &place) in part.iter().enumerate() {
        if number > 0 {
            text += gap(place - start);
        }
        text += &format!("{:02x}", bytes[place]);
    }
    text
}

/// Returns the characters of some bytes, with a dot for each that is not printable ASCII.
fn characters(bytes: &[u8], part: &[usize]) -> String {
    let shown = |byte: u8| match byte {
        b' '..=b'~' => char::from(byte),
        _ => '.',
    };
    part.iter().map(|&place| shown(bytes[place])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_its_offset_its_digits_and_its_characters() {
        let bytes: Vec<u8> = (0x3a..0x4d).collect();
        let shown = lines(&bytes, |_| (), |_, text| html! { (text) }).into_string();
        assert_eq!(
            shown,
            "00000000  3a 3b 3c 3d 3e 3f 40 41  42 43 44 45 46 47 48 49  :;&lt;=&gt;?@ABCDEFGHI\n\
             00000010  4a 4b 4c                                          JKL\n"
        );
    }

    #[test]
    fn a_part_is_painted_as_a_whole_and_ends_at_the_end_of_its_line() {
        let paint = |_: usize, text: &str| html! { "[" (text) "]" };
        let shown = lines(&[0; 18], |place| place < 9, paint).into_string();
        assert_eq!(
            shown,
            "00000000  [00 00 00 00 00 00 00 00  00] [00 00 00 00 00 00 00]  [.........][.......]\n\
             00000010  [00 00]                                             [..]\n"
        );
    }
}
