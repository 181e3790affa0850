use super::Format;
use super::builder::Builder;
use crate::Number;
use std::ops::Range;

/// Load commands, segments, sections, relocations, symbols, and strings, of 32 and 64 bits in both
/// byte orders. Addresses in memory stay.
///
/// Source: Apple, "OS X ABI Mach-O File Format Reference", 2009, and `mach-o/loader.h`.
pub(super) const MACH_O: Format = Format {
    name: "Mach-O",
    fits: |text| {
        let magic = [
            b"\xfe\xed\xfa\xce",
            b"\xfe\xed\xfa\xcf",
            b"\xce\xfa\xed\xfe",
            b"\xcf\xfa\xed\xfe",
        ];
        magic.iter().any(|magic| text.starts_with(&magic[..]))
    },
    read: mach_o,
};

/// The class and byte order of a file.
#[derive(Clone, Copy)]
struct Class {
    wide: bool,
    big: bool,
}

impl Class {
    fn number(self, width: u8) -> Number {
        if self.big {
            Number::Big(width)
        } else {
            Number::Little(width)
        }
    }

    fn word(self) -> Number {
        self.number(4)
    }

    /// A number of 4 bytes as a length or offset.
    fn read(self, file: &Builder<'_>, at: usize) -> Option<usize> {
        usize::try_from(file.peek(at, self.word())?).ok()
    }
}

/// The lists that fields refer to.
#[derive(Clone, Copy)]
struct Lists {
    sections: usize,
    symbols: usize,
}

fn mach_o(file: &mut Builder<'_>) -> Option<()> {
    let class = Class {
        wide: matches!(file.text.first()?, 0xcf) || *file.text.get(3)? == 0xcf,
        big: *file.text.first()? == 0xfe,
    };
    let start = if class.wide { 32 } else { 28 };
    let count = class.read(file, 16)?;
    let all = start..start + class.read(file, 20)?;
    file.bytes(all.clone())?;
    let commands = file.list();
    let lists = Lists {
        sections: file.list(),
        symbols: file.list(),
    };
    file.counts(16..20, class.word(), commands);
    file.measures(20..24, class.word(), all.clone());
    let mut places = vec![];
    let mut at = start;
    for _ in 0..count {
        let kind = class.read(file, at)? & 0x7fff_ffff;
        let place = at..at.checked_add(class.read(file, at + 4)?.max(8))?;
        if place.end > all.end || !file.keeps::<(usize, Range<usize>)>() {
            break;
        }
        at = place.end;
        places.push((kind, place));
    }
    // Symbols are known before relocations refer to them, and sections before symbols do.
    for (kind, place) in &places {
        if let 1 | 0x19 = kind {
            sections(file, class, place, lists);
        }
    }
    for (kind, place) in &places {
        if *kind == 2 {
            let _ = symbols(file, class, place.start, lists);
        }
    }
    for (kind, place) in places {
        file.item(commands, place.clone());
        file.region(place.clone(), "command");
        file.measures(
            place.start + 4..place.start + 8,
            class.word(),
            place.clone(),
        );
        let _ = command(file, class, kind, place, lists);
    }
    Some(())
}

/// The place of a number in the header of a section: `size`, `offset`, `reloff`, and `nreloc`.
fn section_fields(class: Class) -> [usize; 4] {
    if class.wide {
        [40, 48, 56, 60]
    } else {
        [36, 40, 48, 52]
    }
}

/// The places of the headers of all sections of a segment.
fn headers(file: &Builder<'_>, class: Class, place: &Range<usize>) -> Vec<Range<usize>> {
    let (count, first, size) = if class.wide {
        (64, 72, 80)
    } else {
        (48, 56, 68)
    };
    let count = class.read(file, place.start + count).unwrap_or(0);
    let at = place.start;
    let limit = place.len() / size;
    let start = move |nth: usize| at + first + nth * size;
    let all = (0..count.min(limit)).map(|nth| start(nth)..start(nth + 1));
    all.take_while(|header| file.bytes(header.clone()).is_some())
        .collect()
}

fn sections(file: &mut Builder<'_>, class: Class, place: &Range<usize>, lists: Lists) {
    for header in headers(file, class, place) {
        file.item(lists.sections, header);
    }
}

fn symbols(file: &mut Builder<'_>, class: Class, at: usize, lists: Lists) -> Option<()> {
    let word = class.word();
    let [start, count, names, size] = [8, 12, 16, 20].map(|place| class.read(file, at + place));
    let each = if class.wide { 16 } else { 12 };
    let (start, count) = (start?, count?);
    let table = start..start.checked_add(count.checked_mul(each)?)?;
    let strings = names?..names?.checked_add(size?)?;
    file.points(at + 8..at + 12, word, start, 0);
    file.counts(at + 12..at + 16, word, lists.symbols);
    let has_strings = file.bytes(strings.clone()).is_some();
    if has_strings {
        file.points(at + 16..at + 20, word, strings.start, 0);
        file.measures(at + 20..at + 24, word, strings.clone());
    }
    file.bytes(table.clone())?;
    for symbol in table.step_by(each) {
        file.item(lists.symbols, symbol..symbol + each);
        file.region(symbol..symbol + each, "symbol");
        let name = class.read(file, symbol)?;
        if has_strings && name > 0 && name < strings.len() {
            let to = strings.start + name;
            file.points(symbol..symbol + 4, word, to, strings.start);
        }
        let section = file.peek(symbol + 5, Number::Little(1))?;
        if section > 0 {
            // Sections are counted from 1.
            let place = symbol + 5..symbol + 6;
            file.refers_or(place, Number::Little(1), lists.sections, section - 1, 0);
        }
    }
    if has_strings {
        super::elf::texts(file, strings)?;
    }
    Some(())
}

