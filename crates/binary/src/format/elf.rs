use super::Format;
use super::builder::Builder;
use super::machine::Machine;
use super::memory::Memory;
use crate::Number;
use std::ops::Range;

/// The format ELF: sections with their headers, segments, symbols, relocations, and strings, of 32
/// and 64 bits in both byte orders.
///
/// Source: System V Application Binary Interface, chapters 4 and 5.
pub(super) const ELF: Format = Format {
    name: "ELF",
    fits: |text| text.starts_with(b"\x7fELF") && text.len() >= 52,
    read: elf,
};

#[derive(Clone, Debug)]
struct Section {
    header: Range<usize>,
    kind: u64,
    content: Range<usize>,
    link: usize,
}

const STRINGS: u64 = 3;
const NO_BITS: u64 = 8;

fn elf(file: &mut Builder<'_>) -> Option<()> {
    let machine = Machine {
        wide: file.text.get(4)? == &2,
        big: file.text.get(5)? == &2,
    };
    let sections = file.list();
    let mut memory = vec![];
    let _ = segments(file, machine, &mut memory);
    let memory = Memory::new(memory);
    let all = headers(file, machine, sections)?;
    for section in &all {
        if section.content.is_empty() {
            continue;
        }
        let strings = all.get(section.link).filter(|other| other.kind == STRINGS);
        let strings = strings.map(|strings| strings.content.clone());
        let _ = match section.kind {
            STRINGS => texts(file, section.content.clone()),
            2 | 11 => symbols(file, machine, section, strings, sections),
            4 | 9 => relocations(file, machine, section, &all),
            6 => dynamic(file, machine, section, strings, &memory),
            0x6fff_fffe => needed_versions(file, machine, section, strings),
            0x6fff_ffff => versions(file, machine, section, &all),
            _ => Some(()),
        };
    }
    Some(())
}

/// The table of segments.
fn segments(
    file: &mut Builder<'_>,
    machine: Machine,
    memory: &mut Vec<(u64, Range<usize>)>,
) -> Option<()> {
    let word = machine.number(machine.address() as u8);
    let half = machine.number(2);
    let width = machine.address();
    let table = machine.pick(28, 32);
    let start = usize::try_from(file.peek(table, word)?).ok()?;
    if start == 0 {
        return None;
    }
    let size = file.peek(machine.pick(42, 54), half)? as usize;
    let place = machine.pick(44, 56);
    let count = file.peek(place, half)?;
    let list = file.list();
    file.points(table..table + width, word, start, 0);
    file.counts(place..place + 2, half, list);
    for nth in 0..count as usize {
        let at = start.checked_add(nth.checked_mul(size)?)?;
        file.bytes(at..at.checked_add(size.max(machine.pick(32, 56)))?)?;
        file.region(at..at + size, "segment");
        file.item(list, at..at + size);
        let (offset, length) = (at + machine.pick(4, 8), at + machine.pick(16, 32));
        let content = usize::try_from(file.peek(offset, word)?).ok()?;
        let end = content.checked_add(usize::try_from(file.peek(length, word)?).ok()?)?;
        if content < end && file.bytes(content..end).is_some() {
            if content > 0 {
                file.points(offset..offset + width, word, content, 0);
            }
            file.measures(length..length + width, word, content..end);
            let address = file.peek(at + machine.pick(8, 16), word)?;
            let is_loaded = file.peek(at, machine.number(4))? == 1;
            if is_loaded && file.keeps::<(u64, Range<usize>)>() {
                memory.push((address, content..end));
            }
        }
    }
    Some(())
}

