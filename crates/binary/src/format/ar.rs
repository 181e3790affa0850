use super::Format;
use super::builder::Builder;
use crate::Number;
use crate::layout::Means;
use std::ops::Range;

/// The format ar: members with their headers. Debian packages have this format.
///
/// Source: `ar.h` of System V, and the manual of GNU binutils for long names.
pub(super) const AR: Format = Format {
    name: "ar",
    fits: |text| text.starts_with(MAGIC),
    read: |file| {
        file.pass(MAGIC.len())?;
        let mut names = None;
        while file.at < file.text.len() {
            let start = file.at;
            let header = file.skip(HEADER)?;
            if !file.text[header].ends_with(b"`\n") {
                return None;
            }
            let size = Number::Columns(10);
            let place = start + 48..start + 58;
            let (value, _) = size.read(&file.text[place.clone()])?;
            let data = file.skip(usize::try_from(value).ok()?)?;
            let is_filled = data.len() % 2 == 1 && file.text.get(data.end) == Some(&b'\n');
            let end = data.end + usize::from(is_filled);
            file.measures(place, size, data.clone());
            if is_filled || data.len() % 2 == 0 {
                let means = Means::Padding {
                    filler: b'\n',
                    from: data.start as u32,
                    multiple: 2,
                };
                file.field(data.end..end, size, means);
            }
            file.region(start..end, "member");
            file.region(data.clone(), "data");
            match &file.text[start..start + 2] {
                b"/ " => {
                    let _ = symbols(file, data);
                }
                [b'/', digit] if digit.is_ascii_digit() => {
                    let place = start + 1..start + 16;
                    let name = long_name(file, names, place);
                    file.file(data, name.unwrap_or(start..start));
                }
                b"//" => {
                    names = Some(data.start);
                    file.content(data);
                }
                _ => {
                    let end = file.text[start..start + 16]
                        .iter()
                        .position(|byte| b"/ ".contains(byte));
                    file.file(data, start..start + end.unwrap_or(16));
                }
            }
            file.at = end;
        }
        Some(())
    },
};

/// The first bytes of an archive.
pub(super) const MAGIC: &[u8] = b"!<arch>\n";

const HEADER: usize = 60;

/// Reads the place of a name in the table of long names, and returns the name's.
fn long_name(
    file: &mut Builder<'_>,
    names: Option<usize>,
    place: Range<usize>,
) -> Option<Range<usize>> {
    let number = Number::Columns(15);
    let (names, (at, _)) = (names?, number.read(&file.text[place.clone()])?);
    let start = usize::try_from(at).ok()?.checked_add(names)?;
    file.points(place, number, start, names);
    let len = file
        .text
        .get(start..)?
        .iter()
        .position(|&byte| byte == b'/')?;
    Some(start..start + len)
}

/// Reads the symbols, each with the place of its member.
fn symbols(file: &mut Builder<'_>, within: Range<usize>) -> Option<()> {
    let number = Number::Big(4);
    file.at = within.start;
    let (count, place) = file.number(number)?;
    let list = file.list();
    file.counts(place, number, list);
    let start = file.at;
    let count = usize::try_from(count).ok()?.min(within.len() / 4);
    let mut name = start + 4 * count;
    for nth in 0..count {
        file.at = start + 4 * nth;
        let (to, place) = file.number(number)?;
        let rest = file.bytes(name..within.end)?;
        let end = name + rest.iter().position(|&byte| byte == 0)? + 1;
        file.points(place.clone(), number, usize::try_from(to).ok()?, 0);
        file.region(place.clone(), "place");
        file.item(list, place.clone());
        file.region(name..end, "symbol");
        file.group([place, name..end]);
        name = end;
    }
    Some(())
}
