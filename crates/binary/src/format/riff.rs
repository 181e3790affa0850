use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// The format RIFF: chunks and lists of chunks, as in WAV, AVI, and WebP. The number of frames of
/// WAV follows from the data.
///
/// Source: Microsoft, IBM, "Multimedia Programming Interface and Data Specifications 1.0", 1991.
pub(super) const RIFF: Format = Format {
    name: "RIFF",
    fits: |text| (text.starts_with(b"RIFF") || text.starts_with(b"RIFX")) && text.len() >= 12,
    read: |file| {
        let number = match file.text[3] {
            b'X' => Number::Big(4),
            _ => Number::Little(4),
        };
        let chunks = chunks(file, number, &[b"RIFF", b"RIFX", b"LIST"])?;
        let data = chunk(&chunks, b"data")?;
        let fact = chunk(&chunks, b"fact").map(|fact| fact.start..fact.start + 4);
        if fact
            .and_then(|count| frames(file, count, number, &data))
            .is_none()
        {
            let short = match number {
                Number::Big(_) => Number::Big(2),
                _ => Number::Little(2),
            };
            let format = chunk(&chunks, b"fmt ")?;
            let frame = file.peek(format.start + 12, short)?;
            file.units(data, usize::try_from(frame).ok()?, "frame");
        }
        Some(())
    },
};

/// The format IFF: chunks as in [`RIFF`], but with big-endian numbers, as in AIFF and files of the
/// Amiga. The number of frames of AIFF follows from the data.
///
/// Source: Electronic Arts, "EA IFF 85", 1985; Apple, "Audio Interchange File Format", 1989.
pub(super) const IFF: Format = Format {
    name: "IFF",
    fits: |text| {
        let is_kind = |kind: &[u8]| kind.iter().all(|byte| (b' '..=b'~').contains(byte));
        text.starts_with(b"FORM") && text.get(8..12).is_some_and(is_kind)
    },
    read: |file| {
        const WORD: Number = Number::Big(4);
        let chunks = chunks(file, WORD, &[b"FORM", b"LIST", b"CAT ", b"PROP"])?;
        let common = chunk(&chunks, b"COMM")?.start;
        if let Some(marks) = chunk(&chunks, b"MARK") {
            let _ = self::marks(file, marks);
        }
        let sound = chunk(&chunks, b"SSND").filter(|sound| sound.len() >= 8)?;
        let data = sound.start + 8..sound.end;
        file.region(data.clone(), "data");
        frames(file, common + 2..common + 6, WORD, &data)
    },
};

type Chunks = Vec<([u8; 4], Range<usize>)>;

/// Returns the data of the first chunk of a kind.
fn chunk(chunks: &Chunks, kind: &[u8; 4]) -> Option<Range<usize>> {
    let found = chunks.iter().find(|(found, _)| found == kind);
    found.map(|(_, data)| data.clone())
}

/// Adds a field that states the number of frames in the data, and adds the frames. Their length
/// follows.
fn frames(
    file: &mut Builder<'_>,
    place: Range<usize>,
    number: Number,
    data: &Range<usize>,
) -> Option<()> {
    let count = usize::try_from(file.peek(place.start, number)?).ok()?;
    let frame = data.len().checked_div(count).filter(|&frame| frame > 0)?;
    if frame * count != data.len() {
        return None;
    }
    let of = data.start as u32..data.end as u32;
    let unit = frame as u32;
    file.field(place, number, Means::Length { of, unit });
    file.units(data.clone(), frame, "frame");
    Some(())
}

/// Reads the marks of AIFF: a number, a place, and a name, filled up to two bytes.
fn marks(file: &mut Builder<'_>, data: Range<usize>) -> Option<()> {
    file.at = data.start;
    let (count, place) = file.number(Number::Big(2))?;
    let list = file.list();
    file.counts(place, Number::Big(2), list);
    for _ in 0..count {
        let start = file.at;
        file.pass(6)?;
        let name = file.length(Number::Big(1))?;
        let end = name.end + usize::from(name.len() % 2 == 0);
        if end > data.end {
            return None;
        }
        file.fills(name.start - 1, name.end..end, 2);
        file.item(list, start..end);
        file.region(start..end, "mark");
        file.at = end;
    }
    Some(())
}

/// Reads chunks, and those of the kinds `lists` as lists. Returns the data of all others.
fn chunks(file: &mut Builder<'_>, number: Number, lists: &[&[u8; 4]]) -> Option<Chunks> {
    let mut found = vec![];
    // The ends of the enclosing lists.
    let mut around: Vec<usize> = vec![];
    while file.at + 8 <= file.text.len() {
        let start = file.at;
        let tag: [u8; 4] = file.bytes(start..start + 4)?.try_into().ok()?;
        let is_list = lists.contains(&&tag);
        file.at = start + 4;
        let (length, place) = file.number(number)?;
        let length = usize::try_from(length).ok()?;
        let limit = around.last().copied().unwrap_or(file.text.len());
        // A truncated chunk ends with the file.
        let end = file.at.checked_add(length)?.min(limit).max(file.at);
        let data = file.at..end;
        if end - file.at == length {
            file.measures(place, number, data.clone());
        }
        let is_padded = length % 2 == 1 && end < limit && file.text.get(end) == Some(&0);
        let whole = end + usize::from(is_padded);
        // The chunks of a list are padded themselves, so the list needs no padding.
        let may_need = length % 2 == 0 && !is_list;
        if may_need || is_padded {
            file.fills(data.start, end..whole, 2);
        }
        if start > 0 {
            file.region(start..whole, "chunk");
        }
        if is_list && data.len() >= 4 {
            file.region(data.start + 4..end, "list");
            around.push(end);
            file.at = data.start + 4;
        } else {
            file.region(data.clone(), "data");
            file.at = whole;
            if file.keeps::<([u8; 4], Range<usize>)>() {
                found.push((tag, data));
            }
        }
        while around.last().is_some_and(|&end| end <= file.at + 1) {
            around.pop();
        }
    }
    Some(found)
}
