use super::Format;
use super::builder::Builder;
use crate::layout::{Means, Piece};
use crate::{Number, Sum};
use std::ops::Range;

/// The format PNG: chunks with their checksums. Image data is decoded, even if it is divided among
/// consecutive chunks. The height of the image follows from the number of its rows.
///
/// Source: PNG specification, third edition, W3C 2023.
pub(super) const PNG: Format = Format {
    name: "PNG",
    fits: |text| text.starts_with(b"\x89PNG\r\n\x1a\n"),
    read: png,
};

fn png(file: &mut Builder<'_>) -> Option<()> {
    let chunks = chunks(file);
    let images: Vec<&Chunk> = chunks
        .iter()
        .filter(|chunk| chunk.tag == *b"IDAT")
        .collect();
    let is_row = images.windows(2).all(|pair| pair[0].end() == pair[1].start);
    let data: Vec<Range<usize>> = images.iter().map(|image| image.data.clone()).collect();
    let rest = images.iter().skip(1).map(|image| image.start..image.end());
    let rest: Vec<Range<usize>> = rest.collect();
    let image = is_row.then(|| file.inflate_divided(&data, &rest)).flatten();
    for chunk in &chunks {
        // The frame of a further `IDAT` chunk is left out, since the first one will have its data.
        let is_first = images
            .first()
            .is_some_and(|first| first.start == chunk.start);
        let is_rest = image.is_some() && chunk.tag == *b"IDAT" && !is_first;
        if !is_rest {
            chunk.add_to(file)?;
        }
    }
    let end = chunks.last().map_or(8, Chunk::end);
    file.region(end..file.text.len(), "rest");
    let header = chunks.iter().find(|chunk| chunk.tag == *b"IHDR");
    if let (Some(inner), Some(header)) = (image, header) {
        let row = row_bytes(file, header.data.start)?;
        file.rows(inner, row as usize);
        let height = header.data.start + 4..header.data.start + 8;
        file.field(height, WORD, Means::DecodedLength { inner, unit: row });
    }
    Some(())
}

const WORD: Number = Number::Big(4);

struct Chunk {
    start: usize,
    tag: [u8; 4],
    data: Range<usize>,
}

/// Returns the chunks that are whole.
fn chunks(file: &Builder<'_>) -> Vec<Chunk> {
    let mut chunks = vec![];
    let mut at = 8;
    while let Some(chunk) = Chunk::read(file, at) {
        at = chunk.end();
        chunks.push(chunk);
    }
    chunks
}

impl Chunk {
    fn read(file: &Builder<'_>, start: usize) -> Option<Self> {
        let length = usize::try_from(file.peek(start, WORD)?).ok()?;
        let tag = file.bytes(start + 4..start + 8)?.try_into().ok()?;
        let data = start + 8..(start + 8).checked_add(length)?;
        file.bytes(data.start..data.end.checked_add(4)?)?;
        Some(Chunk { start, tag, data })
    }

    fn end(&self) -> usize {
        self.data.end + 4
    }

    fn add_to(&self, file: &mut Builder<'_>) -> Option<()> {
        let data = self.data.clone();
        file.measures(self.start..self.start + 4, WORD, data.clone());
        let summed = Piece::Bytes(self.start as u32 + 4..data.end as u32);
        file.sums(data.end..self.end(), WORD, Sum::Crc32, vec![summed]);
        file.region(self.start..self.end(), "chunk");
        file.region(data.clone(), "data");
        if let b"zTXt" | b"iCCP" = &self.tag {
            let key = file.bytes(data.clone())?.iter().position(|&byte| byte == 0);
            if let Some(key) = key {
                file.inflate((data.start + key + 2).min(data.end)..data.end, true);
            }
        }
        Some(())
    }
}

/// The bytes of a row of an image that is not interlaced, with the byte of its filter.
fn row_bytes(file: &Builder<'_>, header: usize) -> Option<u32> {
    let width = file.peek(header, Number::Big(4))?;
    let depth = u64::from(*file.text.get(header + 8)?);
    let channels = match file.text.get(header + 9)? {
        2 => 3,
        4 => 2,
        6 => 4,
        _ => 1,
    };
    let is_plain = file.text.get(header + 12) == Some(&0);
    let bytes = width.checked_mul(depth * channels)?.div_ceil(8) + 1;
    u32::try_from(bytes).ok().filter(|_| is_plain)
}
