use std::collections::HashMap;

/// The lines of a text that a marker gives another number: `# 12 "x.h"` of a preprocessor, or
/// `#line 12 "x.h"`. A compiler prints these numbers, and not those of the lines in the file.
#[derive(Debug, Default)]
pub(super) struct Markers<'a> {
    /// The runs of lines by the name that the marker gives them.
    named: HashMap<&'a str, Vec<Lines>>,
}

/// Lines in a row.
#[derive(Clone, Copy, Debug)]
struct Lines {
    /// The number that the first of them is given, from 1.
    given: usize,
    /// The index of the first of them in the file, from 0.
    first: usize,
    /// The number of lines.
    count: usize,
}

impl<'a> Markers<'a> {
    pub(super) fn of(text: &'a [u8], starts: &[usize]) -> Self {
        let mut markers = Markers::default();
        let mut open: Option<(&'a str, Lines)> = None;
        let mut name: Option<&'a str> = None;
        for (at, &start) in starts.iter().enumerate() {
            if text.get(start) != Some(&b'#') {
                continue;
            }
            let end = starts.get(at + 1).copied().unwrap_or(text.len());
            let Some((given, new)) = marker(&text[start..end]) else {
                continue;
            };
            markers.close(open.take(), at);
            name = new.or(name);
            let lines = Lines {
                given,
                first: at + 1,
                count: 0,
            };
            open = name.map(|name| (name, lines));
        }
        markers.close(open, starts.len());
        markers
    }

    fn close(&mut self, open: Option<(&'a str, Lines)>, end: usize) {
        if let Some((name, lines)) = open {
            let count = end.saturating_sub(lines.first);
            let named = self.named.entry(name).or_default();
            named.push(Lines { count, ..lines });
        }
    }

    /// Returns whether some lines have the given name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    /// Returns the indexes of the lines in the file that have the given name and number.
    pub(super) fn lines(&self, name: &str, number: usize) -> Vec<usize> {
        let named = self.named.get(name).into_iter().flatten();
        let of = |lines: &Lines| {
            let nth = number.checked_sub(lines.given)?;
            (nth < lines.count).then_some(lines.first + nth)
        };
        named.filter_map(of).collect()
    }
}

/// Reads a marker: the number of the line after it, and the name if it has one.
fn marker(line: &[u8]) -> Option<(usize, Option<&str>)> {
    let line = std::str::from_utf8(line).ok()?.trim_end();
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = rest.split_at(digits);
    let name = rest.trim_start().strip_prefix('"');
    let name = name.and_then(|name| Some(name.split_once('"')?.0));
    Some((number.parse().ok()?, name))
}
