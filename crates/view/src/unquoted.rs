//! Words of a command line without their quotes.

use nubbin_edit::Span;
use std::ops::Range;

/// A word of a command line as the program receives it, with the positions of its bytes in the
/// text.
///
/// Quotes and the backslashes before other characters belong to the text only. So a part of the
/// word is deleted or replaced inside of its quotes, which stay in pairs.
///
/// ```
/// use nubbin_edit::Span;
/// use nubbin_view::unquoted::Unquoted;
///
/// let word = Unquoted::new(b"-x='a b',c", 0);
/// assert_eq!(word.bytes(), b"-x=a b,c");
/// assert_eq!(word.spans(3..7), [Span::new(3, 9)]);
/// assert_eq!(word.spans(3..5), [Span::new(4, 6)]);
/// ```
#[derive(Clone, Debug)]
pub struct Unquoted {
    bytes: Vec<u8>,
    /// The place of each byte in the text, including a backslash before it.
    places: Vec<Span>,
    /// The quotes, each with the number of bytes before it.
    quotes: Vec<(usize, Span)>,
}

impl Unquoted {
    /// Creates the word of a text that begins at the offset `base`.
    pub fn new(text: &[u8], base: u32) -> Self {
        let mut word = Unquoted {
            bytes: Vec::with_capacity(text.len()),
            places: Vec::with_capacity(text.len()),
            quotes: Vec::new(),
        };
        let mut quote = None;
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            let is_quote = match quote {
                Some(open) => byte == open,
                None => matches!(byte, b'\'' | b'"'),
            };
            if is_quote {
                word.quotes
                    .push((word.bytes.len(), Span::at(base, at..at + 1)));
                quote = quote.is_none().then_some(byte);
                at += 1;
                continue;
            }
            let next = text.get(at + 1).copied();
            let is_escape = byte == b'\\'
                && next.is_some_and(|next| match quote {
                    Some(b'\'') => false,
                    Some(_) => b"$`\"\\".contains(&next),
                    None => true,
                });
            let len = 1 + usize::from(is_escape);
            word.bytes.push(text[at + len - 1]);
            word.places.push(Span::at(base, at..at + len));
            at += len;
        }
        word
    }

    /// Returns the bytes of the word.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns whether the text has quotes that it does not need: all of them are paired, and the
    /// bytes between them need no quotes.
    pub fn has_needless_quotes(&self) -> bool {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:@%+=,".contains(byte);
        let is_one = |place: &Span| place.len() == 1;
        let in_pairs = !self.quotes.is_empty() && self.quotes.len().is_multiple_of(2);
        let is_word = !self.bytes.is_empty() && !self.bytes.starts_with(b"=");
        in_pairs && is_word && self.bytes.iter().all(is_plain) && self.places.iter().all(is_one)
    }

    /// Returns the quotes in the text.
    pub fn quotes(&self) -> impl Iterator<Item = Span> {
        self.quotes.iter().map(|&(_, span)| span)
    }

    /// Returns the spans of a part of the word in the text. Quotes are included if they are paired
    /// within the part.
    pub fn spans(&self, part: Range<usize>) -> Vec<Span> {
        let places = self.places.get(part.clone()).unwrap_or_default();
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return Vec::new();
        };
        let (start, end) = (first.start, last.end);
        // The quotes in the part have the numbers from `begin` up to `behind`. They open and close
        // alternately.
        let begin = self
            .quotes
            .partition_point(|&(before, _)| before <= part.start);
        let behind = self
            .quotes
            .partition_point(|&(before, _)| before < part.end);
        let is_outside = |number: usize| number.is_multiple_of(2);
        let quote = |number: usize| self.quotes.get(number).map(|&(_, span)| span);
        let opened = || {
            let quote = quote(begin.checked_sub(1)?)?;
            // Quotes without content remain of the whole word, and are not removed with it.
            (quote.end == start && part.len() < self.bytes.len()).then_some(quote.start)
        };
        let closed = || {
            quote(behind)
                .filter(|quote| quote.start == end)
                .map(|quote| quote.end)
        };
        let start = if is_outside(begin) {
            Some(start)
        } else {
            opened()
        };
        let end = if is_outside(behind) {
            Some(end)
        } else {
            closed()
        };
        if let (Some(start), Some(end)) = (start, end) {
            return vec![Span::new(start, end)];
        }
        let mut spans: Vec<Span> = Vec::new();
        for place in places {
            match spans.last_mut() {
                Some(last) if last.end == place.start => last.end = place.end,
                _ => spans.push(*place),
            }
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;
    use nubbin_edit::Edit;

    /// Returns the text of a word without a part of it.
    fn without(text: &str, part: Range<usize>) -> String {
        let word = Unquoted::new(text.as_bytes(), 0);
        let left = Edit::delete_all(word.spans(part)).render(text.as_bytes());
        String::from_utf8(left).unwrap()
    }

    #[test]
    fn parts_are_removed_with_the_quotes_around_them() {
        assert_eq!(without("-x='a b'", 2..6), "-x");
        assert_eq!(without("-x='a b'", 3..5), "-x='b'");
        assert_eq!(without("'-x=a b'", 2..6), "'-x'");
        assert_eq!(without("-x='a,b'\"c\"", 5..7), "-x='a,'\"\"");
        assert_eq!(without("a'b'c'd'", 0..3), "'d'");
        assert_eq!(without("a\\,b", 1..3), "a");
        assert_eq!(without("\"a\\$b\"", 1..2), "\"ab\"");
        assert_eq!(without("'a'", 0..1), "''");
    }

    #[test]
    fn any_part_of_a_word_is_removed_from_its_text() {
        let letters = b"a='\"\\$ ";
        let mut count = 0;
        for number in 0..letters.len().pow(6) {
            let letter =
                |nth: usize| letters[number / letters.len().pow(nth as u32) % letters.len()];
            let text: Vec<u8> = (0..6).map(letter).collect();
            let word = Unquoted::new(&text, 0);
            let is_one = words(&text).first().is_some_and(|span| span.len() == 6);
            // In double quotes, the meaning of a backslash depends on the next character.
            let is_unclear = text.contains(&b'"') && text.contains(&b'\\');
            let is_open = word.quotes.len() % 2 == 1 || text.ends_with(b"\\");
            if !is_one || is_open || is_unclear {
                continue;
            }
            for start in 0..word.bytes.len() {
                for end in start + 1..=word.bytes.len() {
                    let left = Edit::delete_all(word.spans(start..end)).render(&text);
                    let wanted = [&word.bytes[..start], &word.bytes[end..]].concat();
                    let found = Unquoted::new(&left, 0).bytes;
                    assert_eq!(found, wanted, "{:?} {start}..{end}", text.escape_ascii());
                    count += 1;
                }
            }
        }
        assert!(count > 100_000, "{count}");
    }

    #[test]
    fn open_quotes_and_a_backslash_at_the_end_are_no_problem() {
        for text in [&b""[..], b"'", b"\"a", b"a\\", b"'a'\"", b"\\'"] {
            let word = Unquoted::new(text, 7);
            let len = word.bytes().len();
            for part in [0..len, 0..0, len..len + 3] {
                word.spans(part);
            }
            assert!(!word.has_needless_quotes());
        }
    }
}
