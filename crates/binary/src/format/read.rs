//! The reading of whole files.

use super::bounds::{Bounds, LARGEST};
use super::builder::Builder;
use super::catalogue::layout;
use super::text::{self, TEXT};
use super::{encoded, guess as guessing};
use crate::Layout;

/// Returns the structure of a file. Returns `None` if its format is unknown, or if the file is
/// larger than [`LARGEST`].
pub fn read(text: &[u8]) -> Option<Layout> {
    if text.len() > LARGEST {
        return None;
    }
    read_within(text, Bounds::of(text.len()))
}

/// Returns the structure of a file as [`read`] does, within other limits.
pub fn read_within(text: &[u8], bounds: Bounds) -> Option<Layout> {
    let mut budget = bounds.budget(layout);
    layout(text, &mut budget)
}

/// Returns the structure of a text that contains encoded parts: base64 or hexadecimal digits that
/// encode bytes of a known format, or text. Returns `None` if there are no such parts, or if the
/// text is larger than [`LARGEST`].
///
/// ```
/// use nubbin_binary::{Cut, read_encoded};
///
/// let text = b"{\"note\": \"YSBsaW5lCmFub3RoZXIgbGluZQo=\"}";
/// let layout = read_encoded(text).unwrap();
/// let view = layout.view();
/// assert_eq!(view.text, b"{\"note\": \"a line\nanother line\n\"}");
/// let line = view.regions[0].0.clone();
/// let less = Cut::render(&layout.rewrite(&[Cut::remove(line)]), text);
/// assert_eq!(less, b"{\"note\": \"YW5vdGhlciBsaW5lCg==\"}");
/// ```
pub fn read_encoded(text: &[u8]) -> Option<Layout> {
    if text.len() > LARGEST {
        return None;
    }
    let mut budget = Bounds::of(text.len()).budget(layout);
    let mut builder = Builder::new(TEXT, text, &mut budget);
    encoded::parts(&mut builder);
    Some(builder.finish()).filter(|layout| !layout.inner.is_empty())
}

/// Guesses the structure of a file of an unknown format from numbers that explain each other:
/// records with their lengths, tables of offsets, counts, and checksums. The guess can be wrong.
///
/// Returns `None` if no such structure is found, if the file has almost no control characters, or
/// if it is larger than [`LARGEST`].
///
/// ```
/// use nubbin_binary::{Cut, guess};
///
/// let records = b"MAGIC\x03\0\x01\x02\x03\x07\0\x08\x08\x08\x08\x08\x08\x08\x02\0\xff\xfe\x01\0\x11";
/// let layout = guess(records).unwrap();
/// let names: Vec<&str> = layout.regions.iter().map(|region| region.kind).collect();
/// assert_eq!(names, ["record", "data", "record", "data", "record", "data", "record", "data"]);
/// ```
pub fn guess(text: &[u8]) -> Option<Layout> {
    if text.len() > LARGEST || text::oddness(text) < text::Oddness::Some {
        return None;
    }
    let mut budget = Bounds::of(text.len()).budget(layout);
    let mut builder = Builder::new("data", text, &mut budget);
    guessing::guess(&mut builder);
    if builder.is_opaque() {
        return None;
    }
    builder.add_gaps();
    Some(builder.finish())
}
