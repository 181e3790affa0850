use super::Format;
use super::builder::Builder;
use crate::Number;
use std::ops::Range;

/// The format of compiled Python modules: values of `marshal` after a header.
///
/// Source: `Python/marshal.c` of CPython, versions 2.7, and 3.3 to 3.13.
pub(super) const PYC: Format = Format {
    name: "Python bytecode",
    // The magic number is two bytes of a version and a line end, or zeros if the file was stripped
    // of them.
    fits: |text| {
        let is_version = text.get(2..4) == Some(b"\r\n") || text.starts_with(&[0; 16]);
        let code = Number::Little(2)
            .read(text)
            .map(|(magic, _)| Code::of(magic));
        is_version && code.is_some_and(|code| matches!(text.get(code.head), Some(0x63 | 0xe3)))
    },
    read: |file| {
        let code = Code::of(file.peek(0, Number::Little(2))?);
        file.skip(code.head)?;
        let lists = Lists {
            references: file.list(),
            interned: file.list(),
        };
        values(file, &lists, code)
    },
};

const LONG: Number = Number::Little(4);

/// A code object of a version.
#[derive(Clone, Copy)]
struct Code {
    /// The number of bytes before the value.
    head: usize,
    /// The number of bytes of the numbers before its parts.
    numbers: usize,
    parts: u64,
    /// The number of parts after the number of its first line.
    last: u64,
}

impl Code {
    /// Returns the form by the number of the version in the header, or that of the newest.
    fn of(magic: u64) -> Code {
        let (head, numbers, parts, last) = match magic {
            3_200..3_390 => (12, 20, 9, 1),
            3_390..3_400 => (16, 20, 9, 1),
            3_400..3_450 => (16, 24, 9, 1),
            // Version 2.
            50_000.. => (8, 16, 9, 1),
            _ => (16, 20, 10, 2),
        };
        Code {
            head,
            numbers,
            parts,
            last,
        }
    }
}

/// A value whose parts are being read.
struct Open {
    start: usize,
    left: u64,
    /// The list of the value's items, if they are counted.
    list: Option<usize>,
    /// Whether the parts of the value are pairs that end with a null.
    is_map: bool,
    /// Whether the value is a code object, which has a number before its last parts.
    is_code: bool,
}

/// The lists of values that others refer to by their numbers.
struct Lists {
    references: usize,
    /// Texts of version 2, which has a list for these only.
    interned: usize,
}

fn values(file: &mut Builder<'_>, lists: &Lists, code: Code) -> Option<()> {
    let mut open: Vec<Open> = vec![];
    // Other values may refer to a value before it is complete, so the number is assigned at its
    // start.
    let mut flagged: Vec<(usize, usize)> = vec![];
    let mut count = 0;
    let mut places: Vec<Range<usize>> = vec![];
    let mut refers: Vec<Reference> = vec![];
    let result = loop {
        let start = file.at;
        let Some(&tag) = file.text.get(start) else {
            break None;
        };
        if file.skip(1).is_none() {
            break None;
        }
        if tag & 0x80 != 0 {
            flagged.push((start, count));
            places.push(0..0);
            count += 1;
        }
        let opened = match parts(file, tag & 0x7f, code, lists, &mut refers) {
            Some(opened) => opened,
            None => break None,
        };
        if let Some((left, list)) = opened {
            if !file.keeps::<Open>() {
                break None;
            }
            open.push(Open {
                start,
                left,
                list,
                is_map: tag & 0x7f == b'{',
                is_code: tag & 0x7f == b'c',
            });
            if left > 0 {
                continue;
            }
        }
        let mut start = start;
        let mut is_null = tag == b'0';
        let done = loop {
            if open.last().is_some_and(|last| last.left == 0) {
                start = open.pop()?.start;
                is_null = false;
            }
            if let Some((_, number)) = flagged.pop_if(|(begun, _)| *begun == start) {
                places[number] = start..file.at;
            }
            let Some(last) = open.last_mut() else {
                break true;
            };
            if last.is_map && is_null {
                last.left = 0;
                continue;
            }
            if !last.is_map {
                last.left -= 1;
            }
            if last.is_code && last.left == code.last {
                file.skip(4)?;
            }
            if let Some(list) = last.list {
                file.item(list, start..file.at);
                file.region(start..file.at, "item");
            }
            if open.last().is_some_and(|last| last.left > 0) {
                break false;
            }
        };
        if done {
            break Some(());
        }
    };
    for place in places {
        file.item(lists.references, place);
    }
    for (place, list, item) in refers {
        file.refers(place, LONG, list, item);
    }
    result
}

/// The place of a reference, a list, and the number of an item.
type Reference = (Range<usize>, usize, u64);

/// Reads a value without its parts. Returns the number of its parts, and their list if they are
/// counted.
fn parts(
    file: &mut Builder<'_>,
    tag: u8,
    code: Code,
    lists: &Lists,
    refers: &mut Vec<Reference>,
) -> Option<Option<(u64, Option<usize>)>> {
    let text = |file: &mut Builder<'_>, number| {
        let range = file.length(number)?;
        file.region(range.clone(), "text");
        file.at = range.end;
        Some(())
    };
    match tag {
        b'0' | b'N' | b'F' | b'T' | b'S' | b'.' => {}
        b'i' => file.pass(4)?,
        b'I' | b'g' => file.pass(8)?,
        b'y' => file.pass(16)?,
        b'l' => {
            let (digits, _) = file.number(LONG)?;
            let digits = (digits as u32 as i32).unsigned_abs();
            file.skip(2 * digits as usize)?;
        }
        b's' | b'u' | b'a' | b'A' => text(file, LONG)?,
        b't' => {
            let start = file.at - 1;
            text(file, LONG)?;
            file.item(lists.interned, start..file.at);
        }
        b'z' | b'Z' => text(file, Number::Little(1))?,
        b'f' => text(file, Number::Little(1))?,
        b'r' => {
            let (item, place) = file.number(LONG)?;
            refers.push((place, lists.references, item));
        }
        b'R' => {
            let (item, place) = file.number(LONG)?;
            refers.push((place, lists.interned, item));
        }
        b'(' | b'[' | b'<' | b'>' | b')' => {
            let number = if tag == b')' { Number::Little(1) } else { LONG };
            let (count, place) = file.number(number)?;
            if count > file.text.len() as u64 {
                return None;
            }
            let list = file.list();
            file.counts(place, number, list);
            return Some(Some((count, Some(list))));
        }
        b'{' => return Some(Some((u64::MAX, None))),
        b'c' => {
            file.skip(code.numbers)?;
            return Some(Some((code.parts, None)));
        }
        _ => return None,
    }
    Some(None)
}
