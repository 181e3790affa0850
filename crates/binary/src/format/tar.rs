use super::Format;
use super::builder::Builder;
use crate::layout::Piece;
use crate::{Number, Sum};

/// The format tar: members with their headers, in blocks of 512 bytes.
///
/// Source: POSIX.1-1988, the format `ustar`.
pub(super) const TAR: Format = Format {
    name: "tar",
    fits: |text| text.get(257..262) == Some(b"ustar"),
    read: tar,
};

const BLOCK: usize = 512;

/// The length of a name in a header.
const NAME: usize = 100;

/// The place of the type of a member in its header.
const TYPE: usize = 156;

fn tar(file: &mut Builder<'_>) -> Option<()> {
    while file
        .bytes(file.at..file.at + BLOCK)?
        .iter()
        .any(|&byte| byte != 0)
    {
        let start = file.at;
        let (size, _) = Number::Octal.read(&file.text[start + 124..start + 136])?;
        let data = start + BLOCK..(start + BLOCK).checked_add(usize::try_from(size).ok()?)?;
        file.bytes(data.clone())?;
        let end = data.end.next_multiple_of(BLOCK).min(file.text.len());
        file.measures(start + 124..start + 136, Number::Octal, data.clone());
        let over = vec![
            Piece::Bytes(start as u32..start as u32 + 148),
            Piece::Filler(b' ', 8),
            Piece::Bytes(start as u32 + 156..(start + BLOCK) as u32),
        ];
        file.sums(start + 148..start + 156, Number::Octal, Sum::Bytes, over);
        file.fills(data.start, data.end..end, BLOCK as u32);
        file.region(start..end, "member");
        file.region(data.clone(), "data");
        match file.text[start + TYPE] {
            b'0' | b'7' | 0 => file.file(data, start..start + NAME),
            // Other members describe the next member.
            _ => {
                file.content(data);
            }
        }
        file.at = end;
    }
    file.region(file.at..file.text.len(), "end");
    let mut at = file.at + BLOCK;
    while at < file.text.len() {
        file.region(at..(at + BLOCK).min(file.text.len()), "block");
        at += BLOCK;
    }
    Some(())
}
