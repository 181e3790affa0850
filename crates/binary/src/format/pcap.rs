use super::Format;
use super::builder::Builder;
use crate::layout::Piece;
use crate::{Number, Sum};
use std::ops::Range;

/// Packets, and within them Ethernet, IPv4, UDP, and TCP with their lengths and sums.
///
/// Source: IETF draft-ietf-opsawg-pcap; RFC 791, 768, 9293.
pub(super) const PCAP: Format = Format {
    name: "pcap",
    fits: |text| {
        let magics = [0xa1b2_c3d4_u32, 0xa1b2_3c4d];
        magics.iter().any(|magic| {
            text.starts_with(&magic.to_le_bytes()) || text.starts_with(&magic.to_be_bytes())
        })
    },
    read: pcap,
};

const SHORT: Number = Number::Big(2);

fn pcap(file: &mut Builder<'_>) -> Option<()> {
    let word = if file.text[0] == 0xa1 {
        Number::Big(4)
    } else {
        Number::Little(4)
    };
    let is_ethernet = file.peek(20, word)? & 0xffff == 1;
    file.skip(24)?;
    while file.at < file.text.len() {
        let start = file.at;
        file.skip(8)?;
        let (length, place) = file.number(word)?;
        let original = file.skip(4)?;
        let Some(data) = file.skip(usize::try_from(length).ok()?) else {
            file.region(start..file.text.len(), "rest");
            return None;
        };
        file.measures(place, word, data.clone());
        file.measures(original, word, data.clone());
        file.region(start..data.end, "packet");
        file.region(data.clone(), "data");
        if is_ethernet && file.bytes(data.start + 12..data.start + 14) == Some(b"\x08\0") {
            let _ = ip(file, data.start + 14..data.end);
        }
    }
    Some(())
}

fn ip(file: &mut Builder<'_>, range: Range<usize>) -> Option<()> {
    let at = range.start;
    let first = *file.bytes(range.clone())?.first()?;
    let header = usize::from(first & 15) * 4;
    let total = file.peek(at + 2, SHORT)? as usize;
    if first >> 4 != 4 || header < 20 || total < header || at + total > range.end {
        return None;
    }
    let end = at + total;
    file.measures(at + 2..at + 4, SHORT, at..end);
    let bytes = |range: Range<usize>| Piece::Bytes(range.start as u32..range.end as u32);
    let over = vec![
        bytes(at..at + 10),
        Piece::Filler(0, 2),
        bytes(at + 12..at + header),
    ];
    file.sums(at + 10..at + 12, SHORT, Sum::Internet, over);
    file.region(at..end, "datagram");
    let inside = at + header;
    let protocol = *file.text.get(at + 9)?;
    let sum = match protocol {
        6 => inside + 16,
        17 => inside + 6,
        _ => return None,
    };
    if sum + 2 > end {
        return None;
    }
    let over = vec![
        bytes(at + 12..at + 20),
        Piece::Filler(0, 1),
        Piece::Filler(protocol, 1),
        Piece::Length(inside as u32..end as u32),
        bytes(inside..sum),
        Piece::Filler(0, 2),
        bytes(sum + 2..end),
    ];
    file.sums(sum..sum + 2, SHORT, Sum::Internet, over);
    let body = match protocol {
        17 => {
            file.measures(inside + 4..inside + 6, SHORT, inside..end);
            inside + 8
        }
        _ => inside + usize::from(*file.text.get(inside + 12)? >> 4) * 4,
    };
    if body <= end {
        file.region(body..end, "payload");
    }
    Some(())
}
