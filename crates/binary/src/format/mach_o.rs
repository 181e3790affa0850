use super::Format;
use super::builder::Builder;
use super::machine::Machine;
use crate::Number;
use std::ops::Range;

/// The format Mach-O: load commands, segments, sections, relocations, symbols, and strings, of 32
/// and 64 bits in both byte orders. Addresses in memory are kept.
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

/// A number of 4 bytes as a length or offset.
fn word(file: &Builder<'_>, machine: Machine, at: usize) -> Option<usize> {
    usize::try_from(file.peek(at, machine.number(4))?).ok()
}

/// The lists that fields refer to.
#[derive(Clone, Copy)]
struct Lists {
    sections: usize,
    symbols: usize,
}

fn mach_o(file: &mut Builder<'_>) -> Option<()> {
    let machine = Machine {
        wide: matches!(file.text.first()?, 0xcf) || *file.text.get(3)? == 0xcf,
        big: *file.text.first()? == 0xfe,
    };
    let start = if machine.wide { 32 } else { 28 };
    let count = word(file, machine, 16)?;
    let all = start..start + word(file, machine, 20)?;
    file.bytes(all.clone())?;
    let commands = file.list();
    let lists = Lists {
        sections: file.list(),
        symbols: file.list(),
    };
    file.counts(16..20, machine.number(4), commands);
    file.measures(20..24, machine.number(4), all.clone());
    let mut places = vec![];
    let mut at = start;
    for _ in 0..count {
        let kind = word(file, machine, at)? & 0x7fff_ffff;
        let place = at..at.checked_add(word(file, machine, at + 4)?.max(8))?;
        if place.end > all.end || !file.keeps::<(usize, Range<usize>)>() {
            break;
        }
        at = place.end;
        places.push((kind, place));
    }
    // Symbols are read before the relocations that refer to them, and sections before symbols.
    for (kind, place) in &places {
        if let 1 | 0x19 = kind {
            sections(file, machine, place, lists);
        }
    }
    for (kind, place) in &places {
        if *kind == 2 {
            let _ = symbols(file, machine, place.start, lists);
        }
    }
    for (kind, place) in places {
        file.item(commands, place.clone());
        file.region(place.clone(), "command");
        file.measures(
            place.start + 4..place.start + 8,
            machine.number(4),
            place.clone(),
        );
        let _ = command(file, machine, kind, place, lists);
    }
    Some(())
}

/// The place of a number in the header of a section: `size`, `offset`, `reloff`, and `nreloc`.
fn section_fields(machine: Machine) -> [usize; 4] {
    if machine.wide {
        [40, 48, 56, 60]
    } else {
        [36, 40, 48, 52]
    }
}

/// The places of the headers of all sections of a segment.
fn headers(file: &Builder<'_>, machine: Machine, place: &Range<usize>) -> Vec<Range<usize>> {
    let (count, first, size) = if machine.wide {
        (64, 72, 80)
    } else {
        (48, 56, 68)
    };
    let count = word(file, machine, place.start + count).unwrap_or(0);
    let at = place.start;
    let limit = place.len() / size;
    let start = move |nth: usize| at + first + nth * size;
    let all = (0..count.min(limit)).map(|nth| start(nth)..start(nth + 1));
    all.take_while(|header| file.bytes(header.clone()).is_some())
        .collect()
}

fn sections(file: &mut Builder<'_>, machine: Machine, place: &Range<usize>, lists: Lists) {
    for header in headers(file, machine, place) {
        file.item(lists.sections, header);
    }
}