/// The table of sections.
fn headers(file: &mut Builder<'_>, machine: Machine, list: usize) -> Option<Vec<Section>> {
    let (word, half, four) = (
        machine.number(machine.address() as u8),
        machine.number(2),
        machine.number(4),
    );
    let width = machine.address();
    let table = machine.pick(32, 40);
    let start = usize::try_from(file.peek(table, word)?).ok()?;
    if start == 0 {
        return None;
    }
    let size = file.peek(machine.pick(46, 58), half)? as usize;
    let place = machine.pick(48, 60);
    let count = file.peek(place, half)? as usize;
    if size < machine.pick(40, 64) {
        return None;
    }
    file.points(table..table + width, word, start, 0);
    file.counts(place..place + 2, half, list);
    let names_at = machine.pick(50, 62);
    let names = file.peek(names_at, half)?;
    file.refers_or(names_at..names_at + 2, half, list, names, 0);
    let mut all = vec![];
    for nth in 0..count {
        let at = start.checked_add(nth.checked_mul(size)?)?;
        let header = at..at.checked_add(size)?;
        if file.bytes(header.clone()).is_none() {
            break;
        }
        let offset = at + machine.pick(16, 24);
        let length = offset + width;
        let kind = file.peek(at + 4, four)?;
        let link = at + machine.pick(24, 40);
        let from = usize::try_from(file.peek(offset, word)?).ok()?;
        let len = usize::try_from(file.peek(length, word)?).ok()?;
        let content = from..from.checked_add(len)?;
        let is_there = kind != NO_BITS && kind != 0 && file.bytes(content.clone()).is_some();
        file.item(list, header.clone());
        if nth > 0 {
            file.region(header.clone(), "section header");
        }
        if is_there {
            file.points(offset..offset + width, word, from, 0);
            file.measures(length..length + width, word, content.clone());
            file.region(content.clone(), "section");
            file.group([header.clone(), content.clone()]);
        }
        let linked = file.peek(link, four)?;
        file.refers_or(link..link + 4, four, list, linked, 0);
        let info = file.peek(link + 4, four)?;
        if matches!(kind, 4 | 9) && info > 0 {
            file.refers_or(link + 4..link + 8, four, list, info, 0);
        }
        all.push(Section {
            header,
            kind,
            content: if is_there { content } else { 0..0 },
            link: linked as usize,
        });
    }
    let names = usize::try_from(names)
        .ok()
        .and_then(|names| all.get(names))
        .cloned();
    if let Some(names) = names.filter(|names| !names.content.is_empty()) {
        for section in &all {
            let at = section.header.start;
            points_into(file, at..at + 4, four, &names.content);
        }
    }
    Some(all)
}

/// A field that is the offset of a text in a table of texts.
fn points_into(file: &mut Builder<'_>, place: Range<usize>, number: Number, texts: &Range<usize>) {
    let offset = file
        .peek(place.start, number)
        .and_then(|offset| usize::try_from(offset).ok());
    if let Some(offset) = offset.filter(|&offset| offset > 0 && offset < texts.len()) {
        file.points(place, number, texts.start + offset, texts.start);
    }
}

/// Adds texts that end with a zero. The first text is empty.
pub(super) fn texts(file: &mut Builder<'_>, content: Range<usize>) -> Option<()> {
    // Sections may overlap.
    file.reads(content.len())?;
    let mut at = content.start + 1;
    while at < content.end {
        let rest = file.bytes(at..content.end)?;
        let end = at
            + rest
                .iter()
                .position(|&byte| byte == 0)
                .map_or(rest.len(), |len| len + 1);
        file.region(at..end, "text");
        at = end;
    }
    Some(())
}

fn symbols(
    file: &mut Builder<'_>,
    machine: Machine,
    section: &Section,
    strings: Option<Range<usize>>,
    sections: usize,
) -> Option<()> {
    let size = machine.pick(16, 24);
    let (four, half) = (machine.number(4), machine.number(2));
    let locals = file.list();
    for (nth, at) in section.content.clone().step_by(size).enumerate() {
        file.bytes(at..at + size)?;
        if nth > 0 {
            file.region(at..at + size, "symbol");
        }
        if file.text[at + machine.pick(12, 4)] >> 4 == 0 {
            file.item(locals, at..at + size);
        }
        if let Some(strings) = &strings {
            points_into(file, at..at + 4, four, strings);
        }
        let index = at + machine.pick(14, 6);
        let value = file.peek(index, half)?;
        if value > 0 && value < 0xff00 {
            file.refers_or(index..index + 2, half, sections, value, 0);
        }
    }
    // A field of the header counts the local symbols, which come first.
    let info = section.header.start + machine.pick(28, 44);
    file.counts(info..info + 4, four, locals);
    Some(())
}

