use crate::Layout;
use crate::rows::{What, rows};
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

/// The maximum level of indentation.
const DEEPEST: usize = 40;

impl Layout {
    /// The depth of layouts in each other is bounded, so this may recurse.
    fn show(&self, f: &mut fmt::Formatter<'_>, outer: usize) -> fmt::Result {
        let indent = |depth: usize| 2 * (outer + depth).min(DEEPEST);
        let size = self.text.len();
        writeln!(f, "{:1$}{2}, {size} bytes", "", indent(0), self.format)?;
        for row in rows(self) {
            let (start, length) = (row.span.start, row.span.end - row.span.start);
            let depth = indent(row.depth);
            write!(f, "{start:8} {length:6}  {:depth$}", "")?;
            match row.what {
                What::Region(kind) => writeln!(f, "{kind}")?,
                What::Field(field) => writeln!(f, "{}", self.label(field))?,
                What::Inner(codec, layout) => {
                    writeln!(f, "{codec:?}:")?;
                    layout.show(f, outer + row.depth + 1)?;
                }
            }
        }
        Ok(())
    }
}
