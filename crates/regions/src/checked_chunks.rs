use nubbin_edit::{Edit, File, Span, Splice};
use nubbin_engine::work::{
    Alternatives, Chain, Context, Pass, PassInfo, Places, Spans, Work, optional,
};
use std::ops::Range;
use std::sync::Arc;

/// Deletes chunks that have a length and a CRC-32, and parts of their data together with an update
/// of both.
///
/// A chunk is an integer of 4 bytes, perhaps a tag of 4 or 8, as many bytes as the integer states,
/// and a CRC-32. The CRC-32 covers these bytes, or the tag and these bytes, or all bytes of the
/// chunk before it. Both byte orders are possible for the integer and for the sum. PNG and similar
/// formats consist of such chunks, and so do many logs and stores. A chunk whose sum is correct is
/// not a coincidence, so there are few candidates and all are certain, while `length-fields`
/// guesses. `length-fields` cannot help here, since the sum is wrong after any deletion.
///
/// First come the chunks, as a list that can be deleted as a whole. Then comes the data of each,
/// largest first: all of it, the last and the first half, quarter, and so on. There is one
/// success per chunk and opening.
///
/// Cost: some tests per needed chunk and about 2 log2(length) tests for its data, and no tests in a
/// file without such sums. The search stops after [`CheckedChunks::MOST_WORK`] bytes have been
/// summed.
///
/// Source: nubbin.
///
/// ```
/// use nubbin_reduce::pass::{CheckedChunks, preview};
///
/// let chunk = b"\0\0\0\x02tEXtab3y\x84\x1e";
/// let first = preview(&CheckedChunks, chunk, 2);
/// assert_eq!(first.len(), 2);
/// assert_eq!(first[0], "");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckedChunks;

impl CheckedChunks {
    /// The maximum number of bytes that are summed in one opening of the pass.
    pub const MOST_WORK: usize = 32 << 20;
}

impl Pass for CheckedChunks {
    fn info(&self) -> PassInfo {
        PassInfo::new(
            "checked-chunks",
            "deletes chunks that have a CRC-32, and parts of them with their length and sum",
            "nubbin",
        )
    }