/// Reads the entries for the loader: kinds, and addresses, lengths, or names of libraries.
fn dynamic(
    file: &mut Builder<'_>,
    machine: Machine,
    section: &Section,
    strings: Option<Range<usize>>,
    memory: &Memory,
) -> Option<()> {
    let width = machine.address();
    let word = machine.number(width as u8);
    for at in section.content.clone().step_by(2 * width) {
        let kind = file.peek(at, word)?;
        let value = at + width..at + 2 * width;
        let length = file.peek(value.start, word)?;
        file.region(at..value.end, "entry");
        match (kind, &strings) {
            // These entries point to the names of libraries, of this library, and of folders.
            (1 | 14 | 15 | 29, Some(strings)) => points_into(file, value, word, strings),
            (10, Some(strings)) if length == strings.len() as u64 => {
                file.measures(value, word, strings.clone());
            }
            // These entries contain addresses of tables.
            (3..=7 | 12 | 13 | 23 | 25 | 26 | 0x6fff_fef5 | 0x6fff_fff0 | 0x6fff_fffe, _) => {
                memory.address(file, value.start, word);
            }
            _ => {}
        }
    }
    Some(())
}

/// The versions of libraries, with their names: lists in a list.
fn needed_versions(
    file: &mut Builder<'_>,
    machine: Machine,
    section: &Section,
    strings: Option<Range<usize>>,
) -> Option<()> {
    let (half, four) = (machine.number(2), machine.number(4));
    let strings = strings?;
    file.reads(section.content.len())?;
    // All records have 16 bytes. The record of a library is followed by the records of its
    // versions.
    let mut versions = 0;
    for at in section.content.clone().step_by(16) {
        let name = if versions == 0 {
            versions = file.peek(at + 2, half)? + 1;
            at + 4
        } else {
            at + 8
        };
        versions -= 1;
        points_into(file, name..name + 4, four, &strings);
    }
    Some(())
}

/// The number of the version of each symbol.
fn versions(
    file: &mut Builder<'_>,
    machine: Machine,
    section: &Section,
    all: &[Section],
) -> Option<()> {
    let symbols = all.get(section.link)?.content.clone();
    let symbols = symbols.step_by(machine.pick(16, 24));
    for (symbol, at) in symbols.zip(section.content.clone().step_by(2)).skip(1) {
        file.bytes(at..at + 2)?;
        file.region(at..at + 2, "version");
        file.group([symbol..symbol + machine.pick(16, 24), at..at + 2]);
    }
    Some(())
}

fn relocations(
    file: &mut Builder<'_>,
    machine: Machine,
    section: &Section,
    all: &[Section],
) -> Option<()> {
    let size = machine.pick(8, 16)
        + if section.kind == 4 {
            machine.address()
        } else {
            0
        };
    let symbols = all.get(section.link)?.content.clone();
    let each = machine.pick(16, 24);
    file.reads(symbols.len())?;
    let list = file.list();
    for at in symbols.clone().step_by(each) {
        file.item(list, at..(at + each).min(symbols.end));
    }
    for at in section.content.clone().step_by(size) {
        file.bytes(at..at + size)?;
        file.region(at..at + size, "relocation");
        // The number of the symbol is the upper half of 8 bytes, or the upper three of 4 bytes.
        let (place, number) = match (machine.wide, machine.big) {
            (true, false) => (at + 12..at + 16, Number::Little(4)),
            (true, true) => (at + 8..at + 12, Number::Big(4)),
            (false, false) => (at + 5..at + 8, Number::Little(3)),
            (false, true) => (at + 4..at + 7, Number::Big(3)),
        };
        let symbol = file.peek(place.start, number)?;
        file.refers_or(place, number, list, symbol, 0);
    }
    Some(())
}
