//! Characters of a text.

/// Returns the offsets at which the characters of a text begin, followed by the offset at which the
/// text ends. The result has one more element than the text has characters. A byte that is not part
/// of valid UTF-8 counts as a character.
///
/// ```
/// use nubbin_view::chars::bounds;
///
/// assert_eq!(bounds("aß€".as_bytes()), [0, 1, 3, 6]);
/// assert_eq!(bounds(b"\xe2\x82x\xff"), [0, 1, 2, 3, 4]);
/// ```
pub fn bounds(text: &[u8]) -> Vec<u32> {
    let mut bounds = Vec::new();
    let mut at = 0;
    for chunk in text.utf8_chunks() {
        bounds.extend(
            chunk
                .valid()
                .char_indices()
                .map(|(offset, _)| at + offset as u32),
        );
        at += chunk.valid().len() as u32;
        for _ in chunk.invalid() {
            bounds.push(at);
            at += 1;
        }
    }
    if !text.is_empty() {
        bounds.push(at);
    }
    bounds
}

/// Returns the first character of a text and its length, or `None` if the text is empty or its
/// first bytes are not valid UTF-8.
pub fn first(text: &[u8]) -> Option<(char, usize)> {
    let head = text.get(..4).unwrap_or(text);
    let valid = head.utf8_chunks().next()?.valid();
    let first = valid.chars().next()?;
    Some((first, first.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_character_is_found_before_broken_ones() {
        assert_eq!(first("ß\u{7ff}".as_bytes()), Some(('ß', 2)));
        assert_eq!(first(b"a\xff\xff\xff"), Some(('a', 1)));
        assert_eq!(first("😀".as_bytes()), Some(('😀', 4)));
        assert_eq!(first(b"\xff"), None);
        assert_eq!(first(b""), None);
    }
}
