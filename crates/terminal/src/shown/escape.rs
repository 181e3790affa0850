use std::borrow::Cow;
use std::fmt::Write;

/// Returns whether a character is shown unchanged. Control characters are not, including the second
/// set (C1), which some terminals obey as well. Characters that reorder or break the text around
/// them are not either.
pub fn is_seen(char: char) -> bool {
    !matches!(char,
        '\0'..='\x1f'
        | '\x7f'..='\u{9f}'
        // These are marks, embeddings, overrides, and isolates of bidirectional text.
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
        // These code points are not characters, and XML does not allow them either.
        | '\u{fffe}' | '\u{ffff}'
        // These are the line and paragraph separators.
        | '\u{2028}' | '\u{2029}'
        // These are annotations and tags, which are invisible.
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Writes one character in a form that can be seen: `\x1b`, `\u{202e}`.
pub(super) fn push(out: &mut String, char: char) {
    let _ = match char {
        char if is_seen(char) => {
            out.push(char);
            Ok(())
        }
        '\r' => out.write_str("\\r"),
        '\n' => out.write_str("\\n"),
        '\t' => out.write_str("\\t"),
        char if u32::from(char) < 0x100 => write!(out, "\\x{:02x}", u32::from(char)),
        char => write!(out, "\\u{{{:x}}}", u32::from(char)),
    };
}

/// Returns a text on one line, with all invisible characters escaped visibly.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_seen) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars().for_each(|char| push(&mut shown, char));
    Cow::Owned(shown)
}

/// Returns bytes as text. Bytes that are not text are escaped visibly.
pub fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_terminal_obeys_is_written_out() {
        let cases = [
            ("plain `text`, ünïcödé 字 👩‍👩‍👧", None),
            ("\x1b[31mred", Some("\\x1b[31mred")),
            ("\x1b]0;title\x07", Some("\\x1b]0;title\\x07")),
            ("\u{9b}2J", Some("\\x9b2J")),
            ("a\rb\x08\x7f\0", Some("a\\rb\\x08\\x7f\\x00")),
            ("evil\u{202e}txt.exe", Some("evil\\u{202e}txt.exe")),
            ("\u{2066}x\u{2069}", Some("\\u{2066}x\\u{2069}")),
            ("one\ntwo\t", Some("one\\ntwo\\t")),
        ];
        for (text, shown) in cases {
            assert_eq!(visible(text), shown.unwrap_or(text));
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_written_out() {
        assert_eq!(text_of(b"a\xffb\x9b2J"), "a\\xffb\\x9b2J");
    }
}