fn symbols(file: &mut Builder<'_>, machine: Machine, at: usize, lists: Lists) -> Option<()> {
    let four = machine.number(4);
    let [start, count, names, size] = [8, 12, 16, 20].map(|place| word(file, machine, at + place));
    let each = if machine.wide { 16 } else { 12 };
    let (start, count) = (start?, count?);
    let table = start..start.checked_add(count.checked_mul(each)?)?;
    let strings = names?..names?.checked_add(size?)?;
    file.points(at + 8..at + 12, four, start, 0);
    file.counts(at + 12..at + 16, four, lists.symbols);
    let has_strings = file.bytes(strings.clone()).is_some();
    if has_strings {
        file.points(at + 16..at + 20, four, strings.start, 0);
        file.measures(at + 20..at + 24, four, strings.clone());
    }
    file.bytes(table.clone())?;
    for symbol in table.step_by(each) {
        file.item(lists.symbols, symbol..symbol + each);
        file.region(symbol..symbol + each, "symbol");
        let name = word(file, machine, symbol)?;
        if has_strings && name > 0 && name < strings.len() {
            let to = strings.start + name;
            file.points(symbol..symbol + 4, four, to, strings.start);
        }
        let section = file.peek(symbol + 5, Number::Little(1))?;
        if section > 0 {
            // Sections are numbered from 1.
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
    machine: Machine,
    kind: usize,
    place: Range<usize>,
    lists: Lists,
) -> Option<()> {
    let at = place.start;
    match kind {
        1 | 0x19 => segment(file, machine, place, lists),
        // The command has ranges of the symbols, and the range of the symbols that have stubs.
        0xb => {
            for pair in [8, 16, 24] {
                let first = word(file, machine, at + pair)?;
                let count = word(file, machine, at + pair + 4)?;
                let four = machine.number(4);
                file.refers(at + pair..at + pair + 4, four, lists.symbols, first as u64);
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
                file.counts(at + pair + 4..at + pair + 8, four, list);
            }
            let first = word(file, machine, at + 56)?;
            let count = word(file, machine, at + 60)?;
            let table = first..first.checked_add(count.checked_mul(4)?)?;
            if count > 0 && file.bytes(table.clone()).is_some() {
                let list = file.list();
                file.points(at + 56..at + 60, machine.number(4), first, 0);
                file.counts(at + 60..at + 64, machine.number(4), list);
                for entry in table.step_by(4) {
                    file.item(list, entry..entry + 4);
                    file.region(entry..entry + 4, "indirect symbol");
                    let symbol = file.peek(entry, machine.number(4))?;
                    file.refers_or(
                        entry..entry + 4,
                        machine.number(4),
                        lists.symbols,
                        symbol,
                        0,
                    );
                }
            }
            Some(())
        }
        0x1d | 0x1e | 0x26 | 0x29 | 0x2b | 0x2e | 0x33 | 0x34 => {
            data(file, machine, at + 8, &place)
        }
        0x22 => {
            for pair in (8..48).step_by(8) {
                let _ = data(file, machine, at + pair, &place);
            }
            Some(())
        }
        _ => {
            file.region(place.start + 8..place.end, "data");
            Some(())
        }
    }
}

/// Data at an offset. The length of the data follows the offset.
fn data(file: &mut Builder<'_>, machine: Machine, at: usize, command: &Range<usize>) -> Option<()> {
    let (start, len) = (word(file, machine, at)?, word(file, machine, at + 4)?);
    let content = start..start.checked_add(len)?;
    if start > 0 && at + 8 <= command.end && file.bytes(content.clone()).is_some() {
        file.points(at..at + 4, machine.number(4), start, 0);
        file.measures(at + 4..at + 8, machine.number(4), content.clone());
        file.region(content, "data");
    }
    Some(())
}

fn segment(
    file: &mut Builder<'_>,
    machine: Machine,
    place: Range<usize>,
    lists: Lists,
) -> Option<()> {
    let at = place.start;
    let (offset, width, count) = if machine.wide {
        (40, 8, 64)
    } else {
        (32, 4, 48)
    };
    let long = machine.number(width);
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
    file.counts(at + count..at + count + 4, machine.number(4), list);
    for header in headers(file, machine, &place) {
        if header.end > place.end {
            break;
        }
        file.item(list, header.clone());
        file.region(header.clone(), "section header");
        let _ = section(file, machine, header, lists);
    }
    Some(())
}

fn section(
    file: &mut Builder<'_>,
    machine: Machine,
    header: Range<usize>,
    lists: Lists,
) -> Option<()> {
    let four = machine.number(4);
    let fields = section_fields(machine).map(|field| header.start + field);
    let [size, offset, relocations, count] = fields;
    let width = if machine.wide { 8 } else { 4 };
    let len = usize::try_from(file.peek(size, machine.number(width))?).ok()?;
    let start = word(file, machine, offset)?;
    let mut group = vec![header.clone()];
    let content = start..start.checked_add(len)?;
    if start > 0 && file.bytes(content.clone()).is_some() {
        file.measures(
            size..size + usize::from(width),
            machine.number(width),
            content.clone(),
        );
        file.points(offset..offset + 4, four, start, 0);
        file.region(content.clone(), "section");
        group.push(content);
    }
    let first = word(file, machine, relocations)?;
    let table = first..first.checked_add(word(file, machine, count)?.checked_mul(8)?)?;
    if first > 0 && !table.is_empty() && file.bytes(table.clone()).is_some() {
        let list = file.list();
        file.points(relocations..relocations + 4, four, first, 0);
        file.counts(count..count + 4, four, list);
        file.region(table.clone(), "relocations");
        group.push(table.clone());
        for at in table.step_by(8) {
            file.item(list, at..at + 8);
            file.region(at..at + 8, "relocation");
            // The number has three bytes. A bit after it tells whether it is the number of a
            // symbol.
            let place = at + 4..at + 7;
            let bit = if machine.big { 0x10 } else { 0x08 };
            let number = file.peek(place.start, machine.number(3))?;
            let is_symbol = file.text.get(place.end)? & bit != 0;
            if is_symbol {
                file.refers_or(place, machine.number(3), lists.symbols, number, 0);
            } else if number > 0 {
                file.refers_or(place, machine.number(3), lists.sections, number - 1, 0);
            }
        }
    }
    file.group(group);
    Some(())
}
