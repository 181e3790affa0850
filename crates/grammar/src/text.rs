//! Positions in texts, and quoted texts for messages.

/// A position in a text, as line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of the line, from 1.
    pub line: usize,
    /// The number of the column in characters, from 1. A byte that is not part of UTF-8 counts as
    /// one character.
    pub column: usize,
    /// The offset of the first byte of the line.
    line_start: usize,
    offset: usize,
}

/// The maximum number of bytes of a line that are shown on either side of a position.
const CONTEXT: usize = 60;

impl Position {
    /// Returns the position before byte `offset`. An offset beyond the end means the end.
    pub fn of(source: &[u8], offset: usize) -> Self {
        let offset = offset.min(source.len());
        let before = &source[..offset];
        let line_start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        Position {
            line: 1 + before.iter().filter(|&&b| b == b'\n').count(),
            column: 1 + characters(&source[line_start..offset]),
            line_start,
            offset,
        }
    }

    /// Returns the line with a caret below the position. Long lines are cut on both sides.
    pub fn excerpt(&self, source: &[u8]) -> String {
        let rest = &source[self.offset..];
        let line_end = self.offset + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let mut from = self.line_start.max(self.offset.saturating_sub(CONTEXT));
        let mut to = line_end.min(self.offset + CONTEXT);
        let inside = |at: usize| at < source.len() && source[at] & 0xc0 == 0x80;
        while from < self.offset && inside(from) {
            from += 1;
        }
        while to > self.offset && inside(to) {
            to -= 1;
        }
        let dots = |cut: bool| if cut { "…" } else { "" };
        let (left, right) = (dots(from > self.line_start), dots(to < line_end));
        let shown = shown(&source[from..to]);
        let indent = left.chars().count() + characters(&source[from..self.offset]);
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        format!(
            "{number} | {left}{shown}{right}\n{margin} | {}^",
            " ".repeat(indent)
        )
    }
}

/// Iterates over the characters of a text that may not be UTF-8.
fn characters(text: &[u8]) -> usize {
    text.utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}

/// Converts bytes for one line of a terminal, with one column per character.
fn shown(text: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in text.utf8_chunks() {
        let visible = |c: char| match c {
            '\t' => ' ',
            c if c.is_control() => '·',
            c => c,
        };
        shown.extend(chunk.valid().chars().map(visible));
        shown.extend(chunk.invalid().iter().map(|_| '�'));
    }
    shown
}

/// Returns a text in quotes, with escapes for invisible characters.
pub fn quoted(text: &[u8]) -> String {
    let mut quoted = String::from("\"");
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => quoted.push_str("\\\""),
                '\'' => quoted.push('\''),
                c => quoted.extend(c.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            quoted.push_str(&format!("\\x{byte:02x}"));
        }
    }
    quoted.push('"');
    quoted
}

/// Returns the character at an offset in quotes, or `None` at the end.
pub(crate) fn character_at(text: &[u8], offset: usize) -> Option<String> {
    let rest = &text[offset.min(text.len())..];
    let chunk = rest.utf8_chunks().next()?;
    Some(match chunk.valid().chars().next() {
        Some(c) => quoted(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => format!("byte 0x{:02x}", chunk.invalid().first()?),
    })
}

/// Joins words with commas and a final *or*.
pub(crate) fn one_of(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).into(),
        [some @ .., last] => format!("{} or {last}", some.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_is_below_the_position() {
        type Case = (&'static [u8], usize, (usize, usize), &'static str);
        let cases: [Case; 6] = [
            (b"1+*2", 2, (1, 3), "1 | 1+*2\n  |   ^"),
            (b"a\nb c", 4, (2, 3), "2 | b c\n  |   ^"),
            ("\u{e9}\u{e9}x".as_bytes(), 4, (1, 3), "1 | ééx\n  |   ^"),
            (b"\xff\xfex", 2, (1, 3), "1 | ��x\n  |   ^"),
            (b"", 0, (1, 1), "1 | \n  | ^"),
            (b"a\tb\x00", 2, (1, 3), "1 | a b·\n  |   ^"),
        ];
        for (source, offset, (line, column), excerpt) in cases {
            let place = Position::of(source, offset);
            assert_eq!((place.line, place.column), (line, column), "{source:?}");
            assert_eq!(place.excerpt(source), excerpt);
        }
    }

    #[test]
    fn long_lines_are_cut() {
        let source = "x".repeat(1000);
        let excerpt = Position::of(source.as_bytes(), 500).excerpt(source.as_bytes());
        let lines: Vec<&str> = excerpt.lines().collect();
        assert!(lines[0].chars().count() < 140 && lines[0].contains('…'));
        let caret = lines[1].chars().count() - 1;
        assert_eq!(lines[0].chars().nth(caret), Some('x'));
    }
}
