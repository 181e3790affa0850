use std::ops::Range;

/// A number of a text that counts parts of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The span of the digits.
    pub number: Range<u32>,
    /// The value of the number.
    pub value: u64,
    /// The part of the text in which the items are counted.
    pub region: Range<u32>,
    /// The kind of item that is counted.
    pub unit: Unit,
    /// The difference between the number and the number of items: 0, 1, or -1.
    pub more: i64,
    /// The position of the number among other numbers. The position is used to compare two texts.
    pub place: Place,
}

/// The kind of item that a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Lines that are not blank.
    Lines,
    /// Words, separated by white space.
    Words,
    /// Bytes.
    Bytes,
    /// Elements of a list, separated by commas.
    Elements,
    /// Clauses, each of which ends with a zero.
    Clauses,
    /// The greatest number of a variable.
    Variables,
    /// Rows of a table with cells of this kind.
    Rows(Cells),
    /// Columns of a table with cells of this kind.
    Columns(Cells),
}

/// The layout of the cells of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// The number of cells in a row of the table, in the text that was read.
    pub row: u32,
    /// The number of cells of a column within one row.
    pub column: u32,
    /// Whether a cell is a byte of a line, and not a word.
    pub are_bytes: bool,
}

/// The position of a number among other numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A field of a known format.
    Known,
    /// The number at this position among the first numbers of a text.
    Head(u8),
    /// The value of a key, identified by a hash of the key.
    Key(u64),
}

impl Count {
    /// Returns whether two numbers of different texts are likely to be the same count.
    pub fn is_like(&self, other: &Count) -> bool {
        let same_unit = match (self.unit, other.unit) {
            (Unit::Rows(one), Unit::Rows(two)) | (Unit::Columns(one), Unit::Columns(two)) => {
                one.are_bytes == two.are_bytes && one.column == two.column
            }
            (one, two) => one == two,
        };
        same_unit && self.place == other.place && self.more == other.more
    }
}

/// Returns the items of a region that a count counts: lines with their line ends, words, or
/// elements with a comma.
pub fn units(text: &[u8], count: &Count) -> Vec<Range<u32>> {
    let from = count.region.start;
    let region = slice(text, &count.region);
    let offset = |span: Range<usize>| from + span.start as u32..from + span.end as u32;
    match count.unit {
        Unit::Lines | Unit::Clauses | Unit::Bytes | Unit::Variables => {
            lines(region).map(offset).collect()
        }
        Unit::Words => words(region).map(offset).collect(),
        Unit::Elements => elements(region).into_iter().map(offset).collect(),
        Unit::Rows(_) | Unit::Columns(_) => vec![],
    }
}

/// Returns the cells of a table, in order.
pub fn cells(text: &[u8], region: &Range<u32>, cells: Cells) -> Vec<Range<u32>> {
    let from = region.start;
    let of = slice(text, region);
    let offset = |span: Range<usize>| from + span.start as u32..from + span.end as u32;
    if !cells.are_bytes {
        return words(of).map(offset).collect();
    }
    let bytes = (from..).zip(of);
    let bytes = bytes.filter(|(_, byte)| !byte.is_ascii_whitespace());
    bytes.map(|(at, _)| at..at + 1).collect()
}

/// Returns the bytes of a span, cut at the end of the text.
pub(crate) fn slice<'a>(text: &'a [u8], span: &Range<u32>) -> &'a [u8] {
    text.get(span.start as usize..span.end as usize)
        .unwrap_or_default()
}

/// Returns the lines that are not blank, each with its line end.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split_inclusive(|&byte| byte == b'\n')
        .filter_map(move |line| {
            let span = start..start + line.len();
            start = span.end;
            (!line.trim_ascii().is_empty()).then_some(span)
        })
}

/// Returns the words between white space.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let start = at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let len = text[start..].iter().position(u8::is_ascii_whitespace);
        at = len.map_or(text.len(), |len| start + len);
        Some(start..at)
    })
}

/// Returns the elements of a list. Each element includes the comma after it, and the last element
/// includes the comma before it.
pub(crate) fn elements(text: &[u8]) -> Vec<Range<usize>> {
    let (mut depth, mut quote, mut skip) = (0_usize, None, false);
    let (mut all, mut start) = (vec![], 0);
    for (at, &byte) in text.iter().enumerate() {
        match (quote, byte) {
            _ if skip => skip = false,
            (Some(_), b'\\') => skip = true,
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            (None, b',') if depth == 0 => {
                all.push(start..at + 1);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim_ascii().is_empty() {
        let before = usize::from(start > 0);
        all.push(start - before..text.len());
    }
    all
}