fn command(
    file: &mut Builder<'_>,
    class: Class,
    kind: usize,
    place: Range<usize>,
    lists: Lists,
) -> Option<()> {
    let at = place.start;
    match kind {
        1 | 0x19 => segment(file, class, place, lists),
        // Ranges of the symbols, and those that stubs are for.
        0xb => {
            for pair in [8, 16, 24] {
                let first = class.read(file, at + pair)?;
                let count = class.read(file, at + pair + 4)?;
                let word = class.word();
                file.refers(at + pair..at + pair + 4, word, lists.symbols, first as u64);
                let all = file.items(lists.symbols);
                let part = all.get(first..first.checked_add(count)?);
                let part: Vec<Range<usize>> = part
                    .into_iter()
                    .flatten()
                    .map(|span| span.start as usize..span.end as usize)
                    .collect();
                let list = file.list();
                for symbol in part {
                    file.item(list, symbol);
                }
                file.counts(at + pair + 4..at + pair + 8, word, list);
            }
            let first = class.read(file, at + 56)?;
            let count = class.read(file, at + 60)?;
            let table = first..first.checked_add(count.checked_mul(4)?)?;
            if count > 0 && file.bytes(table.clone()).is_some() {
                let list = file.list();
                file.points(at + 56..at + 60, class.word(), first, 0);
                file.counts(at + 60..at + 64, class.word(), list);
                for entry in table.step_by(4) {
                    file.item(list, entry..entry + 4);
                    file.region(entry..entry + 4, "indirect symbol");
                    let symbol = file.peek(entry, class.word())?;
                    file.refers_or(entry..entry + 4, class.word(), lists.symbols, symbol, 0);
                }
            }
            Some(())
        }
        0x1d | 0x1e | 0x26 | 0x29 | 0x2b | 0x2e | 0x33 | 0x34 => data(file, class, at + 8, &place),
        0x22 => {
            for pair in (8..48).step_by(8) {
                let _ = data(file, class, at + pair, &place);
            }
            Some(())
        }
        _ => {
            file.region(place.start + 8..place.end, "data");
            Some(())
        }
    }
}

/// Data at an offset, with its length behind that.
fn data(file: &mut Builder<'_>, class: Class, at: usize, command: &Range<usize>) -> Option<()> {
    let (start, len) = (class.read(file, at)?, class.read(file, at + 4)?);
    let content = start..start.checked_add(len)?;
    if start > 0 && at + 8 <= command.end && file.bytes(content.clone()).is_some() {
        file.points(at..at + 4, class.word(), start, 0);
        file.measures(at + 4..at + 8, class.word(), content.clone());
        file.region(content, "data");
    }
    Some(())
}

fn segment(file: &mut Builder<'_>, class: Class, place: Range<usize>, lists: Lists) -> Option<()> {
    let at = place.start;
    let (offset, width, count) = if class.wide { (40, 8, 64) } else { (32, 4, 48) };
    let long = class.number(width);
    let width = usize::from(width);
    let start = usize::try_from(file.peek(at + offset, long)?).ok()?;
    let len = usize::try_from(file.peek(at + offset + width, long)?).ok()?;
    if len > 0 && file.bytes(start..start.checked_add(len)?).is_some() {
        file.points(at + offset..at + offset + width, long, start, 0);
        file.measures(
            at + offset + width..at + offset + 2 * width,
            long,
            start..start + len,
        );
    }
    let list = file.list();
    file.counts(at + count..at + count + 4, class.word(), list);
    for header in headers(file, class, &place) {
        if header.end > place.end {
            break;
        }
        file.item(list, header.clone());
        file.region(header.clone(), "section header");
        let _ = section(file, class, header, lists);
    }
    Some(())
}

fn section(file: &mut Builder<'_>, class: Class, header: Range<usize>, lists: Lists) -> Option<()> {
    let word = class.word();
    let fields = section_fields(class).map(|field| header.start + field);
    let [size, offset, relocations, count] = fields;
    let width = if class.wide { 8 } else { 4 };
    let len = usize::try_from(file.peek(size, class.number(width))?).ok()?;
    let start = class.read(file, offset)?;
    let mut group = vec![header.clone()];
    let content = start..start.checked_add(len)?;
    if start > 0 && file.bytes(content.clone()).is_some() {
        file.measures(
            size..size + usize::from(width),
            class.number(width),
            content.clone(),
        );
        file.points(offset..offset + 4, word, start, 0);
        file.region(content.clone(), "section");
        group.push(content);
    }
    let first = class.read(file, relocations)?;
    let table = first..first.checked_add(class.read(file, count)?.checked_mul(8)?)?;
    if first > 0 && !table.is_empty() && file.bytes(table.clone()).is_some() {
        let list = file.list();
        file.points(relocations..relocations + 4, word, first, 0);
        file.counts(count..count + 4, word, list);
        file.region(table.clone(), "relocations");
        group.push(table.clone());
        for at in table.step_by(8) {
            file.item(list, at..at + 8);
            file.region(at..at + 8, "relocation");
            // The number has three bytes; a bit behind it says whether a symbol has it.
            let place = at + 4..at + 7;
            let bit = if class.big { 0x10 } else { 0x08 };
            let number = file.peek(place.start, class.number(3))?;
            let is_symbol = file.text.get(place.end)? & bit != 0;
            if is_symbol {
                file.refers_or(place, class.number(3), lists.symbols, number, 0);
            } else if number > 0 {
                file.refers_or(place, class.number(3), lists.sections, number - 1, 0);
            }
        }
    }
    file.group(group);
    Some(())
}
