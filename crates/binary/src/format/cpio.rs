use super::Format;
use super::builder::Builder;
use crate::Number;
use std::ops::Range;

/// The format cpio: members with their headers, in the forms `newc` and `crc`, and in the old forms
/// in digits and in bytes.
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
            let read = |place: &Range<usize>, number: Number| {
                let value = number.read(&file.text[place.clone()])?.0;
                usize::try_from(value).ok()
            };
            let name_len = read(&name, kind.name_number)?;
            let data_len = read(&data, kind.number)?;
            let named = file.skip(name_len)?;
            fill(file, header.start, named.end, kind.align)?;
            let content = file.skip(data_len)?;
            let end = fill(file, content.start, content.end, kind.align)?;
            let is_last = file.text[named.clone()].starts_with(b"TRAILER!!!");
            file.measures(name, kind.name_number, named.clone());
            file.measures(data, kind.number, content.clone());
            file.region(start..end, if is_last { "end" } else { "member" });
            file.region(content.clone(), "data");
            file.file(content, named);
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
    name_number: Number,
    number: Number,
    align: usize,
}

impl Kind {
    fn of(text: &[u8]) -> Option<Kind> {
        let bytes = |name_number, number| {
            Some(Kind {
                header: 26,
                name: 20..22,
                data: 22..26,
                name_number,
                number,
                align: 2,
            })
        };
        match text.get(..2)? {
            b"\xc7\x71" => return bytes(Number::Little(2), Number::Middle),
            b"\x71\xc7" => return bytes(Number::Big(2), Number::Big(4)),
            _ => {}
        }
        match text.get(..6)? {
            b"070701" | b"070702" => Some(Kind {
                header: 110,
                name: 94..102,
                data: 54..62,
                name_number: Number::Hexadecimal(8),
                number: Number::Hexadecimal(8),
                align: 4,
            }),
            b"070707" => Some(Kind {
                header: 76,
                name: 59..65,
                data: 65..76,
                name_number: Number::Octal,
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
    file.bytes(at..end)?;
    if align > 1 {
        file.fills(from, at..end, align as u32);
    }
    file.at = end;
    Some(end)
}
