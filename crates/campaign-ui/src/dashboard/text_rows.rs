//! Texts from outside as rows of a given width. No row has a character that a terminal obeys.

use crate::shown::{text_of, visible};
use crate::view::characters::tame;
use crate::view::write::count;
use unicode_width::UnicodeWidthChar;

/// The largest number of bytes that are shown.
const MAX_SHOWN_BYTES: usize = 1 << 16;

/// Returns a test as text, or as bytes in hexadecimal digits if it is not text.
pub(super) fn of_test(test: &[u8], width: usize) -> Vec<String> {
    let part = &test[..test.len().min(MAX_SHOWN_BYTES)];
    let is_text = match std::str::from_utf8(part) {
        Ok(text) => !text.contains('\0'),
        // The last character of the part may be incomplete.
        Err(error) => error.error_len().is_none() && part.len() < test.len(),
    };
    let mut rows = match is_text {
        true => of_text(part, width),
        false => of_bytes(part, width),
    };
    note(&mut rows, test.len() - part.len(), "more bytes");
    rows
}

/// Returns the end of an output. Output is always shown as text.
pub(super) fn of_output(output: &[u8], width: usize) -> Vec<String> {
    let from = output.len().saturating_sub(MAX_SHOWN_BYTES);
    let mut rows = vec![];
    note(&mut rows, from, "bytes before");
    rows.extend(of_text(&output[from..], width));
    rows
}

fn note(rows: &mut Vec<String>, bytes: usize, what: &str) {
    if bytes > 0 {
        rows.push(format!("⋯ {} {what}", count(bytes as u64)));
    }
}

fn of_text(bytes: &[u8], width: usize) -> Vec<String> {
    let text = text_of(bytes);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    let mut rows = vec![];
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        rows.extend(wrapped(&line.replace('\t', "    "), width));
    }
    rows
}

/// Breaks one line. Characters that are not to be seen are written out.
pub(super) fn wrapped(line: &str, width: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    let mut columns = 0;
    for char in visible(line).chars().map(tame) {
        let wide = char.width().unwrap_or(0);
        if columns > 0 && columns + wide > width {
            rows.push(String::new());
            columns = 0;
        }
        columns += wide;
        if let Some(row) = rows.last_mut() {
            row.push(char);
        }
    }
    rows
}

/// Formats bytes as rows with the offset, hexadecimal digits, and characters.
fn of_bytes(bytes: &[u8], width: usize) -> Vec<String> {
    // The offset takes eight columns, the gaps three, and each byte four.
    let per_row = [32, 16, 8, 4].into_iter().find(|n| 11 + 4 * n <= width);
    let per_row = per_row.unwrap_or(1);
    let row = |(at, chunk): (usize, &[u8])| {
        let digits: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
        let shown = |&byte: &u8| match byte {
            b' '..=b'~' => char::from(byte),
            _ => '·',
        };
        let chars: String = chunk.iter().map(shown).collect();
        let offset = at * per_row;
        let digits_width = 3 * per_row - 1;
        format!("{offset:08x}  {:digits_width$}  {chars}", digits.join(" "))
    };
    bytes.chunks(per_row).enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_written_out() {
        let rows = of_output(b"a\x1b[2J\tb\r\n\x9b\xff\xe2\x80\x8bz\n", 40);
        assert_eq!(rows, ["a\\x1b[2J    b", "\\x9b\\xff·z"]);
    }

    #[test]
    fn long_lines_are_wrapped_by_columns() {
        assert_eq!(of_test("abc日本".as_bytes(), 5), ["abc日", "本"]);
        assert_eq!(of_test(b"", 5), [""]);
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_in_hexadecimal_digits() {
        let rows = of_test(b"ab\0\xff1234567", 43);
        assert_eq!(rows[0], "00000000  61 62 00 ff 31 32 33 34  ab··1234");
        assert_eq!(rows[1], "00000008  35 36 37                 567");
    }

    #[test]
    fn a_long_test_ends_with_a_note() {
        let test = vec![b'x'; MAX_SHOWN_BYTES + 1000];
        let rows = of_test(&test, 80);
        assert_eq!(rows.last().unwrap(), "⋯ 1,000 more bytes");
        let rows = of_output(&test, 80);
        assert_eq!(rows[0], "⋯ 1,000 bytes before");
    }
}
