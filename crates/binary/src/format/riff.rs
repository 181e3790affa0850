use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;

/// Chunks and lists of chunks: WAV, AVI, WebP.
///
/// Source: Microsoft, IBM, "Multimedia Programming Interface and Data Specifications 1.0", 1991.
pub(super) const RIFF: Format = Format {
    name: "RIFF",
    fits: |text| text.starts_with(b"RIFF") && text.len() >= 12,
    read: riff,
};

fn riff(file: &mut Builder<'_>) -> Option<()> {
    // The ends of the lists around.
    let mut around: Vec<usize> = vec![];
    while file.at + 8 <= file.text.len() {
        let start = file.at;
        let tag = file.bytes(start..start + 4)?;
        let is_list = matches!(tag, b"RIFF" | b"LIST");
        file.at = start + 4;
        let number = Number::Little(4);
        let (length, place) = file.number(number)?;
        let length = usize::try_from(length).ok()?;
        let limit = around.last().copied().unwrap_or(file.text.len());
        // A chunk that is cut off ends with the file.
        let end = file.at.checked_add(length)?.min(limit).max(file.at);
        let data = file.at..end;
        if end - file.at == length {
            file.measures(place, number, data.clone());
        }
        let is_padded = length % 2 == 1 && end < limit && file.text.get(end) == Some(&0);
        let whole = end + usize::from(is_padded);
        // The chunks of a list are padded, so the list need not be.
        let may_need = length % 2 == 0 && !is_list;
        if may_need || is_padded {
            let from = data.start as u32;
            file.field(
                end..whole,
                number,
                Means::Padding {
                    filler: 0,
                    from,
                    multiple: 2,
                },
            );
        }
        if start > 0 {
            file.region(start..whole, "chunk");
        }
        if is_list && data.len() >= 4 {
            file.region(data.start + 4..end, "list");
            around.push(end);
            file.at = data.start + 4;
        } else {
            file.region(data, "data");
            file.at = whole;
        }
        while around.last().is_some_and(|&end| end <= file.at + 1) {
            around.pop();
        }
    }
    Some(())
}
