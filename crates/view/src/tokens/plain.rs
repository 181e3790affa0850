use super::{Token, TokenKind};
use crate::chars;
use nubbin_edit::Span;

/// Returns the number of tokens by the plain rule. See the [module documentation](super).
///
/// ```
/// use nubbin_view::tokens::count;
///
/// assert_eq!(count(b"x1 += f(\"a \\\" b\", 0x1F);"), 10);
/// assert_eq!(count(b"don't"), 3);                     // no second quote anywhere
/// ```
pub fn count(text: &[u8]) -> usize {
    lex(text).count()
}

/// Returns the tokens by the plain rule. See the [module documentation](super).
pub fn lex(text: &[u8]) -> Lexer<'_> {
    Lexer {
        text,
        at: 0,
        hopeless: [false; 2],
    }
}

/// The iterator of [`lex`].
#[derive(Clone, Debug)]
pub struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// For `"` and `'`: whether no further string is closed. In the text after an unclosed quote,
    /// every other such quote is escaped, so all following strings are unclosed too.
    hopeless: [bool; 2],
}

impl Lexer<'_> {
    fn byte(&self, at: usize) -> Option<u8> {
        self.text.get(at).copied()
    }

    /// Returns the end of the run of bytes from `at` that are part of a word, or dots where
    /// allowed.
    fn word_end(&self, mut at: usize, dots: bool) -> usize {
        while let Some(byte) = self.byte(at) {
            match byte {
                _ if byte.is_ascii_alphanumeric() || byte == b'_' => at += 1,
                b'.' if dots => at += 1,
                0x80.. => match chars::first(&self.text[at..]) {
                    Some((c, len)) if c.is_alphanumeric() => at += len,
                    _ => break,
                },
                _ => break,
            }
        }
        at
    }

    /// Returns the end of a string that opens at `at`.
    fn string_end(&mut self, at: usize, quote: u8) -> Option<usize> {
        let hopeless = usize::from(quote == b'\'');
        if self.hopeless[hopeless] {
            return None;
        }
        let mut end = at + 1;
        while let Some(byte) = self.byte(end) {
            if byte == quote {
                return Some(end + 1);
            }
            end += if byte == b'\\' { 2 } else { 1 };
        }
        self.hopeless[hopeless] = true;
        None
    }

    /// Returns the length of the white space at `at`, or 0 if there is none.
    fn space(&self, at: usize) -> usize {
        match self.byte(at) {
            // The information separators count as white space, as they do in Python.
            Some(b'\t'..=b'\r' | 0x1c..=0x1f | b' ') => 1,
            Some(0x80..) => match chars::first(&self.text[at..]) {
                Some((c, len)) if c.is_whitespace() => len,
                _ => 0,
            },
            _ => 0,
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            match self.space(self.at) {
                0 => break,
                len => self.at += len,
            }
        }
        let start = self.at;
        let byte = self.byte(start)?;
        let (kind, end) = match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => (TokenKind::Word, self.word_end(start, false)),
            b'0'..=b'9' => (TokenKind::Number, self.word_end(start, true)),
            b'"' | b'\'' => match self.string_end(start, byte) {
                Some(end) => (TokenKind::String, end),
                None => (TokenKind::Punct, start + 1),
            },
            0x80.. => {
                let len = chars::first(&self.text[start..]).map_or(1, |(_, len)| len);
                (TokenKind::Punct, start + len)
            }
            _ => (TokenKind::Punct, start + 1),
        };
        self.at = end;
        Some(Token {
            kind,
            span: Span::at(0, start..end),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        lex(text.as_bytes())
            .map(|token| &text[token.span.range()])
            .collect()
    }

    #[test]
    fn words_numbers_strings_and_single_bytes() {
        assert_eq!(
            texts("a_1 = 0x1F.5e+3 -\"x\\\"\ny\"'c'->"),
            [
                "a_1",
                "=",
                "0x1F.5e",
                "+",
                "3",
                "-",
                "\"x\\\"\ny\"",
                "'c'",
                "-",
                ">"
            ]
        );
        assert_eq!(texts("don't \" x"), ["don", "'", "t", "\"", "x"]);
    }

    #[test]
    fn letters_beyond_ascii_continue_a_word_and_others_end_it() {
        assert_eq!(texts("naïve€ ß1"), ["naïve", "€", "ß", "1"]);
        assert_eq!(texts("a\u{a0}b\u{1c}c"), ["a", "b", "c"]);
    }

    #[test]
    fn odd_bytes_are_tokens_of_their_own() {
        assert_eq!(count(b"\0\xff\xe2\x82 \x7f"), 5);
        assert_eq!(count(b"\"\\"), 2);
        assert_eq!(count(b""), 0);
    }

    #[test]
    fn unclosed_quotes_cost_no_more_than_others() {
        let text = "\\\"\\'".repeat(500_000);
        assert_eq!(
            count(text.as_bytes()),
            2_000_000 - 500_000 * 2 + 500_000 * 2
        );
    }
}
