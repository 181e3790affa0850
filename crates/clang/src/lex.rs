//! The tokens of C and C++, as far as they are needed in gaps between declarations.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    Literal,
    Punctuation,
    /// A whole line that begins with `#`, with its line end.
    Directive,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) range: Range<usize>,
}

/// The tokens of a part of a text, without comments.
pub(crate) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
    is_line_start: bool,
}

/// Returns the tokens of a range of a text.
pub(crate) fn tokens(text: &[u8], range: Range<usize>) -> Tokens<'_> {
    let mut before = text[..range.start].iter().rev();
    let last = before.find(|byte| !matches!(byte, b' ' | b'\t'));
    Tokens {
        text,
        at: range.start,
        end: range.end.min(text.len()),
        is_line_start: matches!(last, None | Some(b'\n')),
    }
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// Returns whether a token is the given character.
pub(crate) fn is(text: &[u8], token: &Token, byte: u8) -> bool {
    token.kind == TokenKind::Punctuation && text[token.range.start] == byte
}

/// Returns whether a directive is a line marker, such as `# 1 "a.h" 3`.
pub(crate) fn is_marker(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"#").unwrap_or(line).trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest);
    rest.trim_ascii_start()
        .first()
        .is_some_and(u8::is_ascii_digit)
}

impl Tokens<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.at..self.end]
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let len = match rest {
                [b'\n', ..] => {
                    self.is_line_start = true;
                    1
                }
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => 1,
                [b'\\', b'\n', ..] => 2,
                [b'/', b'/', ..] => line_len(rest),
                [b'/', b'*', ..] => {
                    let end = rest.windows(2).skip(2).position(|two| two == b"*/");
                    end.map_or(rest.len(), |end| end + 4)
                }
                _ => return,
            };
            self.at += len;
        }
    }

    /// Returns the length of a literal whose quote is at an offset.
    fn quoted_len(&self, prefix: usize, is_raw: bool) -> usize {
        let rest = &self.rest()[prefix..];
        let quote = rest.first().copied().unwrap_or(b'"');
        if is_raw && let Some(open) = rest.iter().position(|&byte| byte == b'(') {
            let close = [b")", &rest[1..open], b"\""].concat();
            let end = rest.windows(close.len()).position(|part| part == close);
            return prefix + end.map_or(rest.len(), |end| end + close.len());
        }
        let mut at = 1;
        while at < rest.len() {
            match rest[at] {
                b'\\' => at += 1,
                b'\n' => break,
                byte if byte == quote => return prefix + at + 1,
                _ => {}
            }
            at += 1;
        }
        prefix + at.min(rest.len())
    }
}

/// Returns the length of a line with its end, and those that it continues on.
fn line_len(text: &[u8]) -> usize {
    let mut last = 0;
    for (at, &byte) in text.iter().enumerate() {
        if byte == b'\n' && last != b'\\' {
            return at + 1;
        }
        last = byte;
    }
    text.len()
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blank();
        let rest = self.rest();
        let &first = rest.first()?;
        let words = rest.iter().take_while(|byte| is_word(**byte)).count();
        let (kind, len) = match first {
            b'#' if self.is_line_start => (TokenKind::Directive, line_len(rest)),
            b'"' | b'\'' => (TokenKind::Literal, self.quoted_len(0, false)),
            b'0'..=b'9' => {
                let is_part = |byte: &&u8| is_word(**byte) || matches!(**byte, b'.' | b'\'');
                (TokenKind::Literal, rest.iter().take_while(is_part).count())
            }
            _ if words > 0 => {
                let word = &rest[..words];
                let is_prefix = matches!(
                    word,
                    b"R" | b"L" | b"u" | b"U" | b"u8" | b"LR" | b"uR" | b"UR" | b"u8R"
                );
                match rest.get(words) {
                    Some(b'"' | b'\'') if is_prefix => {
                        let is_raw = word.ends_with(b"R") && rest[words] == b'"';
                        (TokenKind::Literal, self.quoted_len(words, is_raw))
                    }
                    _ => (TokenKind::Word, words),
                }
            }
            _ => (TokenKind::Punctuation, 1),
        };
        let start = self.at;
        self.at += len.max(1);
        self.is_line_start = kind == TokenKind::Directive;
        Some(Token {
            kind,
            range: start..self.at.min(self.end),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_no_comments_and_whole_literals() {
        let text = br#"# 1 "a.h"
int a /* ; */ = 'x'; // b
auto s = R"x(";)x" + L"\"";"#;
        let found: Vec<_> = tokens(text, 0..text.len())
            .map(|token| std::str::from_utf8(&text[token.range]).unwrap())
            .collect();
        let expected = [
            "# 1 \"a.h\"\n",
            "int",
            "a",
            "=",
            "'x'",
            ";",
            "auto",
            "s",
            "=",
            r#"R"x(";)x""#,
            "+",
            r#"L"\"""#,
            ";",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_literal_without_an_end_ends_with_its_line() {
        let text = b"'abc\nx";
        let found: Vec<_> = tokens(text, 0..text.len())
            .map(|token| token.range)
            .collect();
        assert_eq!(found, [0..4, 5..6]);
    }
}