    fn open(&self, file: &File<'_>, context: &Context<'_>) -> Option<Work> {
        let mut chunks = chunks(file.text);
        if chunks.is_empty() {
            return None;
        }
        let whole = chunks
            .iter()
            .map(|chunk| Span::at(file.span.start, chunk.whole()));
        let whole = optional(Spans::new(whole.collect::<Vec<_>>()));
        chunks.sort_by_key(|chunk| std::cmp::Reverse(chunk.data.len()));
        let parts = Work::Machine(Box::new(Alternatives::new(Parts {
            base: file.span.start,
            text: file.text.into(),
            chunks,
        })));
        Chain::work([whole, parts], context.lists)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Chunk {
    /// The offset of the length field, which has 4 bytes.
    length: usize,
    data: Range<usize>,
    /// The start of the summed bytes. The summed bytes end with the data, and the sum follows them.
    summed: usize,
    /// The byte order of the length and of the sum.
    big: (bool, bool),
}

impl Chunk {
    fn whole(&self) -> Range<usize> {
        self.length..self.data.end + 4
    }
}

fn number(text: &[u8], at: usize, big: bool) -> Option<u32> {
    let bytes: [u8; 4] = text.get(at..at + 4)?.try_into().ok()?;
    Some(if big {
        u32::from_be_bytes(bytes)
    } else {
        u32::from_le_bytes(bytes)
    })
}

fn written(number: u32, big: bool) -> [u8; 4] {
    if big {
        number.to_be_bytes()
    } else {
        number.to_le_bytes()
    }
}

/// Returns the chunks of a file, in order; none within another.
fn chunks(text: &[u8]) -> Vec<Chunk> {
    let mut found = vec![];
    let mut work = 0;
    let mut at = 0;
    while at + 8 <= text.len() && work < CheckedChunks::MOST_WORK {
        match chunk(text, at, &mut work) {
            Some(chunk) => {
                at = chunk.whole().end;
                found.push(chunk);
            }
            None => at += 1,
        }
    }
    found
}

/// Returns the chunk whose length is here.
fn chunk(text: &[u8], at: usize, work: &mut usize) -> Option<Chunk> {
    for big_length in [true, false] {
        let len = number(text, at, big_length)? as usize;
        for tag in [4, 0, 8] {
            let start = at + 4 + tag;
            let data = start..start.checked_add(len)?;
            let Some(sum) = text.get(data.end..).filter(|rest| rest.len() >= 4) else {
                continue;
            };
            let starts = [at + 4, at, start];
            for summed in starts.into_iter().take(if tag == 0 { 2 } else { 3 }) {
                // The checksum of no bytes is 0, and zeros are frequent.
                if data.end <= summed + 1 {
                    continue;
                }
                *work += data.end - summed;
                let crc = crc32(&[&text[summed..data.end]]);
                let big_sum = [true, false]
                    .into_iter()
                    .find(|&big| sum.starts_with(&written(crc, big)));
                if let Some(big_sum) = big_sum {
                    let big = (big_length, big_sum);
                    return Some(Chunk {
                        length: at,
                        data,
                        summed,
                        big,
                    });
                }
            }
        }
    }
    None
}

/// Parts of the data of chunks, largest first.
struct Parts {
    base: u32,
    text: Arc<[u8]>,
    chunks: Vec<Chunk>,
}

impl Places for Parts {
    fn count(&self) -> usize {
        self.chunks.len()
    }

    fn alternative(&self, place: usize, number: usize) -> Option<Edit> {
        let chunk = self.chunks.get(place)?;
        let data = &chunk.data;
        // The alternatives are all data, then the last and the first bytes of each size.
        let size = data.len() >> number.div_ceil(2);
        if size == 0 {
            return None;
        }
        let gone = if number % 2 == 1 || number == 0 {
            data.end - size..data.end
        } else {
            data.start..data.start + size
        };
        let length = written((data.len() - size) as u32, chunk.big.0);
        let head = self.text.get(chunk.summed..data.start).unwrap_or_default();
        // If the checksum covers the length, it covers the new length.
        let skipped = 4 * usize::from(chunk.summed == chunk.length);
        let crc = crc32(&[
            &length[..skipped],
            head.get(skipped..).unwrap_or_default(),
            self.text
                .get(data.start.max(chunk.summed)..gone.start)
                .unwrap_or_default(),
            self.text.get(gone.end..data.end)?,
        ]);
        let at = |range: Range<usize>| Span::at(self.base, range);
        Edit::new([
            Splice::replace(at(chunk.length..chunk.length + 4), &length),
            Splice::delete(at(gone)),
            Splice::replace(at(data.end..data.end + 4), &written(crc, chunk.big.1)),
        ])
        .ok()
    }
}

/// Returns the CRC-32 of some pieces one after the other, as Ethernet, zip and PNG have it.
fn crc32(pieces: &[&[u8]]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    pieces.iter().for_each(|piece| sum.update(piece));
    sum.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nubbin_engine::testing::{proposals, reduce_with};

    fn png_chunk(tag: &[u8], data: &[u8]) -> Vec<u8> {
        let length = (data.len() as u32).to_be_bytes();
        [&length[..], tag, data, &crc32(&[tag, data]).to_be_bytes()].concat()
    }

    /// Returns the tags and data of a file of nothing but sound chunks.
    fn read(mut text: &[u8]) -> Option<Vec<(&[u8], &[u8])>> {
        let mut found = vec![];
        while !text.is_empty() {
            let len = number(text, 0, true)? as usize;
            let body = text.get(4..8 + len)?;
            if number(text, 8 + len, true)? != crc32(&[body]) {
                return None;
            }
            found.push(body.split_at(4));
            text = &text[12 + len..];
        }
        Some(found)
    }

    #[test]
    fn the_sum_is_the_usual_one() {
        assert_eq!(crc32(&[b"1234", b"56789"]), 0xcbf4_3926);
    }

    #[test]
    fn chunks_are_removed_and_shortened() {
        let text = [
            png_chunk(b"HEAD", b"0123"),
            png_chunk(b"tEXt", b"key and a long remark"),
            png_chunk(b"tEXt", b"other"),
            png_chunk(b"IEND", b""),
        ]
        .concat();
        assert_eq!(chunks(&text).len(), 4);
        let needed = |text: &[u8]| {
            read(text).is_some_and(|chunks| {
                let tags: Vec<&[u8]> = chunks.iter().map(|(tag, _)| *tag).collect();
                tags.starts_with(&[b"HEAD"])
                    && tags.ends_with(&[b"IEND"])
                    && chunks.iter().any(|(_, data)| data.starts_with(b"key and"))
            })
        };
        let mut left = text;
        for _ in 0..4 {
            left = reduce_with(&CheckedChunks, &left, needed);
        }
        let wanted = [
            png_chunk(b"HEAD", b""),
            png_chunk(b"tEXt", b"key and"),
            png_chunk(b"IEND", b""),
        ];
        assert_eq!(left, wanted.concat());
    }

    #[test]
    fn sums_over_all_before_them_and_other_orders_are_kept_right() {
        let data = b"some data of a record";
        let length = (data.len() as u32).to_le_bytes();
        let sum = crc32(&[&length, data]).to_le_bytes();
        let text = [&b"\x01"[..], &length, data, &sum, b"\x02"].concat();
        let sound = |text: &[u8]| {
            let found = chunks(text);
            found.len() == 1 && found[0].whole() == (1..text.len() - 1) && text.contains(&b'd')
        };
        let left = reduce_with(&CheckedChunks, &text, sound);
        assert!(left.len() < text.len(), "{left:?}");
    }

    #[test]
    fn a_file_without_sums_is_left_alone() {
        for text in [
            vec![0; 5_000],
            vec![0xff; 5_000],
            (0..=255).cycle().take(5_000).collect(),
        ] {
            assert!(proposals(&CheckedChunks, &text).is_empty());
        }
    }
}
