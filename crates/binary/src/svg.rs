use crate::Layout;
use crate::rows::{What, rows};
use std::fmt::{Display, Write};

/// The maximum number of regions, fields, and encoded parts of a picture.
const MAX_PARTS: usize = 20_000;

/// The maximum level of indentation.
const DEEPEST: usize = 24;

/// Pixels.
const LINE: f64 = 20.0;
const MARGIN: f64 = 16.0;
const CHARACTER: f64 = 7.8;
const INDENT: f64 = 14.0;
/// The position of the bars, and their length for the whole file.
const BARS: f64 = MARGIN + 17.0 * CHARACTER;
const LENGTH: f64 = 280.0;
/// The shortest bar, so that a field in a large file is seen.
const SHORTEST: f64 = 2.0;

/// Draws a layout as an SVG picture. Each region and field has a line with its offset, its length,
/// a bar that shows its position in the file, and its kind.
///
/// Decoded content has a heading and its own offsets and bars. The picture is readable on light and
/// dark backgrounds.
///
/// Returns `None` if there are more than 20,000 lines.
///
/// ```
/// use nubbin_binary::{read, svg};
///
/// let riff = b"RIFF\x0c\0\0\0WAVEdata\0\0\0\0";
/// let picture = svg(&read(riff).unwrap()).unwrap();
/// assert!(picture.contains(">length 12</text>"), "{picture}");
/// ```
pub fn svg(layout: &Layout) -> Option<String> {
    let mut lines = Lines::default();
    lines.numbers("offset", "length");
    lines.draw(layout, 0)?;
    let width = (BARS + LENGTH + lines.width + 2.0 * MARGIN).ceil();
    let height = (lines.count as f64 * LINE + 2.0 * MARGIN).ceil();
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"13\">\n{STYLE}{}</svg>\n",
        lines.out
    ))
}

/// The lines that have been drawn.
#[derive(Default)]
struct Lines {
    out: String,
    count: usize,
    /// The width of the widest text to the right of the bars.
    width: f64,
}

impl Lines {
    /// Draws the lines of a layout. The depth of layouts in each other is bounded, so this may
    /// recurse.
    fn draw(&mut self, layout: &Layout, outer: usize) -> Option<()> {
        let size = layout.text.len();
        self.label(
            outer,
            "heading",
            &format!("{}, {size} bytes", layout.format),
        );
        self.count += 1;
        let scale = LENGTH / (size.max(1) as f64);
        for row in rows(layout) {
            if self.count >= MAX_PARTS {
                return None;
            }
            let (start, length) = (row.span.start, row.span.end - row.span.start);
            let depth = outer + row.depth;
            let (class, text) = match row.what {
                What::Region(kind) => ("region", kind.to_owned()),
                What::Field(field) => ("field", layout.label(field)),
                What::Inner(codec, _) => ("inner", format!("{codec:?}")),
            };
            let y = MARGIN + self.count as f64 * LINE;
            let width = (f64::from(length) * scale).max(SHORTEST);
            let x = (BARS + f64::from(start) * scale).min(BARS + LENGTH - width);
            self.numbers(start, length);
            let _ = writeln!(
                self.out,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\"/>",
                y + 4.0,
                LINE - 7.0,
            );
            self.label(depth, class, &text);
            self.count += 1;
            if let What::Inner(_, content) = row.what {
                self.draw(content, depth + 1)?;
            }
        }
        Some(())
    }

    /// Draws the columns left of the bars. Writing to a string does not fail.
    fn numbers(&mut self, start: impl Display, length: impl Display) {
        let y = MARGIN + self.count as f64 * LINE + 14.0;
        for (end, number) in [(8.0, start.to_string()), (15.0, length.to_string())] {
            let x = MARGIN + end * CHARACTER;
            let _ = writeln!(
                self.out,
                "<text class=\"number\" x=\"{x:.1}\" y=\"{y:.1}\">{number}</text>"
            );
        }
    }

    fn label(&mut self, depth: usize, class: &str, text: &str) {
        let left = depth.min(DEEPEST) as f64 * INDENT;
        let x = BARS + LENGTH + MARGIN + left;
        let y = MARGIN + self.count as f64 * LINE + 14.0;
        let shown = escaped(text);
        let _ = writeln!(
            self.out,
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{shown}</text>"
        );
        let width = left + text.chars().count() as f64 * CHARACTER;
        self.width = self.width.max(width);
    }
}

/// Both backgrounds are painted, so that a viewer that ignores the preference still shows dark on
/// light.
const STYLE: &str = "<style>
svg { background: #ffffff; }
text { fill: #1f2933; }
text.number { fill: #7b8794; text-anchor: end; }
text.heading { font-weight: bold; }
text.field { fill: #9a5b00; }
rect.region { fill: #8fb0e8; }
rect.field { fill: #d08a2e; }
rect.inner { fill: #7fb38a; }
@media (prefers-color-scheme: dark) {
svg { background: #14181f; }
text { fill: #e4e9f0; }
text.number { fill: #93a1b3; }
text.field { fill: #e5b26b; }
rect.region { fill: #4d73b5; }
}
</style>
";

/// Escapes a text for XML. Names of formats and regions come from this crate, and labels contain no
/// other text, but a name may contain `<`.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
