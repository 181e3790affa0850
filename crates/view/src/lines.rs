//! Lines of a text.

use nubbin_edit::Span;

/// Returns the offsets at which the lines of a text begin, followed by the offset at which the text
/// ends. The result has one more element than the text has lines. A line includes its terminator
/// (`\n` or `\r\n`). An empty text has no lines.
///
/// ```
/// use nubbin_view::lines::bounds;
///
/// assert_eq!(bounds(b"one\r\ntwo\n\nthree"), [0, 5, 9, 10, 15]);
/// assert!(bounds(b"").is_empty());
/// ```
pub fn bounds(text: &[u8]) -> Vec<u32> {
    let mut bounds = Vec::new();
    if text.is_empty() {
        return bounds;
    }
    bounds.push(0);
    bounds.extend(
        text.iter()
            .enumerate()
            .filter(|&(_, &byte)| byte == b'\n')
            .map(|(at, _)| at as u32 + 1),
    );
    if !text.ends_with(b"\n") {
        bounds.push(text.len() as u32);
    }
    bounds
}

/// Returns the lines of a text, each with its terminator, in order.
pub fn lines(text: &[u8]) -> impl Iterator<Item = Span> + '_ {
    let mut at = 0;
    text.split_inclusive(|&byte| byte == b'\n')
        .map(move |line| {
            let span = Span::at(at, 0..line.len());
            at = span.end;
            span
        })
}

/// Returns the number of columns of white space at the beginning of a line, or `None` if the line
/// is blank. A tab counts as eight columns.
pub fn indent(line: &[u8]) -> Option<u32> {
    let mut columns = 0;
    for byte in line {
        match byte {
            b' ' => columns += 1,
            b'\t' => columns = (columns / 8 + 1) * 8,
            b'\r' | b'\n' | 0x0b | 0x0c => {}
            _ => return Some(columns),
        }
    }
    None
}

/// Returns whether a line has only white space.
pub fn is_blank(line: &[u8]) -> bool {
    line.iter()
        .all(|byte| byte.is_ascii_whitespace() || *byte == 0x0b)
}

/// Extends a span to whole lines if the rest of its first and last line is white space. The result
/// begins before the indentation and ends after the line end. If there is other text on one of the
/// two lines, the span is returned unchanged.
///
/// ```
/// use nubbin_edit::Span;
/// use nubbin_view::lines::widen;
///
/// let text = b"a\n  b; \n  c; d\n";
/// assert_eq!(widen(text, Span::new(4, 6)), Span::new(2, 8));
/// assert_eq!(widen(text, Span::new(10, 12)), Span::new(10, 12));
/// ```
pub fn widen(text: &[u8], span: Span) -> Span {
    let before = text.get(..span.start as usize).unwrap_or_default();
    let behind = text.get(span.end as usize..).unwrap_or_default();
    let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
    let left = before.iter().rev().take_while(blank).count();
    let right = behind.iter().take_while(blank).count();
    let begins = matches!(before.iter().rev().nth(left), None | Some(b'\n'));
    let newline = usize::from(behind.get(right) == Some(&b'\n'));
    let ends = newline == 1 || right == behind.len();
    if !begins || !ends {
        return span;
    }
    Span::new(
        span.start - left as u32,
        span.end + (right + newline) as u32,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tile_the_text() {
        for text in [&b""[..], b"\n", b"a", b"a\n", b"\n\n", b"\r\n\0\xff\nb\r"] {
            let spans: Vec<Span> = lines(text).collect();
            let mut starts: Vec<u32> = spans.iter().map(|line| line.start).collect();
            starts.extend(spans.last().map(|line| line.end));
            assert_eq!(starts, bounds(text));
        }
    }

    #[test]
    fn a_blank_line_has_no_indentation() {
        assert_eq!(indent(b"  \r\n"), None);
        assert_eq!(indent(b"  \tx"), Some(8));
        assert_eq!(indent(b"x"), Some(0));
        assert!(is_blank(b" \t\r\n") && !is_blank(b"\0"));
    }
}
