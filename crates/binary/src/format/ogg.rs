use super::Format;
use super::builder::Builder;
use super::flac::comments;
use crate::layout::Piece;
use crate::{Number, Sum};
use std::collections::BTreeMap;

/// The format Ogg: pages with their numbers and sums, and packets with their lengths in tables. The
/// comments of Vorbis, Opus, and Theora are read.
///
/// Source: RFC 3533; Xiph.Org, "Vorbis I specification"; RFC 7845.
pub(super) const OGG: Format = Format {
    name: "Ogg",
    fits: |text| text.starts_with(PAGE),
    read: ogg,
};

const PAGE: &[u8] = b"OggS";

/// The beginnings of packets with comments.
const COMMENTS: [&[u8]; 3] = [b"\x03vorbis", b"OpusTags", b"\x81theora"];

fn ogg(file: &mut Builder<'_>) -> Option<()> {
    // The number of pages of each stream.
    let mut streams: BTreeMap<u64, usize> = BTreeMap::new();
    while file.text[file.at..].starts_with(PAGE) {
        let start = file.at;
        let header = file.skip(27)?;
        let count = usize::from(file.text[header.end - 1]);
        let table = file.skip(count)?;
        let len = file.text[table.clone()]
            .iter()
            .map(|&len| usize::from(len))
            .sum();
        let body = file.skip(len)?;
        file.measures(header.end - 1..header.end, Number::Little(1), table.clone());
        file.region(start..body.end, "page");
        let stream = file.peek(start + 14, Number::Little(4))?;
        let pages = *streams.entry(stream).or_insert_with(|| file.list());
        let number = file.items(pages).len();
        file.refers(
            start + 18..start + 22,
            Number::Little(4),
            pages,
            number as u64,
        );
        file.marks_last(start + 5, 4, pages, number);
        file.item(pages, start..body.end);
        let bytes = |from: usize, to: usize| Piece::Bytes(from as u32..to as u32);
        let over = vec![
            bytes(start, start + 22),
            Piece::Filler(0, 4),
            bytes(start + 26, body.end),
        ];
        file.sums(start + 22..start + 26, Number::Little(4), Sum::Ogg, over);
        let (mut lacing, mut at) = (table.start, body.start);
        while lacing < table.end {
            let place = table.start..table.end;
            let whole = Number::Lacing.read(&file.text[lacing..place.end]);
            // The rest of a packet may follow in the next page.
            let (len, width) = whole.map_or((body.end - at, place.end - lacing), |(len, width)| {
                (len as usize, width)
            });
            let packet = at..at + len;
            let entry = lacing..lacing + width;
            if whole.is_some() {
                file.measures(entry.clone(), Number::Lacing, packet.clone());
            }
            file.region(packet.clone(), "packet");
            file.group([entry.clone(), packet.clone()]);
            if let Some(kind) = COMMENTS
                .iter()
                .find(|kind| file.text[packet.clone()].starts_with(kind))
            {
                let _ = comments(file, packet.start + kind.len()..packet.end);
            }
            (lacing, at) = (entry.end, packet.end);
        }
        file.at = body.end;
    }
    file.region(file.at..file.text.len(), "rest");
    Some(())
}
