use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// The format of MP4, QuickTime, and their fragments: nested boxes, tables, and samples. The tables
/// of sizes and of offsets are updated when samples lose bytes.
///
/// Source: ISO/IEC 14496-12, ISO base media file format, 2022.
pub(super) const MP4: Format = Format {
    name: "MP4",
    fits: |text| matches!(text.get(4..8), Some(b"ftyp" | b"styp" | b"moov" | b"wide")),
    read: mp4,
};

const WORD: Number = Number::Big(4);
const LONG: Number = Number::Big(8);

/// The maximum depth of nested boxes.
const DEEPEST: usize = 32;

/// A box whose boxes are read.
struct Open {
    kind: [u8; 4],
    start: usize,
    end: usize,
    /// The number of boxes in the box, and the place of that number, if it is stated.
    count: Option<(u64, Range<usize>)>,
    boxes: Vec<Range<usize>>,
}

/// The tables of a track from which the places of its samples follow.
#[derive(Default)]
struct Track {
    /// The offsets of the chunks, with their places.
    chunks: Vec<usize>,
    /// The first chunk of each run, from 1, and the number of samples in each chunk.
    runs: Vec<(u64, u64)>,
    /// The size of each sample and its place.
    sizes: Vec<(usize, Range<usize>)>,
}

fn mp4(file: &mut Builder<'_>) -> Option<()> {
    let mut stack: Vec<Open> = vec![];
    let mut track = Track::default();
    loop {
        while let Some(done) = stack.pop_if(|open| open.end <= file.at) {
            close(file, done, &mut track);
        }
        let end = stack.last().map_or(file.text.len(), |open| open.end);
        let start = file.at;
        if start >= end {
            return Some(());
        }
        let (size, place) = file.number(WORD)?;
        let kind: [u8; 4] = file.text.get(file.skip(4)?)?.try_into().ok()?;
        let size = match size {
            0 => end - start,
            1 => {
                let (size, place) = file.number(LONG)?;
                let size = usize::try_from(size).ok()?;
                if start.checked_add(size)? <= end {
                    file.measures(place, LONG, start..start + size);
                }
                size
            }
            size => {
                let size = usize::try_from(size).ok()?;
                if start.checked_add(size)? <= end {
                    file.measures(place, WORD, start..start + size);
                }
                size
            }
        };
        // A truncated box ends with its enclosing box.
        let whole = start..start.checked_add(size)?.min(end);
        if whole.end < file.at {
            return None;
        }
        if let Some(around) = stack.last_mut() {
            around.boxes.push(whole.clone());
        }
        file.region(whole.clone(), "box");
        let data = file.at..whole.end;
        let header = header(file, kind, data.start);
        if let Some(header) = header.filter(|&header| data.len() >= header && stack.len() < DEEPEST)
        {
            let count = (header == 8).then_some(data.start + 4..data.start + 8);
            let count = count.and_then(|place| Some((file.peek(place.start, WORD)?, place)));
            file.region(data.start + header..data.end, "boxes");
            file.at = data.start + header;
            stack.push(Open {
                kind,
                start,
                end: whole.end,
                count,
                boxes: vec![],
            });
            continue;
        }
        file.region(data.clone(), "data");
        let moof = stack.iter().find(|open| open.kind == *b"moof");
        let moof = moof.map(|open| open.start);
        let _ = table(file, kind, data.clone(), &mut track, moof);
        file.at = data.end;
    }
}

/// Completes a box with boxes in it.
fn close(file: &mut Builder<'_>, done: Open, track: &mut Track) {
    if let Some((count, place)) = done.count
        && count == done.boxes.len() as u64
    {
        let list = file.list();
        for part in done.boxes {
            file.item(list, part);
        }
        file.counts(place, WORD, list);
    }
    if done.kind == *b"stbl" {
        samples(file, std::mem::take(track));
    }
}

/// Returns the length of the data before the boxes in a box whose data begin there.
fn header(file: &Builder<'_>, kind: [u8; 4], start: usize) -> Option<usize> {
    match &kind {
        b"moov" | b"trak" | b"mdia" | b"minf" | b"stbl" | b"dinf" | b"edts" | b"udta" | b"mvex"
        | b"moof" | b"traf" | b"mfra" | b"ilst" => Some(0),
        // In QuickTime, this box has neither a version nor flags.
        b"meta" if file.peek(start + 4, WORD) == Some(u64::from(u32::from_be_bytes(*b"hdlr"))) => {
            Some(0)
        }
        b"meta" => Some(4),
        b"stsd" | b"dref" => Some(8),
        _ => None,
    }
}

/// Reads a table of equal entries after their count.
fn table(
    file: &mut Builder<'_>,
    kind: [u8; 4],
    data: Range<usize>,
    track: &mut Track,
    moof: Option<usize>,
) -> Option<()> {
    let (header, width) = match &kind {
        b"stco" | b"stss" => (4, 4),
        b"co64" | b"stts" | b"ctts" => (4, 8),
        b"stsc" => (4, 12),
        // The first number is the common size of all samples, or zero.
        b"stsz" if file.peek(data.start + 4, WORD)? == 0 => (8, 4),
        b"trun" => {
            let flags = file.peek(data.start, WORD)?;
            let offset = usize::try_from(file.peek(data.start + 8, WORD)?).ok()?;
            if flags & 1 != 0 {
                let moof = moof?;
                let place = data.start + 8..data.start + 12;
                file.points(place, WORD, moof.checked_add(offset)?, moof);
            }
            return None;
        }
        _ => return None,
    };
    let place = data.start + header..data.start + header + 4;
    let count = file.peek(place.start, WORD)?;
    let list = file.list();
    file.counts(place.clone(), WORD, list);
    for nth in 0..usize::try_from(count).ok()? {
        let at = place.end.checked_add(nth.checked_mul(width)?)?;
        let entry = at..at.checked_add(width)?;
        file.bytes(entry.clone())?;
        if entry.end > data.end || !file.keeps::<(usize, Range<usize>)>() {
            return None;
        }
        file.region(entry.clone(), "entry");
        file.item(list, entry.clone());
        match &kind {
            b"stco" | b"co64" => {
                let number = Number::Big(width as u8);
                let to = usize::try_from(file.peek(at, number)?).ok()?;
                file.points(entry, number, to, 0);
                track.chunks.push(to);
            }
            b"stsc" => track
                .runs
                .push((file.peek(at, WORD)?, file.peek(at + 4, WORD)?)),
            b"stsz" => {
                let size = usize::try_from(file.peek(at, WORD)?).ok()?;
                track.sizes.push((size, entry));
            }
            _ => {}
        }
    }
    Some(())
}

/// Finds the samples of a track in its chunks.
fn samples(file: &mut Builder<'_>, track: Track) {
    let mut sizes = track.sizes.into_iter();
    let mut runs = track.runs.iter().peekable();
    let mut each = 0;
    for (nth, &chunk) in track.chunks.iter().enumerate() {
        while let Some(&(_, samples)) = runs.next_if(|(first, _)| *first <= nth as u64 + 1) {
            each = samples;
        }
        let mut at = chunk;
        for _ in 0..each {
            let Some((size, place)) = sizes.next() else {
                return;
            };
            let Some(end) = at.checked_add(size).filter(|&end| end <= file.text.len()) else {
                return;
            };
            let of = at as u32..end as u32;
            file.field(place, WORD, Means::Length { of, unit: 1 });
            file.region(at..end, "sample");
            at = end;
        }
    }
}
