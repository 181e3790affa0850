use crate::{Layout, Means, Span};
use std::cmp::Reverse;
use std::fmt;

/// A layout as a text: a line for each region and field, with its offset, its length, and what it
/// is, indented by how they nest. Decoded content has offsets of its own.
///
/// ```
/// use nubbin_binary::read;
///
/// let riff = b"RIFF\x0c\0\0\0WAVEdata\0\0\0\0";
/// let shown = read(riff).unwrap().to_string();
/// assert!(shown.starts_with("RIFF, 20 bytes\n       4      4  length 12\n"), "{shown}");
/// ```
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(f, 0)
    }
}

/// The most levels of indentation.
const DEEPEST: usize = 40;

enum Row<'a> {
    Region(&'static str),
    Field(&'a crate::Field),
    Inner(&'a crate::Inner),
}

impl Layout {
    /// The depth of layouts in each other is bounded, so this may recurse.
    fn show(&self, f: &mut fmt::Formatter<'_>, outer: usize) -> fmt::Result {
        let indent = |depth: usize| 2 * (outer + depth).min(DEEPEST);
        writeln!(
            f,
            "{:1$}{2}, {3} bytes",
            "",
            indent(0),
            self.format,
            self.text.len()
        )?;
        let regions = self
            .regions
            .iter()
            .map(|region| (&region.span, Row::Region(region.kind)));
        let fields = self
            .fields
            .iter()
            .map(|field| (&field.span, Row::Field(field)));
        let inner = self
            .inner
            .iter()
            .map(|inner| (&inner.span, Row::Inner(inner)));
        let mut rows: Vec<(&Span, Row<'_>)> = regions.chain(fields).chain(inner).collect();
        rows.sort_by_key(|(span, _)| (span.start, Reverse(span.end)));
        let mut around: Vec<u32> = vec![];
        for (span, row) in rows {
            while around.last().is_some_and(|&end| end <= span.start) {
                around.pop();
            }
            let depth = indent(around.len());
            write!(
                f,
                "{:8} {:6}  {:depth$}",
                span.start,
                span.end - span.start,
                ""
            )?;
            match row {
                Row::Region(kind) => {
                    around.push(span.end);
                    writeln!(f, "{kind}")?;
                }
                Row::Field(field) => {
                    let bytes = self.bytes(span);
                    let value = field.number.read(bytes).map_or(0, |(value, _)| value);
                    match &field.means {
                        Means::Sum { sum, .. } => writeln!(f, "sum {sum:?} {value:#x}")?,
                        Means::Padding { .. } => writeln!(f, "padding")?,
                        means => writeln!(f, "{} {value}", means.name())?,
                    }
                }
                Row::Inner(inner) => {
                    writeln!(f, "{:?}:", inner.codec)?;
                    inner.layout.show(f, outer + around.len() + 1)?;
                }
            }
        }
        Ok(())
    }
}

impl Means {
    /// What such a field is called.
    pub fn name(&self) -> &'static str {
        match self {
            Means::Length { .. } => "length",
            Means::DecodedLength { .. } => "decoded length",
            Means::Count { .. } => "count",
            Means::Offset { .. } => "offset",
            Means::Index { .. } => "index",
            Means::Sum { .. } => "sum",
            Means::Padding { .. } => "padding",
        }
    }
}
