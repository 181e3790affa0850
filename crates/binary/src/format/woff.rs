use super::Format;
use super::builder::Builder;
use super::true_type::TRUE_TYPE;
use crate::Codec;
use crate::woff::{MAGIC, decode};

/// The format WOFF: a compressed font, decoded to a font without compression, from which a file is
/// written.
pub(super) const WOFF: Format = Format {
    name: "WOFF",
    fits: |text| text.starts_with(MAGIC),
    read: woff,
};

fn woff(file: &mut Builder<'_>) -> Option<()> {
    let all = 0..file.text.len();
    // Tables may overlap, so the decoded content may be larger than the file.
    file.reads(file.text.len())?;
    let content = decode(file.text, file.decodes())?;
    file.decoded(all, Codec::Woff, &content, |text, budget| {
        TRUE_TYPE.layout(text, budget)
    })?;
    Some(())
}
