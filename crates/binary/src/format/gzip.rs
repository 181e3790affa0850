use super::Format;
use super::builder::Builder;
use crate::layout::{Means, Piece};
use crate::{Number, Sum};

pub(super) const GZIP: Format = Format {
    name: "gzip",
    fits: |text| text.starts_with(b"\x1f\x8b\x08"),
    read: gzip,
};

pub(super) const ZLIB: Format = Format {
    name: "zlib",
    fits: |text| match *text {
        [method @ (0x48 | 0x58 | 0x68 | 0x78), flags, ..] => {
            (u16::from(method) << 8 | u16::from(flags)).is_multiple_of(31) && flags & 0x20 == 0
        }
        _ => false,
    },
    read: |file| {
        let (_, range) = file.inflate(0..file.text.len(), true)?;
        file.region(range.end..file.text.len(), "rest");
        Some(())
    },
};

/// Source: RFC 1952.
fn gzip(file: &mut Builder<'_>) -> Option<()> {
    while file.at < file.text.len() {
        let start = file.at;
        if file.bytes(start..start + 3)? != b"\x1f\x8b\x08" {
            file.region(start..file.text.len(), "rest");
            return None;
        }
        let flags = *file.text.get(start + 3)?;
        file.skip(10)?;
        if flags & 4 != 0 {
            let extra = file.length(Number::Little(2))?;
            file.region(extra.clone(), "extra");
            file.at = extra.end;
        }
        let mut name = None;
        for flag in [8, 16] {
            if flags & flag != 0 {
                let len = file
                    .text
                    .get(file.at..)?
                    .iter()
                    .position(|&byte| byte == 0)?;
                let text = file.at..file.at + len;
                file.region(text.clone(), "name");
                if flag == 8 {
                    name = Some(text);
                }
                file.skip(len + 1)?;
            }
        }
        if flags & 2 != 0 {
            file.skip(2)?;
        }
        let (inner, range) = file.inflate(file.at..file.text.len(), false)?;
        if let Some(name) = name {
            file.names(inner, name);
        }
        file.at = range.end;
        let sum = file.skip(4)?;
        file.sums(
            sum,
            Number::Little(4),
            Sum::Crc32,
            vec![Piece::Decoded(inner)],
        );
        let size = file.skip(4)?;
        file.field(
            size,
            Number::Little(4),
            Means::DecodedLength { inner, unit: 1 },
        );
        if start > 0 || file.at < file.text.len() {
            file.region(start..file.at, "member");
        }
    }
    Some(())
}
