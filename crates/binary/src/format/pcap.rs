use super::Format;
use super::builder::Builder;
use super::packet::{Link, packet};
use crate::Number;
use std::ops::Range;

/// The format pcap: packets with their lengths and contents.
///
/// Source: IETF draft-ietf-opsawg-pcap.
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

/// The format pcapng: blocks with their lengths at both ends, options, interfaces, and packets.
///
/// Source: IETF draft-ietf-opsawg-pcapng.
pub(super) const PCAPNG: Format = Format {
    name: "pcapng",
    fits: |text| text.starts_with(b"\n\r\r\n") && order(text, 8).is_some(),
    read: pcapng,
};

fn pcap(file: &mut Builder<'_>) -> Option<()> {
    let word = if file.text[0] == 0xa1 {
        Number::Big(4)
    } else {
        Number::Little(4)
    };
    let link = Link::of(file.peek(20, word)? & 0xffff);
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
        packet(file, link, data);
    }
    Some(())
}

/// Reads the mark of the byte order of a section.
fn order(text: &[u8], at: usize) -> Option<[Number; 2]> {
    match text.get(at..at + 4)? {
        b"\x4d\x3c\x2b\x1a" => Some([Number::Little(2), Number::Little(4)]),
        b"\x1a\x2b\x3c\x4d" => Some([Number::Big(2), Number::Big(4)]),
        _ => None,
    }
}

fn pcapng(file: &mut Builder<'_>) -> Option<()> {
    const SECTION: u64 = 0x0a0d_0d0a;
    let [mut short, mut word] = order(file.text, 8)?;
    let (mut links, mut list) = (vec![], file.list());
    while file.at + 12 <= file.text.len() {
        let start = file.at;
        let kind = file.peek(start, word)?;
        if kind == SECTION {
            [short, word] = order(file.text, start + 8)?;
            (links, list) = (vec![], file.list());
        }
        let length = usize::try_from(file.peek(start + 4, word)?).ok()?;
        let whole = start..start.checked_add(length)?;
        let behind = whole.end.checked_sub(4).filter(|&end| end >= start + 8)?;
        if file.peek(behind, word)? != length as u64 {
            file.region(start..file.text.len(), "rest");
            return None;
        }
        file.measures(start + 4..start + 8, word, whole.clone());
        file.measures(behind..whole.end, word, whole.clone());
        file.region(whole.clone(), "block");
        let body = start + 8;
        let rest = match kind {
            SECTION => body + 16,
            1 => {
                if !file.keeps::<Link>() {
                    return None;
                }
                links.push(Link::of(file.peek(body, short)?));
                file.item(list, whole.clone());
                body + 8
            }
            6 => {
                let interface = file.peek(body, word)?;
                // A packet without an interface number belongs to the first interface.
                file.refers_or(body..body + 4, word, list, interface, 0);
                let link = usize::try_from(interface).ok();
                let link = link.and_then(|nth| links.get(nth).copied());
                captured(file, word, body + 12, Some(body + 16), behind, link)?
            }
            3 => {
                let link = links.first().copied();
                captured(file, word, body, None, behind, link)?
            }
            _ => behind,
        };
        options(file, short, rest..behind);
        file.at = whole.end;
    }
    Some(())
}

/// Reads the data of a packet after its length, and returns the end of its padding.
fn captured(
    file: &mut Builder<'_>,
    word: Number,
    place: usize,
    original: Option<usize>,
    within: usize,
    link: Option<Link>,
) -> Option<usize> {
    let length = usize::try_from(file.peek(place, word)?).ok()?;
    let start = original.unwrap_or(place) + 4;
    let data = start..start.checked_add(length)?;
    let end = padded(file, data.clone(), within)?;
    file.measures(place..place + 4, word, data.clone());
    if let Some(original) = original {
        file.measures(original..original + 4, word, data.clone());
    }
    file.region(data.clone(), "data");
    packet(file, link.unwrap_or(Link::Other), data);
    Some(end)
}

/// Adds the padding of some bytes to a multiple of four, and returns its end.
fn padded(file: &mut Builder<'_>, data: Range<usize>, within: usize) -> Option<usize> {
    let end = data.start + data.len().next_multiple_of(4);
    if end > within {
        return None;
    }
    file.fills(data.start, data.end..end, 4);
    Some(end)
}

fn options(file: &mut Builder<'_>, short: Number, within: Range<usize>) -> Option<()> {
    let mut at = within.start;
    file.region(within.clone(), "options");
    while at + 4 <= within.end {
        let length = usize::try_from(file.peek(at + 2, short)?).ok()?;
        let data = at + 4..at + 4 + length;
        let end = padded(file, data.clone(), within.end)?;
        file.measures(at + 2..at + 4, short, data);
        file.region(at..end, "option");
        at = end;
    }
    Some(())
}
