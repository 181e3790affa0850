use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// Members with their headers: the formats `newc` and `crc`, and the old one in digits.
///
/// Source: cpio(5) of FreeBSD (Kientzle).
pub(super) const CPIO: Format = Format {
    name: "cpio",
    fits: |text| Kind::of(text).is_some(),
    read: |file| {
        while let Some(kind) = Kind::of(&file.text[file.at..]) {
            let start = file.at;
            let header = file.skip(kind.header)?;
            let place = |of: &Range<usize>| start + of.start..start + of.end;
            let [name, data] = [place(&kind.name), place(&kind.data)];
            let read = |place: &Range<usize>| {
                let value = kind.number.read(&file.text[place.clone()])?.0;
                usize::try_from(value).ok()
            };
            let [name_len, data_len] = [read(&name)?, read(&data)?];
            let named = file.skip(name_len)?;
            fill(file, header.start, named.end, kind.align)?;
            let content = file.skip(data_len)?;
            let end = fill(file, content.start, content.end, kind.align)?;
            let is_last = file.text[named.clone()].starts_with(b"TRAILER!!!");
            file.measures(name, kind.number, named);
            file.measures(data, kind.number, content.clone());
            file.region(start..end, if is_last { "end" } else { "member" });
            file.region(content.clone(), "data");
            file.content(content);
            if is_last {
                break;
            }
        }
        let rest = file.at..file.text.len();
        file.region(rest, "fill");
        Some(())
    },
};

/// The places in a header.
struct Kind {
    header: usize,
    name: Range<usize>,
    data: Range<usize>,
    number: Number,
    align: usize,
}

impl Kind {
    fn of(text: &[u8]) -> Option<Kind> {
        match text.get(..6)? {
            b"070701" | b"070702" => Some(Kind {
                header: 110,
                name: 94..102,
                data: 54..62,
                number: Number::Hexadecimal(8),
                align: 4,
            }),
            b"070707" => Some(Kind {
                header: 76,
                name: 59..65,
                data: 65..76,
                number: Number::Octal,
                align: 1,
            }),
            _ => None,
        }
    }
}

/// Adds the zeros that fill a span, and returns their end.
fn fill(file: &mut Builder<'_>, from: usize, at: usize, align: usize) -> Option<usize> {
    let end = from + (at - from).next_multiple_of(align);
    if align > 1 && file.bytes(at..end)?.iter().all(|&byte| byte == 0) {
        let means = Means::Padding {
            filler: 0,
            from: from as u32,
            multiple: align as u32,
        };
        file.field(at..end, Number::Little(1), means);
    }
    file.at = end;
    Some(end)
}
