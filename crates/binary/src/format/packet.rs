//! The content of network packets.

use super::builder::Builder;
use crate::layout::Piece;
use crate::{Number, Sum};
use std::ops::Range;

/// The first header of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    Ethernet,
    /// A packet that begins with an IP header, whose first four bits state the version.
    Internet,
    /// A header of this many bytes, with the Ethernet type at this place.
    Cooked(usize, usize),
    Other,
}

impl Link {
    /// Returns the first header, by its number in captures.
    pub(super) fn of(number: u64) -> Link {
        match number {
            1 => Link::Ethernet,
            12 | 14 | 101 | 228 | 229 => Link::Internet,
            // Linux cooked capture, versions 1 and 2.
            113 => Link::Cooked(16, 14),
            276 => Link::Cooked(20, 0),
            _ => Link::Other,
        }
    }
}

const SHORT: Number = Number::Big(2);

fn bytes(range: Range<usize>) -> Piece {
    Piece::Bytes(range.start as u32..range.end as u32)
}

/// Reads IPv4 or IPv6 in a packet, and UDP, TCP, or ICMP in it, with their lengths and sums.
///
/// Source: RFC 791, 8200, 768, 9293, 792, 4443.
pub(super) fn packet(file: &mut Builder<'_>, link: Link, range: Range<usize>) -> Option<()> {
    let (at, place) = match link {
        Link::Ethernet => {
            // A VLAN tag comes before the type.
            let tags = range.start + 12;
            let is_tagged = file.bytes(tags..tags + 2)? == b"\x81\0";
            let place = tags + if is_tagged { 4 } else { 0 };
            (place + 2, Some(place))
        }
        Link::Cooked(header, place) => (range.start + header, Some(range.start + place)),
        Link::Internet => (range.start, None),
        Link::Other => return None,
    };
    let kind = match place {
        Some(place) => file.peek(place, SHORT)?,
        None => match file.bytes(at..at + 1)?[0] >> 4 {
            4 => 0x0800,
            6 => 0x86dd,
            _ => return None,
        },
    };
    match kind {
        _ if at >= range.end => None,
        0x0800 => version_4(file, at..range.end),
        0x86dd => version_6(file, at..range.end),
        _ => None,
    }
}

fn version_4(file: &mut Builder<'_>, range: Range<usize>) -> Option<()> {
    let at = range.start;
    let first = *file.bytes(range.clone())?.first()?;
    let header = usize::from(first & 15) * 4;
    let total = file.peek(at + 2, SHORT)? as usize;
    if first >> 4 != 4 || header < 20 || total < header || at + total > range.end {
        return None;
    }
    let end = at + total;
    file.measures(at + 2..at + 4, SHORT, at..end);
    let over = vec![
        bytes(at..at + 10),
        Piece::Filler(0, 2),
        bytes(at + 12..at + header),
    ];
    file.sums(at + 10..at + 12, SHORT, Sum::Internet, over);
    file.region(at..end, "datagram");
    let protocol = *file.text.get(at + 9)?;
    let inside = at + header..end;
    let pseudo = vec![
        bytes(at + 12..at + 20),
        Piece::Filler(0, 1),
        Piece::Filler(protocol, 1),
        Piece::Length(inside.start as u32..end as u32),
    ];
    transport(file, protocol, inside, pseudo)
}

fn version_6(file: &mut Builder<'_>, range: Range<usize>) -> Option<()> {
    let at = range.start;
    let length = file.peek(at + 4, SHORT)? as usize;
    let end = at + 40 + length;
    if file.text[at] >> 4 != 6 || end > range.end {
        return None;
    }
    let inside = at + 40..end;
    file.measures(at + 4..at + 6, SHORT, inside.clone());
    file.region(at..end, "datagram");
    let protocol = file.text[at + 6];
    let pseudo = vec![
        bytes(at + 8..at + 40),
        Piece::Filler(0, 2),
        Piece::Length(inside.start as u32..end as u32),
        Piece::Filler(0, 3),
        Piece::Filler(protocol, 1),
    ];
    transport(file, protocol, inside, pseudo)
}

/// Reads the content of a datagram, with a sum over a pseudo-header and the datagram.
fn transport(
    file: &mut Builder<'_>,
    protocol: u8,
    inside: Range<usize>,
    mut pseudo: Vec<Piece>,
) -> Option<()> {
    let Range { start, end } = inside;
    let sum = start
        + match protocol {
            6 => 16,
            17 => 6,
            1 | 58 => 2,
            _ => return None,
        };
    if sum + 2 > end {
        return None;
    }
    if protocol == 1 {
        pseudo.clear();
    }
    pseudo.extend([bytes(start..sum), Piece::Filler(0, 2), bytes(sum + 2..end)]);
    file.sums(sum..sum + 2, SHORT, Sum::Internet, pseudo);
    let body = match protocol {
        6 => start + usize::from(*file.text.get(start + 12)? >> 4) * 4,
        17 => {
            file.measures(start + 4..start + 6, SHORT, start..end);
            start + 8
        }
        _ => start + 8,
    };
    if body <= end {
        file.region(body..end, "payload");
    }
    Some(())
}
