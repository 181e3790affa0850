//! Places in texts, and texts in messages.

/// A place in a text, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// From 1.
    pub line: usize,
    /// In characters, from 1. What is not UTF-8 counts byte by byte.
    pub column: usize,
    /// First byte of the line.
    line_start: usize,
    offset: usize,
}

/// At most this many bytes of a line are shown on either side.
const CONTEXT: usize = 60;

impl Place {
    /// The place before byte `offset`; beyond the end is the end.
    pub fn of(source: &[u8], offset: usize) -> Self {
        let offset = offset.min(source.len());
        let before = &source[..offset];
        let line_start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        Place {
            line: 1 + before.iter().filter(|&&b| b == b'\n').count(),
            column: 1 + characters(&source[line_start..offset]),
            line_start,
            offset,
        }
    }

    /// The line with a caret below the place. Long lines are cut on both sides.
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

/// Characters of a text that may not be UTF-8.
fn characters(text: &[u8]) -> usize {
    text.utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}

/// On one line of a terminal, each character as one.
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

/// A text in quotes, with escapes for what cannot be seen.
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

/// The character at a place, in quotes; `None` at the end.
pub(crate) fn character_at(text: &[u8], offset: usize) -> Option<String> {
    let rest = &text[offset.min(text.len())..];
    let chunk = rest.utf8_chunks().next()?;
    Some(match chunk.valid().chars().next() {
        Some(c) => quoted(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => format!("byte 0x{:02x}", chunk.invalid().first()?),
    })
}

/// Words as a choice.
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
    fn the_caret_is_below_the_place() {
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
            let place = Place::of(source, offset);
            assert_eq!((place.line, place.column), (line, column), "{source:?}");
            assert_eq!(place.excerpt(source), excerpt);
        }
    }

    #[test]
    fn long_lines_are_cut() {
        let source = "x".repeat(1000);
        let excerpt = Place::of(source.as_bytes(), 500).excerpt(source.as_bytes());
        let lines: Vec<&str> = excerpt.lines().collect();
        assert!(lines[0].chars().count() < 140 && lines[0].contains('…'));
        let caret = lines[1].chars().count() - 1;
        assert_eq!(lines[0].chars().nth(caret), Some('x'));
    }
}
