//! Words of a command line.

use nubbin_edit::Span;

/// Returns the words of a text, divided like a command line in a shell or in a compiler's response
/// file. White space separates words. Quotes and backslashes keep white space in a word. A quote
/// that is not closed extends to the end of the text.
///
/// ```
/// use nubbin_view::words::words;
///
/// let text = b"-O2 '-D X'\n-I a\\ b";
/// let found: Vec<&[u8]> = words(text).iter().map(|word| &text[word.range()]).collect();
/// assert_eq!(found, [&b"-O2"[..], b"'-D X'", b"-I", b"a\\ b"]);
/// ```
pub fn words(text: &[u8]) -> Vec<Span> {
    let mut words = Vec::new();
    let mut start = None;
    let mut quote = None;
    let mut is_escaped = false;
    for (at, &byte) in text.iter().enumerate() {
        if start.is_none() {
            if byte.is_ascii_whitespace() {
                continue;
            }
            start = Some(at);
        }
        match (quote, byte) {
            _ if is_escaped => is_escaped = false,
            (Some(b'\''), b'\'') | (Some(b'"'), b'"') => quote = None,
            (Some(b'\''), _) => {}
            (_, b'\\') => is_escaped = true,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, _) if byte.is_ascii_whitespace() => {
                words.extend(start.take().map(|start| Span::at(0, start..at)));
            }
            _ => {}
        }
    }
    words.extend(start.map(|start| Span::at(0, start..text.len())));
    words
}

/// Returns the offsets at which the words begin, followed by the offset at which the text ends.
/// Each word includes the white space after it. The first word also includes the white space before
/// it.
///
/// ```
/// use nubbin_view::words::bounds;
///
/// assert_eq!(bounds(b" -a\n-b\n"), [0, 4, 7]);
/// assert!(bounds(b" \n").is_empty());
/// ```
pub fn bounds(text: &[u8]) -> Vec<u32> {
    let words = words(text);
    let Some((_, others)) = words.split_first() else {
        return Vec::new();
    };
    let starts = others.iter().map(|word| word.start);
    let end = text.len() as u32;
    std::iter::once(0).chain(starts).chain([end]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_bytes_and_open_quotes_are_words() {
        for (text, count) in [
            (&b""[..], 0),
            (b" \n\t", 0),
            (b"'a b", 1),
            (b"a\\", 1),
            (b"\\ ", 1),
            (b"\"a \\\" b\" c", 2),
            (b"'a \\' b", 2),
            (b"\0 \xff", 2),
        ] {
            assert_eq!(words(text).len(), count, "{text:?}");
            assert_eq!(bounds(text).len(), if count > 0 { count + 1 } else { 0 });
        }
    }
}
