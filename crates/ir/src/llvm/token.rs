/// An LLVM IR token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Whether the token is the first token of its line.
    pub(crate) is_first: bool,
}

/// The kind of a [`Token`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// `%name`: a value or a type.
    Local,
    /// The name of an item: `@name`.
    Global,
    /// A reference to metadata: `!name` or `!7`.
    Metadata,
    /// A group of attributes: `#7`.
    Group,
    /// The name of a comdat: `$name`.
    Comdat,
    /// A record for debuggers: `#dbg_value`.
    Record,
    /// A label: `name:`.
    Label,
    /// A keyword, or a number.
    Word,
    /// A quoted text.
    Text,
    /// Any other character.
    Mark(u8),
}

impl Token {
    pub(crate) fn span(&self) -> std::ops::Range<u32> {
        self.start..self.end
    }

    pub(crate) fn of<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    pub(crate) fn is(&self, mark: u8) -> bool {
        self.kind == TokenKind::Mark(mark)
    }
}

/// An iterator over the tokens of a text, without comments.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    is_first: bool,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Tokens::from(text, 0)
    }

    /// Starts in the middle of a text.
    pub(crate) fn from(text: &'a [u8], at: usize) -> Self {
        Tokens {
            text,
            at,
            is_first: true,
        }
    }

    /// Returns the first byte after the last token that is not white space.
    pub(crate) fn peek(&self) -> Option<u8> {
        let rest = self.text.get(self.at..)?;
        rest.iter()
            .copied()
            .find(|byte| !byte.is_ascii_whitespace())
    }

    /// Skips the characters of a name, and returns whether there were any.
    fn name(&mut self) -> bool {
        let start = self.at;
        if self.text.get(self.at) == Some(&b'"') {
            self.quoted();
            return true;
        }
        while self
            .text
            .get(self.at)
            .is_some_and(|byte| NAME[usize::from(*byte)])
        {
            self.at += 1;
        }
        self.at > start
    }

    /// Skips text in quotes, up to the end of the text where the second quote is missing.
    fn quoted(&mut self) {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let len = rest.iter().position(|&byte| byte == b'"');
        self.at += 1 + len.map_or(rest.len(), |len| len + 1);
    }

    fn skip_space(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.get(self.at)?;
            match byte {
                b'\n' => self.is_first = true,
                b';' => {
                    let rest = &self.text[self.at..];
                    let len = rest.iter().position(|&byte| byte == b'\n');
                    self.at += len.unwrap_or(rest.len());
                    continue;
                }
                _ if byte.is_ascii_whitespace() => {}
                _ => return Some(byte),
            }
            self.at += 1;
        }
    }

    /// Converts a name before a colon to a label, which includes the colon.
    fn or_label(&mut self, kind: TokenKind) -> TokenKind {
        if self.text.get(self.at) == Some(&b':') {
            self.at += 1;
            return TokenKind::Label;
        }
        kind
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let byte = self.skip_space()?;
        let start = self.at;
        let next = self.text.get(start + 1).copied().unwrap_or(b' ');
        let kind = match byte {
            b'%' | b'@' | b'$' => {
                self.at += 1;
                match (self.name(), byte) {
                    (false, _) => TokenKind::Mark(byte),
                    (true, b'%') => TokenKind::Local,
                    (true, b'@') => TokenKind::Global,
                    (true, _) => TokenKind::Comdat,
                }
            }
            b'!' if next == b'\\' || NAME[usize::from(next)] => {
                self.at += 1;
                while self
                    .text
                    .get(self.at)
                    .is_some_and(|&byte| byte == b'\\' || NAME[usize::from(byte)])
                {
                    self.at += 1;
                }
                TokenKind::Metadata
            }
            b'#' if NAME[usize::from(next)] => {
                self.at += 1;
                self.name();
                match next.is_ascii_digit() {
                    true => TokenKind::Group,
                    false => TokenKind::Record,
                }
            }
            b'"' => {
                self.quoted();
                self.or_label(TokenKind::Text)
            }
            _ if NAME[usize::from(byte)] || byte == b'+' => {
                self.at += 1;
                self.name();
                // The sign belongs to the exponent of a number.
                let word = &self.text[start..self.at];
                let is_exponent = word[0].is_ascii_digit() || word[0] == b'-' || byte == b'+';
                if is_exponent
                    && word.last() == Some(&b'e')
                    && self.text.get(self.at) == Some(&b'+')
                {
                    self.at += 1;
                    self.name();
                }
                self.or_label(TokenKind::Word)
            }
            _ => {
                self.at += 1;
                TokenKind::Mark(byte)
            }
        };
        let is_first = std::mem::replace(&mut self.is_first, false);
        Some(Token {
            kind,
            start: start as u32,
            end: self.at as u32,
            is_first,
        })
    }
}

/// The bytes that names may have without quotes. Bytes above 127 are none, but a text with them is
/// read all the same.
static NAME: [bool; 256] = {
    let mut name = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let character = byte as u8;
        name[byte] = character.is_ascii_alphanumeric()
            || matches!(character, b'-' | b'$' | b'.' | b'_')
            || character >= 0x80;
        byte += 1;
    }
    name
};

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        let tokens = Tokens::new(text.as_bytes());
        tokens
            .map(|token| (token.kind, &text[token.start as usize..token.end as usize]))
            .collect()
    }

    #[test]
    fn names_and_words_are_told_apart() {
        use TokenKind::{Comdat, Global, Group, Label, Local, Mark, Metadata, Record, Text, Word};
        assert_eq!(
            kinds("%\"a b\" = @x ; no\n7: #dbg_value #12 !dbg !7 !{!\"s\"} $c -1 0x1e 1.0e+05"),
            [
                (Local, "%\"a b\""),
                (Mark(b'='), "="),
                (Global, "@x"),
                (Label, "7:"),
                (Record, "#dbg_value"),
                (Group, "#12"),
                (Metadata, "!dbg"),
                (Metadata, "!7"),
                (Mark(b'!'), "!"),
                (Mark(b'{'), "{"),
                (Mark(b'!'), "!"),
                (Text, "\"s\""),
                (Mark(b'}'), "}"),
                (Comdat, "$c"),
                (Word, "-1"),
                (Word, "0x1e"),
                (Word, "1.0e+05"),
            ]
        );
    }

    #[test]
    fn any_bytes_are_tokens() {
        for text in ["%", "@\"", "!", "#", "\"abc", "$", "\\", "%\"", "; x"] {
            let end = kinds(text).last().map_or(0, |(_, text)| text.len());
            assert!(end <= text.len(), "{text}");
        }
    }
}
