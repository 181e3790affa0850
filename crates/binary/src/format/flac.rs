use super::Format;
use super::builder::Builder;
use crate::layout::Piece;
use crate::{Number, Sum};
use std::ops::Range;

/// The format FLAC: blocks of metadata, of which the last one is marked, and frames with their
/// numbers and sums.
///
/// Source: RFC 9639.
pub(super) const FLAC: Format = Format {
    name: "FLAC",
    fits: |text| text.starts_with(b"fLaC"),
    read: |file| {
        file.pass(4)?;
        let blocks = file.list();
        let (mut count, mut info, mut points) = (0, None, vec![]);
        loop {
            let start = file.at;
            let kind = *file.text.get(start)?;
            file.pass(1)?;
            let data = file.length(Number::Big(3))?;
            file.at = data.end;
            file.marks_last(start, 0x80, blocks, count);
            file.item(blocks, start..data.end);
            file.region(start..data.end, "block");
            file.region(data.clone(), "data");
            count += 1;
            let _ = match kind & 0x7f {
                0 => {
                    info = Some(data.clone());
                    Some(())
                }
                3 => {
                    points.extend(data.clone().step_by(18));
                    Some(())
                }
                4 => comments(file, data.clone()),
                6 => picture(file, data.clone()),
                _ => Some(()),
            };
            file.at = data.end;
            if kind & 0x80 != 0 {
                break;
            }
        }
        let start = file.at;
        let frames = frames(file, start, info);
        for at in points {
            let Some(offset) = file.peek(at + 8, Number::Big(8)) else {
                break;
            };
            file.region(at..at + 18, "point");
            let to = usize::try_from(offset)
                .ok()
                .and_then(|to| to.checked_add(start));
            if let Some(to) = to.filter(|to| frames.binary_search(to).is_ok()) {
                file.points(at + 8..at + 16, Number::Big(8), to, start);
            }
        }
        Some(())
    },
};

/// Reads the comments of Vorbis: the name of the program, a count, and texts.
pub(super) fn comments(file: &mut Builder<'_>, within: Range<usize>) -> Option<()> {
    const WORD: Number = Number::Little(4);
    file.at = within.start;
    let program = file.length(WORD)?;
    file.region(program.clone(), "text");
    file.at = program.end;
    let (count, place) = file.number(WORD)?;
    let list = file.list();
    file.counts(place, WORD, list);
    for _ in 0..count {
        let start = file.at;
        let text = file.length(WORD)?;
        if text.end > within.end {
            return None;
        }
        file.at = text.end;
        file.item(list, start..text.end);
        file.region(start..text.end, "comment");
        file.region(text, "text");
    }
    Some(())
}

fn picture(file: &mut Builder<'_>, within: Range<usize>) -> Option<()> {
    const WORD: Number = Number::Big(4);
    file.at = within.start + 4;
    for _ in 0..2 {
        let text = file.length(WORD)?;
        file.region(text.clone(), "text");
        file.at = text.end;
    }
    file.pass(16)?;
    let data = file.length(WORD)?;
    if data.end <= within.end {
        file.region(data.clone(), "data");
        file.content(data);
    }
    Some(())
}

/// The header of a frame.
struct Header {
    /// The place of the number of the frame.
    number: Range<usize>,
    /// Whether the number is the number of the frame, and not the number of its first sample.
    is_fixed: bool,
    /// The number of samples in a channel.
    samples: u32,
    /// The position of the sum.
    sum: usize,
}

impl Header {
    /// Reads a header whose sum is right.
    fn read(text: &[u8], at: usize) -> Option<Header> {
        let [0xff, second @ 0xf8..=0xf9, sizes, _, ..] = *text.get(at..)? else {
            return None;
        };
        let (_, len) = Number::Utf8.read(&text[at + 4..])?;
        let number = at + 4..at + 4 + len;
        let value = |width: u8| Number::Big(width).read(text.get(number.end..)?);
        let (samples, more) = match sizes >> 4 {
            0 => return None,
            1 => (192, 0),
            log @ 2..=5 => (144 << log, 0),
            6 => (value(1)?.0 as u32 + 1, 1),
            7 => (value(2)?.0 as u32 + 1, 2),
            log => (1 << log, 0),
        };
        let rate = match sizes & 15 {
            12 => 1,
            13 | 14 => 2,
            15 => return None,
            _ => 0,
        };
        let sum = number.end + more + rate;
        let is_right = u64::from(*text.get(sum)?) == Sum::Crc8.of(&text[at..sum]);
        is_right.then_some(Header {
            number,
            is_fixed: second == 0xf8,
            samples,
            sum,
        })
    }
}

/// Reads frames: a header begins one, and where the sum before it is right, it ends the one before.
/// Returns their places.
fn frames(file: &mut Builder<'_>, start: usize, info: Option<Range<usize>>) -> Vec<usize> {
    let text = file.text;
    let list = file.list();
    let mut starts = vec![];
    let mut next = Header::read(text, start).map(|header| (start, header));
    // All frames except the last one have the same length.
    let samples = next.as_ref().map_or(0, |(_, header)| header.samples);
    let mut is_even = true;
    while let Some((at, header)) = next.take() {
        let mut end = text.len();
        for place in header.sum + 3..text.len() {
            let Some(header) = Header::read(text, place) else {
                continue;
            };
            if file.reads(place - at).is_none() {
                return starts;
            }
            if is_summed(text, at..place) {
                (end, next) = (place, Some((place, header)));
                break;
            }
        }
        if next.is_none() && !is_summed(text, at..end) || file.reads(end - at).is_none() {
            break;
        }
        let bytes = |range: Range<usize>| vec![Piece::Bytes(range.start as u32..range.end as u32)];
        if header.is_fixed {
            let item = starts.len() as u64;
            file.refers(header.number, Number::Utf8, list, item);
        }
        let sum = header.sum;
        file.sums(sum..sum + 1, Number::Big(1), Sum::Crc8, bytes(at..sum));
        file.sums(end - 2..end, Number::Big(2), Sum::Crc16, bytes(at..end - 2));
        file.region(at..end, "frame");
        file.region(sum + 1..end - 2, "data");
        // A shorter last frame has fewer samples, so the count of frames would be wrong with it.
        if header.samples == samples {
            file.item(list, at..end);
        } else {
            is_even &= next.is_none();
        }
        starts.push(at);
    }
    let last = starts.last().copied().unwrap_or(start);
    if starts.is_empty() {
        file.region(last..text.len(), "rest");
    }
    // The number of samples has 36 bits and follows other fields. Its width is fixed as long as the
    // number only gets smaller.
    if let Some(info) = info.filter(|info| info.len() >= 26 && is_even && samples > 0) {
        let means = crate::Means::Count {
            list,
            each: samples,
        };
        file.field(info.start + 13..info.start + 18, Number::Big(5), means);
    }
    starts
}

fn is_summed(text: &[u8], frame: Range<usize>) -> bool {
    let sum = frame.end.saturating_sub(2);
    frame.start < sum
        && Number::Big(2)
            .read(&text[sum..frame.end])
            .map(|(sum, _)| sum)
            == Some(Sum::Crc16.of(&text[frame.start..sum]))
}
